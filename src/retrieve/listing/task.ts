import { stemmer } from "stemmer";
import { type Measure, measureOf } from "../../base/quantities/measure.ts";
import { unitOf } from "../../base/quantities/units.ts";
import { readableName } from "../../base/rdf/vocabulary.ts";
import type { Citation, LineRange } from "../../core/knowledge/citation.ts";
import { type Graph, perVersion } from "../../graph/facts/graph.ts";
import { isNaming } from "../../graph/facts/labels.ts";
import type { NameIndex } from "../../graph/facts/nameIndex.ts";
import type { NumberQuad } from "../../graph/facts/quadTable.ts";
import { isAkin, isFunctionWord } from "../entities/questionWords.ts";
import type { Scale, ScaleWord } from "./scales.ts";
import type { Vocabulary } from "./vocabulary.ts";

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
	/** Whether it asks for anyone: "who wrote the most books". */
	readonly isAnyone?: boolean;
	/** Whether it may ask for things of any class: "who works in …". */
	readonly isOpen?: boolean;
	/** Whether only the data shows the direction of a relation, and links need a word in the question: true for other languages. */
	readonly isByData?: boolean;
	/** "The most expensive": only what has the first or the last value. */
	readonly order?: ScaleWord;
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

export interface Task extends Ports, Pick<Form, "words" | "isByData" | "isOpen"> {
	readonly noun: Noun;
	readonly restriction: Restriction;
}

interface MeasurePorts {
	readonly graph: Graph;
	readonly vocabulary: Vocabulary;
}

/** What fits better counts more: a name that the question says, a name of the scale, a dimension of the scale. */
const SAID = 4;
const NAMED = 2;
const FITTING = 1;

/** Letters of an abbreviation, and fewer than it is short for. */
const SHORTEST = 3;
const LONGEST_SHORT = 6;

/** Plain numbers that may be years. */
const EARLIEST = 1000;
const LATEST = 2100;

interface GaugeAsked {
	readonly words: readonly string[];
	readonly scale: Scale | undefined;
	/** That of a value to compare with. */
	readonly dimension?: string;
}

/** The one property of the things that the words, the scale or a unit ask for; `undefined` if none or several do. */
export function gaugeFor(
	nodes: Iterable<number>,
	{ words, scale, dimension = "" }: GaugeAsked,
	ports: MeasurePorts,
): Gauge | undefined {
	const asked = words.filter((word) => !isFunctionWord(word)).map(stemmer);
	const rated = gaugesOf(nodes, ports).map((gauge) => {
		// "Above 1000 metres": of what can only be that.
		const isSame = dimension !== "" && gauge.dimension === dimension;
		return { gauge, fit: fitOf(gauge, asked, scale, ports) || (isSame && !scale ? FITTING : 0) };
	});
	const most = Math.max(0, ...rated.map(({ fit }) => fit));
	const [best, ...others] = rated.filter(({ fit }) => fit === most);
	return most > 0 && others.length === 0 ? best?.gauge : undefined;
}

function fitOf(
	{ predicate, dimension, values }: Gauge,
	asked: readonly string[],
	scale: Scale | undefined,
	{ vocabulary }: MeasurePorts,
): number {
	const all = vocabulary.namesOf(predicate);
	const names = all.flat().map(stemmer);
	const said = Math.max(0, ...all.map((name) => saidOf(name, asked)));
	const isSaid = said > 0;
	if (!scale) return isSaid ? SAID + said : 0;
	const isNamed = scale.names.some((own) =>
		names.some((name) => isAkin(name, stemmer(own)) || isMadeOf(name, own)),
	);
	const isYear =
		isNamed &&
		dimension === "" &&
		scale.dimensions.includes("date") &&
		values.every(({ measure }) => isYearLike(measure));
	const isFit = isYear || scale.dimensions.includes(dimension);
	const isElse = !scale.isGeneral && dimension !== "" && !isFit;
	const isUntold = !isSaid && !isNamed && (dimension === "" || all.some(isRate));
	if (isElse || isUntold) return 0;
	return Number(isSaid) * (SAID + said) + Number(isNamed) * NAMED + Number(isFit) * FITTING;
}

/** Letters of the last word of a German compound. */
const SHORTEST_LAST = 6;

/** `Dienstgewicht` is a `Gewicht`. */
function isMadeOf(name: string, word: string): boolean {
	return word.length >= SHORTEST_LAST && name.endsWith(word);
}

/** "Hours a week" are no duration. */
function isRate(name: readonly string[]): boolean {
	return name.filter((word) => unitOf(word) !== undefined).length > 1;
}

/** The share of a name that is said, less than 1; its unit need not be. */
function saidOf(name: readonly string[], asked: readonly string[]): number {
	const own = name.filter((word) => unitOf(word) === undefined);
	const telling = (own.length > 0 ? own : name).map(stemmer);
	const said = telling.filter((word) => asked.some((other) => isAkin(word, other) || isShort(word, other)));
	return said.length / (telling.length + 1);
}

/** "Minimum order" of a column `min_order`. */
export function isShort(name: string, word: string): boolean {
	return (
		name.length >= SHORTEST &&
		name.length < LONGEST_SHORT &&
		word.length >= LONGEST_SHORT &&
		word.startsWith(name)
	);
}

export function isYearLike({ value }: Pick<Measure, "value">): boolean {
	return value >= EARLIEST && value <= LATEST;
}

/** The properties whose values are of one dimension. */
function gaugesOf(nodes: Iterable<number>, { graph }: MeasurePorts): Gauge[] {
	const byPredicate = new Map<number, Measured[]>();
	for (const node of nodes)
		for (const { predicate, object } of graph.walk({ subject: node })) {
			const measure = measureAt(graph, predicate, object) ?? amountOf(graph, object);
			if (!measure) continue;
			const all = byPredicate.get(predicate) ?? [];
			all.push({ node, object, measure });
			byPredicate.set(predicate, all);
		}
	return [...byPredicate].flatMap(([predicate, all]) => {
		const own = [...Map.groupBy(all, ({ node }) => node).values()];
		const values = own.flatMap((each) => (each.length === 1 ? each : []));
		const [dimension, ...others] = new Set(values.map(({ measure }) => measure.dimension));
		return dimension === undefined || others.length > 0 ? [] : [{ predicate, dimension, values }];
	});
}

/** What values measure, by property and value: each question about a kind of things looks at all of them. */
const knownMeasures = perVersion((_graph: Graph) => new Map<number, Map<number, Measure | undefined>>());

function measureAt(graph: Graph, predicate: number, object: number): Measure | undefined {
	const known = knownMeasures(graph);
	const ofPredicate = known.get(predicate) ?? new Map<number, Measure | undefined>();
	known.set(predicate, ofPredicate);
	if (ofPredicate.has(object)) return ofPredicate.get(object);
	const term = graph.termAt(object);
	const isValue = term.termType === "Literal";
	const measure = isValue ? measureOf(term.value, readableName(graph.termAt(predicate).value)) : undefined;
	ofPredicate.set(object, measure);
	return measure;
}

/** What the name of a price node measures, else its only number. */
function amountOf(graph: Graph, node: number): Measure | undefined {
	if (graph.termAt(node).termType === "Literal") return undefined;
	const found: Measure[] = [];
	for (const { predicate, object } of graph.walk({ subject: node })) {
		const measure = measureAt(graph, predicate, object);
		const isName = isNaming(graph.termAt(predicate).value);
		if (isName) return measure;
		if (measure) found.push(measure);
	}
	return found.length === 1 ? found[0] : undefined;
}
