import type { Measure } from "../../base/quantities/measure.ts";
import type { Citation, LineRange } from "../../core/knowledge/citation.ts";
import type { Graph } from "../../graph/facts/graph.ts";
import type { NameIndex } from "../../graph/facts/nameIndex.ts";
import type { NumberQuad } from "../../graph/facts/quadTable.ts";
import type { Vocabulary } from "./vocabulary.ts";
import type { Scale, ScaleWord } from "./words/scales.ts";
import type { Totaled } from "./words/totals.ts";

/** Words from the first up to the one before the last number. */
export type Span = readonly [start: number, end: number];

/** By the graph's numbers. */
export type Statement = Pick<NumberQuad, "subject" | "predicate" | "object">;

export interface Restricted {
	readonly members: ReadonlySet<number>;
	readonly predicates: ReadonlySet<number>;
	/** By member: the statements that say so. */
	readonly because: ReadonlyMap<number, readonly Statement[]>;
}

export function restrictedTo(ties: readonly (Statement & { readonly member: number })[]): Restricted {
	return {
		members: new Set(ties.map(({ member }) => member)),
		predicates: new Set(ties.map(({ predicate }) => predicate)),
		because: Map.groupBy(ties, ({ member }) => member),
	};
}

/** By the things of a kind that members are linked with. */
export interface Linked extends Restricted {
	readonly name: string;
}

/** What a question counts or lists, according to its noun. */
export interface Noun {
	/** Its position among the words. */
	readonly span: readonly [start: number, end: number];
	/** The class or the property that it names; absent if only IRIs have the word. */
	readonly node?: number;
	/** The classes that it names; may be empty. */
	readonly classes: readonly number[];
	/** Whether only a property of the graph says what belongs to it. */
	readonly isLinked?: true;
	/** The table whose rows it names, if it names those of several: only what is said of one restricts. */
	readonly table?: number;
	has(node: number): boolean;
	/** All of its members; absent if only linked members can be found. */
	readonly all?: ReadonlySet<number>;
}

/** A value that can be put in order: the object of a statement. */
export interface Measured {
	readonly node: number;
	readonly object: number;
	readonly measure: Measure;
}

/** A property by which things can be ordered. */
export interface Gauge {
	readonly predicate: number;
	readonly dimension: string;
	/** One for each thing that has exactly one. */
	readonly values: readonly Measured[];
	/** Ages, if what is old or young is asked for: what has the highest one has the earliest date. */
	readonly isAge?: true;
}

export interface Limit {
	readonly isAbove: boolean;
	/** Whether the value itself is meant too. */
	readonly isInclusive: boolean;
	readonly measure: Measure;
	/** The value with its unit, as the question has it. */
	readonly written: string;
	/** The words that may say which property. */
	readonly words: readonly string[];
	/** The scale of "heavier than". */
	readonly scale?: Scale;
}

/** What a question asks of the graph, according to its grammar. */
export interface Form {
	/** Words for the restrictions and what is listed, without the form of the question, as from `nameWords`. */
	readonly words: readonly string[];
	/** Whether the first words must name a class in the plural: "which" alone may ask for one thing. */
	readonly needsPlural?: boolean;
	/** Whether it asks for their number alone. */
	readonly isCount?: boolean;
	/** Whether it asks for one thing by what it is linked with: "which department is Ida a member of". */
	readonly isOne?: boolean;
	/** Whether it is no question but the name of what is wanted, which all things of a kind are not: "boats in Wexmouth". */
	readonly isBare?: boolean;
	/** Whether it asks for anyone: "who wrote the most books". */
	readonly isAnyone?: boolean;
	/** Whether it may ask for things of any class: "who works in …". */
	readonly isOpen?: boolean;
	/** Whether it asks for people of a table: "who is in …". */
	readonly isWho?: boolean;
	/** Whether only the data shows the direction of a relation, and links need a word in the question: true for other languages. */
	readonly isByData?: boolean;
	/** "The most expensive": only what has the first or the last value. */
	readonly order?: ScaleWord;
	/** "How much did we spend": the sum of what the rows say. */
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
	/** In words: how they are restricted. */
	readonly told: readonly string[];
	/** By member: the statements that say so. */
	readonly because: ReadonlyMap<number, readonly Statement[]>;
	/** How many things of a kind each member is linked with, if that is asked for. */
	readonly numbers?: { readonly name: string; readonly by: ReadonlyMap<number, number> };
	/** What is added up. */
	readonly added?: Pick<Gauge, "predicate" | "values">;
}

/** What restricts the members of a noun, gathered until all words are understood. */
export interface Restriction {
	/** Marks the words with one of these stems as understood, except at the excluded indexes. */
	heed(stems: readonly string[], isExcluded?: (index: number) => boolean): void;
	take(span: Span, name: string, found: Restricted): void;
	/** Whether nothing restricts the members yet. */
	isNew(): boolean;
	/** Whether nothing has explained any of these words. */
	isStrange(span: Span): boolean;
	/** The words that nothing has explained. */
	strange(): string[];
	/** The remaining members, ignoring other words. */
	members(): ReadonlySet<number> | undefined;
	/** `undefined` if a word is unexplained or nothing is left. */
	result(): Left | undefined;
}

export interface ListingPorts {
	readonly graph: Graph;
	/** In step with the graph. */
	readonly names: NameIndex;
	readonly cite: (uri: string, lines: LineRange) => Citation;
}

export interface Ports extends ListingPorts {
	readonly vocabulary: Vocabulary;
	/** Whether it is what something else is restricted by: then it is the last step. */
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

/** Remembers what a question says by a key, which is the same for each noun that the words may have. */
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
