import type { Measure } from "../../base/quantities/measure.ts";
import type { Citation, LineRange } from "../../core/knowledge/citation.ts";
import type { Graph } from "../../graph/facts/graph.ts";
import type { NameIndex } from "../../graph/facts/nameIndex.ts";
import type { NumberQuad } from "../../graph/facts/quadTable.ts";
import type { Vocabulary } from "./vocabulary.ts";
import type { Scale, ScaleWord } from "./words/scales.ts";
import type { Totaled } from "./words/totals.ts";

/** Range of words; `end` is after the last one. */
export type Span = readonly [start: number, end: number];

/** A statement in the graph's numbers. */
export type Statement = Pick<NumberQuad, "subject" | "predicate" | "object">;

export interface Restricted {
	readonly members: ReadonlySet<number>;
	readonly predicates: ReadonlySet<number>;
	/** The supporting statements, by member. */
	readonly because: ReadonlyMap<number, readonly Statement[]>;
}

export function restrictedTo(ties: readonly (Statement & { readonly member: number })[]): Restricted {
	return {
		members: new Set(ties.map(({ member }) => member)),
		predicates: new Set(ties.map(({ predicate }) => predicate)),
		because: Map.groupBy(ties, ({ member }) => member),
	};
}

/** Members restricted by linked things of a class. */
export interface Linked extends Restricted {
	readonly name: string;
}

/** The things that a question counts or lists, according to its noun. */
export interface Noun {
	/** Position among the words. */
	readonly span: readonly [start: number, end: number];
	/** The class or property that the noun names; absent if only IRIs contain it. */
	readonly node?: number;
	/** The classes that the noun names; may be empty. */
	readonly classes: readonly number[];
	/** Whether only links by a property define the members. */
	readonly isLinked?: true;
	/** The table of the rows, if several tables have the noun; the question must then restrict one of them. */
	readonly table?: number;
	has(node: number): boolean;
	/** All members; absent if only linked members can be found. */
	readonly all?: ReadonlySet<number>;
}

/** A measurable object of a statement about `node`. */
export interface Measured {
	readonly node: number;
	readonly object: number;
	readonly measure: Measure;
}

/** A property by which things can be ordered. */
export interface Gauge {
	readonly predicate: number;
	readonly dimension: string;
	/** Values of the things that have exactly one. */
	readonly values: readonly Measured[];
	/** Whether the values are ages and the question says "old" or "young": the oldest has the highest value. */
	readonly isAge?: true;
}

export interface Limit {
	readonly isAbove: boolean;
	/** Whether the limit includes the value itself. */
	readonly isInclusive: boolean;
	readonly measure: Measure;
	/** The value with its unit, as in the question. */
	readonly written: string;
	/** Words that may name the property. */
	readonly words: readonly string[];
	/** The scale of a comparative, as in "heavier than". */
	readonly scale?: Scale;
}

/** A question to the graph, analyzed by its grammar. */
export interface Form {
	/** Words of the noun and its restrictions, without the opening of the question, as from `nameWords`. */
	readonly words: readonly string[];
	/** Whether the first words must name a class in the plural: "which" alone may ask for one thing. */
	readonly needsPlural?: boolean;
	/** Whether it asks for the number of things only. */
	readonly isCount?: boolean;
	/** Whether it asks for one thing by what it is linked with: "which department is Ida a member of". */
	readonly isOne?: boolean;
	/** Whether it is a bare name and not a question, as "boats in Wexmouth"; it never means all things of a class. */
	readonly isBare?: boolean;
	/** Whether it asks for anyone: "who wrote the most books". */
	readonly isAnyone?: boolean;
	/** Whether it may ask for things of any class: "who works in …". */
	readonly isOpen?: boolean;
	/** Whether it asks for people of a table: "who is in …". */
	readonly isWho?: boolean;
	/** Whether the direction of a relation follows from the data only, as in other languages than English. */
	readonly isByData?: boolean;
	/** "The most expensive": only the things with the first or last value. */
	readonly order?: ScaleWord;
	/** "How much did we spend": the sum of the rows' values. */
	readonly totaled?: Totaled;
	readonly limits: readonly Limit[];
}

export interface Take {
	readonly span: Span;
	readonly found: Restricted;
	readonly told: string;
}

export interface Left {
	readonly members: ReadonlySet<number>;
	/** Descriptions of the restrictions. */
	readonly told: readonly string[];
	/** By member: the statements that say so. */
	readonly because: ReadonlyMap<number, readonly Statement[]>;
	/** Number of linked things per member, if the question asks for it. */
	readonly numbers?: { readonly name: string; readonly by: ReadonlyMap<number, number> };
	/** Values to add up. */
	readonly added?: Pick<Gauge, "predicate" | "values">;
}

/** Collects restrictions on the members of a noun until all words are understood. */
export interface Restriction {
	/** Marks the words with one of these stems as understood, except at the excluded indexes. */
	heed(stems: readonly string[], isExcluded?: (index: number) => boolean): void;
	take(span: Span, name: string, found: Restricted): void;
	/** Whether there is no restriction yet. */
	isNew(): boolean;
	/** Whether none of these words is explained yet, and some need it. */
	isStrange(span: Span): boolean;
	/** The unexplained words. */
	strange(): string[];
	/** The remaining members, ignoring unexplained words. */
	members(): ReadonlySet<number> | undefined;
	/** `undefined` if a word is unexplained or no member is left. */
	result(): Left | undefined;
}

export interface ListingPorts {
	readonly graph: Graph;
	/** Names of the graph's nodes, in step with it. */
	readonly names: NameIndex;
	readonly cite: (uri: string, lines: LineRange) => Citation;
}

export interface Ports extends ListingPorts {
	readonly vocabulary: Vocabulary;
	/** Whether these things restrict others; they are then not restricted by further ones. */
	readonly isOther?: boolean;
	/** The words of an English question that begin with a capital letter. */
	readonly proper?: ReadonlySet<string>;
}

export interface Task
	extends Ports,
		Pick<Form, "words" | "limits" | "order" | "totaled" | "isByData" | "isOpen"> {
	readonly noun: Noun;
	readonly restriction: Restriction;
}

/** Caches results per question and key, as they are the same for each noun that the words may have. */
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
