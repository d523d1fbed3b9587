import type { Measure } from "../../base/quantities/measure.ts";
import type { Citation, LineRange } from "../../core/knowledge/citation.ts";
import type { Graph } from "../../graph/facts/graph.ts";
import type { NameIndex } from "../../graph/facts/nameIndex.ts";
import type { NumberQuad } from "../../graph/facts/quadTable.ts";
import type { Naming } from "./vocabulary.ts";
import type { Scale, ScaleWord } from "./words/scales.ts";
import type { Totaled } from "./words/totals.ts";

/** Range of words; `end` is after the last one. */
export type Span = readonly [start: number, end: number];

/** A statement whose terms are numbers of nodes in the graph. */
export type Statement = Pick<NumberQuad, "subject" | "predicate" | "object">;

export interface Restricted {
	readonly members: ReadonlySet<number>;
	readonly predicates: ReadonlySet<number>;
	/** The supporting statements, by member. */
	readonly because: ReadonlyMap<number, readonly Statement[]>;
}

/** Restricts to the subjects of statements, unless `member` is the object. */
export function restrictedTo(ties: readonly (Statement & { readonly member?: number })[]): Restricted {
	const because = Map.groupBy(ties, ({ subject, member = subject }) => member);
	return {
		members: new Set(because.keys()),
		predicates: new Set(ties.map(({ predicate }) => predicate)),
		because,
	};
}

export interface Linked extends Restricted {
	readonly name: string;
}

/** The things that a question counts or lists, according to its noun. */
export interface Noun {
	readonly span: readonly [start: number, end: number];
	/** The class or property that the noun names; absent if the noun is only in IRIs. */
	readonly node?: number;
	readonly classes: readonly number[];
	/** Whether a member is defined only by a link, so that the list of members may be incomplete. */
	readonly isLinked?: true;
	/** The table, if several tables have the noun; the question must then restrict one of them. */
	readonly table?: number;
	has(node: number): boolean;
	/** All members; absent if only linked members can be found. */
	readonly all?: ReadonlySet<number>;
}

export interface Measured {
	readonly node: number;
	readonly object: number;
	readonly measure: Measure;
}

/** A property by which things can be ordered. */
export interface Gauge {
	readonly predicate: number;
	readonly dimension: string;
	/** Values of things with exactly one value. */
	readonly values: readonly Measured[];
	/** Whether the question asks for "old" or "young" and the values are ages: the oldest then has the highest value. */
	readonly isAge?: true;
}

export interface Limit {
	readonly isAbove: boolean;
	readonly isInclusive: boolean;
	readonly measure: Measure;
	readonly written: string;
	readonly words: readonly string[];
	readonly scale?: Scale;
}

/** The grammatical analysis of a question. */
export interface Form {
	/** Words of the noun and the restrictions, from `nameWords`, without the opening of the question. */
	readonly words: readonly string[];
	/** Whether the noun must be a plural: a singular after "which" asks for one thing. */
	readonly needsPlural?: boolean;
	readonly isCount?: boolean;
	/** Whether the text is a noun phrase such as "boats in Wexmouth", which must restrict the class. */
	readonly isBare?: boolean;
	/** Whether the question names no class: "who wrote the most books". */
	readonly isAnyone?: boolean;
	/** Whether the question names no class, so that only links define the members: "who works in …". */
	readonly isOpen?: boolean;
	/** Whether the members are the people in a table: "who is in …". */
	readonly isWho?: boolean;
	/** Whether only the data decides the direction of relations, since grammar is analyzed for English only. */
	readonly isByData?: boolean;
	/** Restricts to the first or last values: "the most expensive". */
	readonly order?: ScaleWord;
	/** Adds up the rows' values: "how much did we spend". */
	readonly totaled?: Totaled;
	readonly limits: readonly Limit[];
}

export interface Left {
	readonly members: ReadonlySet<number>;
	readonly told: readonly string[];
	/** The supporting statements, by member. */
	readonly because: ReadonlyMap<number, readonly Statement[]>;
	/** Number of linked things per member; absent if the question does not ask for it. */
	readonly numbers?: { readonly name: string; readonly by: ReadonlyMap<number, number> };
	readonly added?: Pick<Gauge, "predicate" | "values">;
}

export interface ListingPorts {
	readonly graph: Graph;
	readonly names: NameIndex;
	readonly cite: (uri: string, lines: LineRange) => Citation;
}

export interface Ports extends ListingPorts, Naming {
	/** Whether the listed things only restrict other things, so that no further class may restrict them. */
	readonly isOther?: boolean;
	/** The words of an English question that begin with a capital letter. */
	readonly proper?: ReadonlySet<string>;
}

/** Caches results per question (by the identity of `words`) and key, because several nouns need the same results. */
export function perQuestion<Asked extends Pick<Form, "words">, Value>(
	read: (asked: Asked) => Value,
	keyOf: (asked: Asked) => number,
): (asked: Asked) => Value {
	const known = new WeakMap<Form["words"], Map<number, { readonly value: Value }>>();
	return (asked) => {
		const own = known.get(asked.words) ?? new Map<number, { readonly value: Value }>();
		known.set(asked.words, own);
		const key = keyOf(asked);
		const found = own.get(key) ?? { value: read(asked) };
		own.set(key, found);
		return found.value;
	};
}
