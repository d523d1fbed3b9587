import { OWL, RDF_TYPE, RDFS } from "../../base/rdf/vocabulary.ts";
import type { DenyRule } from "../../core/knowledge/denyRule.ts";
import { idOf, isSubject } from "../../core/knowledge/rdf.ts";
import type { Graph } from "../../graph/facts/graph.ts";
import { isNamed } from "./splitStatements.ts";

interface CurrentGraph {
	current(signal: AbortSignal): Promise<Graph>;
}

/** What rules name, and what is the same or a part of it, whatever document says so. */
export interface Membership {
	/** Another one when the answers are others. */
	readonly version: number;
	/** Whether a resource belongs to the classes of a rule. By the IRI; nameless nodes are not known here. */
	has(rule: DenyRule, iri: string): boolean;
	/** The rule's classes with their subclasses. */
	types(rule: DenyRule): readonly string[] | undefined;
	/** The rule's properties with their subproperties. */
	properties(rule: DenyRule): readonly string[] | undefined;
}

/** What these rules name, read again when the graph has changed. */
export type Memberships = (rules: readonly DenyRule[]) => Promise<Membership>;

interface Extent {
	readonly types: readonly string[];
	readonly properties: readonly string[];
	readonly members: ReadonlySet<string>;
}

export function createMemberships(graph: CurrentGraph): Memberships {
	let extents = new Map<string, Extent>();
	let seen: number | undefined;
	let version = 0;
	const signal = new AbortController().signal;
	return async (rules) => {
		if (rules.length > 0) bringInStep(await graph.current(signal), rules);
		const current = extents;
		return {
			version,
			has: (rule, iri) => current.get(keyOf(rule))?.members.has(iri) ?? false,
			types: (rule) => rule.types && [...rule.types, ...(current.get(keyOf(rule))?.types ?? [])],
			properties: (rule) =>
				rule.properties && [...rule.properties, ...(current.get(keyOf(rule))?.properties ?? [])],
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
	const classes = types ? narrowerThan(types, graph, NARROWER_CLASS) : [];
	const members = types ? membersOf(types, new Set(classes), graph) : [];
	return {
		types: classes,
		properties: properties ? narrowerThan(properties, graph, NARROWER_PROPERTY) : [],
		members: new Set([...members, ...narrowerThan(members, graph, SAME_THING)]),
	};
}

function membersOf(types: readonly string[], narrower: ReadonlySet<string>, graph: Graph): string[] {
	return Array.from(graph.match({ predicate: RDF_TYPE })).flatMap(({ subject, object }) => {
		const isOne = isNamed(object.value, types) || (isSubject(object) && narrower.has(idOf(object)));
		return isOne && subject.termType === "NamedNode" ? [subject.value] : [];
	});
}

/**
 * The IRIs that statements with one of these predicates lead from, to one of the names, in any number of steps. The
 * symmetric predicates, all of OWL, count in both directions.
 */
function narrowerThan(names: readonly string[], graph: Graph, predicates: readonly string[]): string[] {
	const steps = predicates.flatMap((predicate) =>
		[...graph.match({ predicate })].flatMap(({ subject, object }) => {
			const ends = [idOf(subject), isSubject(object) ? idOf(object) : object.value] as const;
			return predicate.startsWith(OWL) ? [ends, ends.toReversed()] : [ends];
		}),
	);
	const found = new Set<string>();
	for (let isMore = steps.length > 0; isMore; ) {
		const before = found.size;
		for (const [from = "", to = ""] of steps) if (found.has(to) || isNamed(to, names)) found.add(from);
		isMore = found.size > before;
	}
	return [...found].sort();
}

function keyOf({ types, properties }: DenyRule): string {
	return JSON.stringify([types, properties]);
}
