import { relative, sep } from "node:path";
import { isBelow } from "../../base/files/paths.ts";
import { memoize } from "../../base/jobs/lazily.ts";
import { OWL, RDF_TYPE, RDFS } from "../../base/rdf/vocabulary.ts";
import type { DenyRule } from "../../core/knowledge/denyRule.ts";
import { idOf, isSubject } from "../../core/knowledge/rdf.ts";
import type { Channel } from "../../core/permission/permission.ts";
import type { Graph } from "../../graph/facts/graph.ts";
import { createInclusion } from "../files/discover.ts";
import type { FolderPolicy } from "../files/folderConfig.ts";
import { filePathOf } from "../files/sources.ts";
import { isNamed } from "./splitStatements.ts";

export type ChannelPolicy = ReturnType<typeof createChannelPolicy>;

export type Policies = ReturnType<typeof createPolicies>;

export function createPolicies(read: () => readonly FolderPolicy[]) {
	const last = new Map<Channel, ChannelPolicy | undefined>();
	const policyNow = (channel: Channel) => {
		const folders = read()
			.map((folder) => ({
				...folder,
				rules: folder.rules.filter(({ channels }) => channels?.includes(channel) ?? true),
			}))
			.filter(({ rules }) => rules.length > 0);
		if (folders.length === 0) return undefined;
		const key = JSON.stringify(folders);
		const known = last.get(channel);
		return known?.key === key ? known : createChannelPolicy(key, folders);
	};
	const readNow = (channel: Channel) => {
		const policy = policyNow(channel);
		last.set(channel, policy);
		return policy;
	};
	return {
		/** Reads the configurations. Must be called at the beginning of every question. */
		read: readNow,
		/** Returns the last policy that was read, for the other steps of a question. */
		last: (channel: Channel) => (last.has(channel) ? last.get(channel) : readNow(channel)),
	};
}

function hidesFiles({ types, properties }: DenyRule): boolean {
	return !types && !properties;
}

function createChannelPolicy(key: string, folders: readonly FolderPolicy[]) {
	const placed = folders.flatMap(({ root, rules }) => rules.map((rule) => place(rule, root)));
	const partRules = placed.map(({ rule }) => rule).filter((rule) => !hidesFiles(rule));
	// Memoized, because every search asks for all files.
	const rulesOf = memoize((uri: string) => {
		const path = filePathOf(uri) ?? "";
		const holding = placed.filter(({ holdsFor }) => holdsFor(path)).map(({ rule }) => rule);
		return { hides: holding.some(hidesFiles), parts: holding.filter((rule) => !hidesFiles(rule)) };
	});
	return {
		key,
		/** One key per rule; equal rules have equal keys. */
		rules: folders.flatMap(({ root, rules }) =>
			rules.map(({ channels: _channels, ...hidden }) => JSON.stringify({ root, ...hidden })),
		),
		notices: folders.flatMap(({ problem }) => problem?.message ?? []),
		partsHidden: partRules,
		hides: (uri: string) => rulesOf(uri).hides,
		partRules: (uri: string) => rulesOf(uri).parts,
	};
}

function place(rule: DenyRule, root: string) {
	const start = root.endsWith(sep) ? root : root + sep;
	const inRoot = (path: string) => (path.startsWith(start) ? path.slice(start.length - 1) : path);
	const isIncluded = createInclusion((rule.paths ?? []).map(inRoot), { ignoreCase: true });
	return {
		rule,
		holdsFor: (path: string) =>
			isBelow(path, root) && isIncluded(relative(root, path).split(sep).join("/").normalize("NFC")),
	};
}

/** Resources, classes and properties that rules name, and others that documents state to be equal or narrower. */
export type Membership = Awaited<ReturnType<Memberships>>;

export type Memberships = ReturnType<typeof createMemberships>;

interface Extent {
	readonly types: readonly string[];
	readonly properties: readonly string[];
	readonly members: ReadonlySet<string>;
}

export function createMemberships(graph: { current(signal: AbortSignal): Promise<Graph> }) {
	let extents = new Map<string, Extent>();
	let seen: number | undefined;
	let version = 0;
	const signal = new AbortController().signal;
	return async (rules: readonly DenyRule[]) => {
		if (rules.length > 0) bringInStep(await graph.current(signal), rules);
		const current = extents;
		const extentFor = (rule: DenyRule) => current.get(keyOf(rule));
		return {
			/** The version changes when one of the answers below changes. */
			version,
			/** Whether a resource belongs to a rule's classes. Always `false` for blank nodes. */
			has: (rule: DenyRule, iri: string) => extentFor(rule)?.members.has(iri) ?? false,
			types: (rule: DenyRule) => rule.types && [...rule.types, ...(extentFor(rule)?.types ?? [])],
			properties: (rule: DenyRule) =>
				rule.properties && [...rule.properties, ...(extentFor(rule)?.properties ?? [])],
		};
	};

	function bringInStep(now: Graph, rules: readonly DenyRule[]): void {
		const isKnown = rules.every((rule) => extents.has(keyOf(rule)));
		if (seen === now.version && isKnown) return;
		const next = new Map(rules.map((rule) => [keyOf(rule), extentOf(rule, now)]));
		if (![...next].every(([key, extent]) => isSame(extents.get(key), extent))) version++;
		extents = next;
		seen = now.version;
	}
}

function isSame(before: Extent | undefined, now: Extent): boolean {
	const lists = [before?.types, before?.properties].join() === [now.types, now.properties].join();
	return lists && before?.members.symmetricDifference(now.members).size === 0;
}

const NARROWER_CLASS = [`${RDFS}subClassOf`, `${OWL}equivalentClass`];
const NARROWER_PROPERTY = [`${RDFS}subPropertyOf`, `${OWL}equivalentProperty`];
const SAME_THING = [`${OWL}sameAs`];

function extentOf({ types, properties }: DenyRule, graph: Graph): Extent {
	const classes = types ? leadingTo((iri) => isNamed(iri, types), graph, NARROWER_CLASS) : [];
	const members = new Set(types ? membersOf(types, new Set(classes), graph) : []);
	return {
		types: classes,
		properties: properties ? leadingTo((iri) => isNamed(iri, properties), graph, NARROWER_PROPERTY) : [],
		members: new Set([...members, ...leadingTo((id) => members.has(id), graph, SAME_THING)]),
	};
}

function membersOf(types: readonly string[], narrower: ReadonlySet<string>, graph: Graph): string[] {
	return Array.from(graph.match({ predicate: RDF_TYPE })).flatMap(({ subject, object }) => {
		const isOne = isNamed(object.value, types) || (isSubject(object) && narrower.has(idOf(object)));
		return isOne && subject.termType === "NamedNode" ? [subject.value] : [];
	});
}

/** Returns ids that lead to a wanted id over any number of these predicates; for OWL's, also in reverse. */
function leadingTo(isWanted: (id: string) => boolean, graph: Graph, predicates: readonly string[]): string[] {
	const steps = predicates.flatMap((predicate) => stepsBy(predicate, graph));
	const before = Map.groupBy(steps, ({ to }) => to);
	const found = new Set(steps.filter(({ to }) => isWanted(to)).map(({ from }) => from));
	// The iteration of a set includes elements that are added during the iteration.
	for (const id of found) for (const { from } of before.get(id) ?? []) found.add(from);
	return [...found].sort();
}

function stepsBy(predicate: string, graph: Graph): { readonly from: string; readonly to: string }[] {
	return Array.from(graph.match({ predicate })).flatMap(({ subject, object }) => {
		if (!isSubject(object)) return [];
		const step = { from: idOf(subject), to: idOf(object) };
		return predicate.startsWith(OWL) ? [step, { from: step.to, to: step.from }] : [step];
	});
}

function keyOf({ types, properties }: DenyRule): string {
	return JSON.stringify([types, properties]);
}
