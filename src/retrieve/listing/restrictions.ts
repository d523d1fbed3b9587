import { RDF_TYPE, RDFS } from "../../base/rdf/vocabulary.ts";
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
	readonly ways: readonly Pick<Tie, "predicate" | "isFromMember">[];
}

/** How a question speaks of a property. */
export interface Asking {
	/** Whether it has a word of the property's name. */
	isAsked(predicate: number): boolean;
	/** Whether the members are what the property points from, where both ways are possible. */
	isFromMember(predicate: number): boolean;
	/** Whether it says so: "X depends on", where the property is called by that verb. */
	isWaySaid(predicate: number): boolean;
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
	const all = nodes.flatMap((node) => tiesOf(graph, node));
	const found = settle(
		graph,
		members,
		all.filter(({ member }) => members.has(member)),
		asking,
	);
	if (!found) return undefined;
	const isStated = (tie: Tie) =>
		found.ways.some(
			({ predicate, isFromMember }) => tie.predicate === predicate && tie.isFromMember === isFromMember,
		);
	const others = all.filter((tie) => !members.has(tie.member) && isStated(tie)).map(({ member }) => member);
	return areMeantToo(graph, others, found.members) ? undefined : found;
}

/**
 * Whether others, of which the same is stated, are of a class that the members have besides the one that is asked for:
 * then the question may mean them, too, and only call them otherwise. A wider class says nothing.
 */
function areMeantToo(graph: Graph, others: readonly number[], members: ReadonlySet<number>): boolean {
	const theirs = new Set(others.flatMap((other) => objectsOf(graph, other, RDF_TYPE)));
	return [...members].some((member) => {
		const own = objectsOf(graph, member, RDF_TYPE);
		const wider = new Set(own.flatMap((one) => objectsOf(graph, one, `${RDFS}subClassOf`)));
		return own.some((one) => theirs.has(one) && !wider.has(one));
	});
}

function objectsOf(graph: Graph, subject: number, property: string): number[] {
	const predicate = graph.numberOf({ termType: "NamedNode", value: property });
	return predicate === 0 ? [] : Array.from(graph.walk({ subject, predicate }), ({ object }) => object);
}

/** The members that have these words for a value or, where none has, in one. */
export function valuedMembers(
	graph: Graph,
	{ members, words }: { readonly members: ReadonlySet<number>; readonly words: readonly string[] },
	asking: Asking,
): Restricted | undefined {
	const wanted = ` ${words.join(" ")} `;
	const found = [...members].flatMap((member) =>
		Array.from(graph.walk({ subject: member })).flatMap(({ predicate, object }) => {
			const value = wordsOf(graph, object);
			const tie: Tie = { member, predicate, isFromMember: true };
			return value.includes(wanted) ? [{ tie, isWhole: value === wanted }] : [];
		}),
	);
	const whole = found.filter(({ isWhole }) => isWhole);
	const ties = (whole.length > 0 ? whole : found).map(({ tie }) => tie);
	return settle(graph, members, ties, asking);
}

function wordsOf(graph: Graph, object: number): string {
	const term = graph.termAt(object);
	if (term.termType !== "Literal" || term.value.length > LONGEST_VALUE) return "";
	return ` ${nameWords(term.value).join(" ")} `;
}

function settle(
	graph: Graph,
	all: ReadonlySet<number>,
	ties: readonly Tie[],
	asking: Asking,
): Restricted | undefined {
	const asked = ties.filter(({ predicate }) => asking.isAsked(predicate));
	const found = asked.length > 0 ? asked : ties;
	const predicates = new Set(found.map(({ predicate }) => predicate));
	if (asked.length === 0 && predicates.size !== 1) return undefined;
	const ways = new Map(
		[...predicates].map((one) => [one, wayOf(graph, all, one) ?? asking.isFromMember(one)]),
	);
	const isRight = ({ predicate }: Tie) =>
		!asking.isWaySaid(predicate) || ways.get(predicate) === asking.isFromMember(predicate);
	const right = found.filter((tie) => ways.get(tie.predicate) === tie.isFromMember && isRight(tie));
	if (right.length === 0) return undefined;
	const used = new Set(right.map(({ predicate }) => predicate));
	return {
		members: new Set(right.map(({ member }) => member)),
		predicates: used,
		ways: Array.from(used, (predicate) => ({ predicate, isFromMember: ways.get(predicate) ?? true })),
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
