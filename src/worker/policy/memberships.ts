import { RDF_TYPE } from "../../base/rdf/vocabulary.ts";
import type { DenyRule } from "../../core/knowledge/denyRule.ts";
import type { Graph } from "../../graph/facts/graph.ts";
import { isNamed } from "./splitStatements.ts";

interface CurrentGraph {
	current(signal: AbortSignal): Promise<Graph>;
}

/** Which resources belong to the classes of rules, whatever document says so. */
export interface Membership {
	/** Another one when somebody came or went. */
	readonly version: number;
	/** By the IRI; nameless nodes are not known here. */
	has(rule: DenyRule, iri: string): boolean;
}

/** The membership in the classes of these rules, read again when the graph has changed. */
export type Memberships = (rules: readonly DenyRule[]) => Promise<Membership>;

export function createMemberships(graph: CurrentGraph): Memberships {
	let members = new Map<string, Set<string>>();
	let seen: number | undefined;
	let version = 0;
	const signal = new AbortController().signal;
	return async (rules) => {
		if (rules.length > 0) bringInStep(await graph.current(signal), rules);
		const current = members;
		return { version, has: (rule, iri) => current.get(keyOf(rule))?.has(iri) ?? false };
	};

	function bringInStep(now: Graph, rules: readonly DenyRule[]): void {
		const isKnown = rules.every((rule) => members.has(keyOf(rule)));
		if (seen === now.version && isKnown) return;
		const next = new Map(rules.map((rule) => [keyOf(rule), membersOf(rule, now)]));
		const isSame = [...next].every(([key, ids]) => members.get(key)?.symmetricDifference(ids).size === 0);
		if (!isSame) version++;
		members = next;
		seen = now.version;
	}
}

function membersOf({ types = [] }: DenyRule, graph: Graph): Set<string> {
	const ids = new Set<string>();
	for (const { subject, object } of graph.match({ predicate: RDF_TYPE }))
		if (subject.termType === "NamedNode" && isNamed(object.value, types)) ids.add(subject.value);
	return ids;
}

function keyOf({ types = [] }: DenyRule): string {
	return JSON.stringify(types);
}
