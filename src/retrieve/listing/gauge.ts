import { memoize } from "../../base/jobs/lazily.ts";
import { englishStem } from "../../base/language/englishStem.ts";
import { type Measure, measureOf } from "../../base/quantities/measure.ts";
import { unitOf } from "../../base/quantities/units.ts";
import { isNaming } from "../../base/rdf/naming.ts";
import { readableName } from "../../base/rdf/vocabulary.ts";
import { pushTo } from "../../base/values.ts";
import { wordList } from "../../base/words/wordList.ts";
import { type Graph, perVersion } from "../../graph/facts/graph.ts";
import { isAkin, isFunctionWord } from "../entities/questionWords.ts";
import type { Gauge, Measured } from "./task.ts";
import type { Naming } from "./vocabulary.ts";
import { AGE, type Scale } from "./words/scales.ts";

/** Weights of a property whose name is in the question, whose name fits the scale, whose dimension fits. */
const SAID = 4;
const NAMED = 2;
const FITTING = 1;

/** Length of an abbreviation: at least `SHORTEST` letters, fewer than `LONGEST_SHORT`. */
const SHORTEST = 3;
const LONGEST_SHORT = 6;

const EARLIEST_YEAR = 1000;
const LATEST_YEAR = 2100;

const AGES = wordList(AGE).map(englishStem);

interface GaugeAsked {
	readonly words: readonly string[];
	readonly scale: Scale | undefined;
	readonly dimension?: string;
}

/** The property that fits the words, scale or dimension best; `undefined` if no property fits or several fit equally. */
export function gaugeFor(
	nodes: Iterable<number>,
	{ words, scale, dimension = "" }: GaugeAsked,
	ports: Naming,
): Gauge | undefined {
	const asked = words.filter((word) => !isFunctionWord(word)).map(englishStem);
	const rated = gaugesOf(nodes, ports).map((gauge) => {
		// In "above 1000 metres", the dimension alone identifies the property.
		const isSame = dimension !== "" && gauge.dimension === dimension;
		return { gauge, fit: fitOf(gauge, asked, scale, ports) || (isSame && !scale ? FITTING : 0) };
	});
	const most = Math.max(0, ...rated.map(({ fit }) => fit));
	const [best, ...others] = rated.filter(({ fit }) => fit === most);
	if (most === 0 || others.length > 0) return undefined;
	// "In stock below 90 EUR" is ambiguous: one property has the name, another has the unit.
	const isUnsure =
		best?.gauge.dimension === "" && rated.some(({ gauge }) => gauge.dimension === (dimension || undefined));
	if (isUnsure || !best) return undefined;
	const names = ports.vocabulary.namesOf(best.gauge.predicate);
	const isAge = scale?.isOfAge && names.some((name) => AGES.includes(englishStem(name.at(-1) ?? "")));
	return isAge ? { ...best.gauge, isAge } : best.gauge;
}

function fitOf(
	{ predicate, dimension, values }: Gauge,
	asked: readonly string[],
	scale: Scale | undefined,
	{ vocabulary }: Naming,
): number {
	const all = vocabulary.namesOf(predicate);
	const names = all.flat().map(englishStem);
	const said = Math.max(0, ...all.map((name) => saidOf(name, asked)));
	const isSaid = said > 0;
	if (!scale) return isSaid ? SAID + said : 0;
	const isNamed = scale.names.some((own) =>
		names.some((name) => isAkin(name, englishStem(own)) || isMadeOf(name, own)),
	);
	const isYear =
		isNamed &&
		dimension === "" &&
		scale.dimensions.includes("date") &&
		values.every(({ measure }) => isYearLike(measure));
	const isFit = isYear || scale.dimensions.includes(dimension);
	const isElse = !scale.isGeneral && dimension !== "" && !isFit;
	const isUntold = !isSaid && !isNamed && (dimension === "" || scale.isOfAge || all.some(isRate));
	if (isElse || isUntold) return 0;
	return Number(isSaid) * (SAID + said) + Number(isNamed) * NAMED + Number(isFit) * FITTING;
}

const SHORTEST_COMPOUND_END = 6;

/** Whether a compound ends with a word: `Dienstgewicht` is a `Gewicht`. */
function isMadeOf(name: string, word: string): boolean {
	return word.length >= SHORTEST_COMPOUND_END && name.endsWith(word);
}

/** Whether a name has several units and so names a rate: "hours a week" is not a duration. */
function isRate(name: readonly string[]): boolean {
	return name.filter((word) => unitOf(word) !== undefined).length > 1;
}

/** The share of a name's words that the question contains, always below 1, ignoring units at the end. */
function saidOf(name: readonly string[], asked: readonly string[]): number {
	// Omits units at the end only: "min" in "min qty" is not a unit.
	const own = name.slice(0, 1 + name.findLastIndex((word) => unitOf(word) === undefined));
	const telling = (own.length > 0 ? own : name).map(englishStem);
	const said = telling.filter((word) => asked.some((other) => isAkin(word, other) || isShort(word, other)));
	return said.length / (telling.length + 1);
}

/** Whether a word of a name abbreviates a word of the question: `min` in `min_order` abbreviates "minimum". */
export function isShort(name: string, word: string): boolean {
	return (
		name.length >= SHORTEST &&
		name.length < LONGEST_SHORT &&
		word.length >= LONGEST_SHORT &&
		word.startsWith(name)
	);
}

export function isYearLike({ value }: Pick<Measure, "value">): boolean {
	return value >= EARLIEST_YEAR && value <= LATEST_YEAR;
}

function gaugesOf(nodes: Iterable<number>, { graph }: Naming): Gauge[] {
	const byPredicate = new Map<number, Measured[]>();
	for (const node of nodes)
		for (const { predicate, object } of graph.walk({ subject: node })) {
			const measure = measuresIn(graph)(predicate)(object) ?? amountOf(graph, object);
			if (measure) pushTo(byPredicate, predicate, { node, object, measure });
		}
	return [...byPredicate].flatMap(([predicate, all]) => {
		const own = [...Map.groupBy(all, ({ node }) => node).values()];
		const values = own.flatMap((each) => (each.length === 1 ? each : []));
		const [dimension, ...others] = new Set(values.map(({ measure }) => measure.dimension));
		return dimension === undefined || others.length > 0 ? [] : [{ predicate, dimension, values }];
	});
}

/** Measures by property and value, cached because each question about a class reads all of its values. */
const measuresIn = perVersion((graph: Graph) =>
	memoize((predicate: number) => {
		const name = readableName(graph.termAt(predicate).value);
		const mark = markIn(graph, predicate);
		return memoize((object: number) => {
			const { termType, value } = graph.termAt(object);
			return termType === "Literal" ? measureOf(inFull(value, mark), name) : undefined;
		});
	}),
);

/** Numbers whose mark certainly separates decimals and not thousands: `1.5`, `0.125`, `1234.567`. */
const DECIMALS = /^(?:\d+([.,])(?:\d{1,2}|\d{4,})|(?:0|\d{4,})([.,])\d{3})$/;

/** The decimal mark in the values of a property, or "": beside `84.18`, the value `34.722` has decimals. */
function markIn(graph: Graph, predicate: number): string {
	const marks = new Set<string>();
	for (const { object } of graph.walk({ predicate })) {
		const [, first, second] = DECIMALS.exec(graph.termAt(object).value) ?? [];
		const mark = first ?? second;
		if (mark) marks.add(mark);
	}
	return marks.size === 1 ? [...marks].join("") : "";
}

/** Appends a 0 to decimals that could be mistaken for thousands: `34.722` becomes `34.7220`. */
function inFull(text: string, decimalMark: string): string {
	const [, whole, mark, decimals] = /^(\d{1,3})([.,])(\d{3})$/.exec(text) ?? [];
	return mark && decimalMark === mark ? `${whole}.${decimals}0` : text;
}

/** The measure of a node for an amount, such as a price: from the node's name or from its only measurable value. */
function amountOf(graph: Graph, node: number): Measure | undefined {
	if (graph.termAt(node).termType === "Literal") return undefined;
	const found: Measure[] = [];
	for (const { predicate, object } of graph.walk({ subject: node })) {
		const measure = measuresIn(graph)(predicate)(object);
		const isName = isNaming(graph.termAt(predicate).value);
		if (isName) return measure;
		if (measure) found.push(measure);
	}
	return found.length === 1 ? found[0] : undefined;
}
