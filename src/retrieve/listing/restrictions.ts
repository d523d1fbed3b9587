import { RDF_TYPE } from "../../base/vocabulary.ts";
import type { Graph } from "../../graph/facts/graph.ts";

/** A node beside another, and the property between them. */
interface Neighbour {
	readonly node: number;
	readonly predicate: number;
}

/** The members that a restriction leaves. */
export interface Restricted {
	readonly members: ReadonlySet<number>;
	/** The properties that link them, where the question names these. */
	readonly predicates: ReadonlySet<number>;
	/** Whether two statements link them, not one. */
	readonly isFar: boolean;
}

/** Statements of one node; one that has more is on the way to everything. */
const MOST_OF_NODE = 5000;

/**
 * The members that are linked with one of the nodes: by a property that the question names, if there is one, else by any,
 * else by two statements. `undefined` where there are none.
 */
export function linkedMembers(
	graph: Graph,
	{ members, nodes }: { readonly members: ReadonlySet<number>; readonly nodes: readonly number[] },
	isAsked: (predicate: number) => boolean,
): Restricted | undefined {
	const around = nodes.flatMap((node) => neighboursOf(graph, node));
	const near = around.filter(({ node }) => members.has(node));
	const asked = near.filter(({ predicate }) => isAsked(predicate));
	if (asked.length > 0) return { ...restrictedTo(asked), predicates: new Set(asked.map(predicateOf)) };
	if (near.length > 0) return restrictedTo(near);
	const between = new Set(around.map(({ node }) => node));
	const far = [...between]
		.flatMap((node) => neighboursOf(graph, node))
		.filter(({ node }) => members.has(node));
	return far.length > 0 ? { ...restrictedTo(far), isFar: true } : undefined;
}

function restrictedTo(neighbours: readonly Neighbour[]): Restricted {
	return { members: new Set(neighbours.map(({ node }) => node)), predicates: new Set(), isFar: false };
}

function predicateOf({ predicate }: Neighbour): number {
	return predicate;
}

function neighboursOf(graph: Graph, node: number): Neighbour[] {
	const type = graph.numberOf({ termType: "NamedNode", value: RDF_TYPE });
	const neighbours: Neighbour[] = [];
	for (const { predicate, object } of graph.walk({ subject: node }))
		if (predicate !== type) neighbours.push({ node: object, predicate });
	for (const { predicate, subject } of graph.walk({ object: node })) {
		if (neighbours.length >= MOST_OF_NODE) return [];
		neighbours.push({ node: subject, predicate });
	}
	return neighbours;
}
