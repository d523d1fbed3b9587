import { RDF_TYPE } from "../../base/vocabulary.ts";
import type { Graph } from "../../graph/facts/graph.ts";
import { nameWords } from "../../graph/facts/nameWords.ts";

/** A statement between what a question names and a member. */
interface Tie {
	readonly member: number;
	readonly predicate: number;
	/** Whether the member is its subject. */
	readonly isFromMember: boolean;
}

/** The members that a restriction leaves. */
export interface Restricted {
	readonly members: ReadonlySet<number>;
	readonly predicates: ReadonlySet<number>;
}

/** How a question speaks of a property. */
export interface Asking {
	/** Whether it has a word of the property's name. */
	isAsked(predicate: number): boolean;
	/** Whether the members are what the property points from, where both ways are possible. */
	isFromMember(predicate: number): boolean;
}

/** Statements of one node; one that has more is on the way to everything. */
const MOST_OF_NODE = 5000;

/** Characters of a value; one that has more is a text. */
const LONGEST_VALUE = 100;

/**
 * The members that are linked with one of the nodes: by the properties that the question names, if there are any, else by
 * the only one there is. `undefined` where there are none, or where it is not sure how they are to be linked.
 */
export function linkedMembers(
	graph: Graph,
	{ members, nodes }: { readonly members: ReadonlySet<number>; readonly nodes: readonly number[] },
	asking: Asking,
): Restricted | undefined {
	const ties = nodes.flatMap((node) => tiesOf(graph, node)).filter(({ member }) => members.has(member));
	return settle(graph, members, ties, asking);
}

/** The members that have a value with these words, one after the other. */
export function valuedMembers(
	graph: Graph,
	{ members, words }: { readonly members: ReadonlySet<number>; readonly words: readonly string[] },
	asking: Asking,
): Restricted | undefined {
	const wanted = ` ${words.join(" ")} `;
	const ties = [...members].flatMap((member) =>
		Array.from(graph.walk({ subject: member }))
			.filter(({ object }) => hasWords(graph, object, wanted))
			.map(({ predicate }): Tie => ({ member, predicate, isFromMember: true })),
	);
	return settle(graph, members, ties, asking);
}

function hasWords(graph: Graph, object: number, wanted: string): boolean {
	const term = graph.termAt(object);
	if (term.termType !== "Literal" || term.value.length > LONGEST_VALUE) return false;
	return ` ${nameWords(term.value).join(" ")} `.includes(wanted);
}

function settle(
	graph: Graph,
	all: ReadonlySet<number>,
	ties: readonly Tie[],
	{ isAsked, isFromMember }: Asking,
): Restricted | undefined {
	const asked = ties.filter(({ predicate }) => isAsked(predicate));
	const found = asked.length > 0 ? asked : ties;
	const predicates = new Set(found.map(({ predicate }) => predicate));
	if (asked.length === 0 && predicates.size !== 1) return undefined;
	const ways = new Map([...predicates].map((one) => [one, wayOf(graph, all, one) ?? isFromMember(one)]));
	const right = found.filter((tie) => ways.get(tie.predicate) === tie.isFromMember);
	if (right.length === 0) return undefined;
	return {
		members: new Set(right.map(({ member }) => member)),
		predicates: new Set(right.map(({ predicate }) => predicate)),
	};
}

/** Whether members are what a property points from, or to; `undefined` where they are both. */
function wayOf(graph: Graph, members: ReadonlySet<number>, predicate: number): boolean | undefined {
	let [from, to] = [false, false];
	for (const { subject, object } of graph.walk({ predicate })) {
		from ||= members.has(subject);
		to ||= members.has(object);
		if (from && to) return undefined;
	}
	return from;
}

function tiesOf(graph: Graph, node: number): Tie[] {
	const type = graph.numberOf({ termType: "NamedNode", value: RDF_TYPE });
	const ties: Tie[] = [];
	for (const { predicate, object } of graph.walk({ subject: node }))
		if (predicate !== type) ties.push({ member: object, predicate, isFromMember: false });
	for (const { predicate, subject } of graph.walk({ object: node })) {
		if (ties.length >= MOST_OF_NODE) return [];
		ties.push({ member: subject, predicate, isFromMember: true });
	}
	return ties;
}
