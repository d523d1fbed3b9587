import { englishStem } from "../../base/language/englishStem.ts";
import { MONEY, measureOf } from "../../base/quantities/measure.ts";
import { quantitiesIn } from "../../base/quantities/quantities.ts";
import { KINDS } from "../../base/rdf/vocabulary.ts";
import { wordList } from "../../base/words/wordList.ts";
import { type Graph, perVersion } from "../../graph/facts/graph.ts";
import { labelIn, nameWords } from "../../graph/facts/labels.ts";
import { isAkin } from "../entities/questionWords.ts";
import { GRAMMAR } from "./germanQuestion.ts";
import { limitsIn } from "./limits.ts";
import type { Form, Gauge, Measured, Noun, Task } from "./task.ts";
import type { Vocabulary } from "./vocabulary.ts";
import { totaledIn } from "./words/totals.ts";

/** The form of a question that has something added up. */
export function totalFormOf(question: string): Form | undefined {
	const { limits, rest } = limitsIn(question);
	const found = totaledIn(nameWords(rest));
	if (!found) return undefined;
	const words = found.words.map((word) => GRAMMAR.get(word) ?? word);
	return { words, totaled: found.totaled, limits, isByData: true };
}

/** All rows of each table; those that the question names if it names one. */
export function tablesIn({ words }: Form, graph: Graph, vocabulary: Vocabulary): Noun[] {
	const tables = rowsOfTables(graph, vocabulary);
	const called = tables.filter(({ node = 0 }) =>
		nameWords(labelIn(graph, node)).some((own) =>
			words.some((word) => isAkin(englishStem(own), englishStem(word))),
		),
	);
	return called.length > 0 ? called : tables;
}

const rowsOfTables = perVersion((graph: Graph, vocabulary: Vocabulary): Noun[] => {
	const rows = vocabulary.types.flatMap((predicate) =>
		[...graph.walk({ predicate })].filter(({ object }) => graph.termAt(object).value.startsWith(KINDS)),
	);
	const byTable = Map.groupBy(rows, ({ object }) => object);
	return Array.from(byTable, ([table, own]) => {
		const all = new Set(own.map(({ subject }) => subject));
		return { span: [0, 0], node: table, classes: [table], table, all, has: (node) => all.has(node) };
	});
});

/** What no sum is of: times, rates, and what is measured anew each time. */
const NEVER_ADDED = new Set(
	wordList("date clock temperature speed angle pressure frequency rate share power"),
);

/** Words of a name that say the same of it, or that its numbers tell things apart. */
const RATE =
	/^(?:per|each|unit|single|pro|je|einzel\p{L}*|age|year|rank|rating|level|version|number|no|nr|id|code|alter|jahr|nummer)$/u;

/** What prices are multiplied by. */
const QUANTITY = /^(?:qty|quantity|units|pieces|pcs|menge|anzahl|stuck|stueck)$/;
const WHOLE = /^(?:total|sum|gesamt\p{L}*|summe)$/u;

/** A row that adds up those above it. */
const TOTAL_ROW = /^(?:grand |sub-?)?(?:total|sum|summe|gesamt\p{L}*|insgesamt|zwischensumme)(?!\p{L})/iu;

interface Added extends Pick<Task, "graph" | "vocabulary"> {
	readonly isMean: boolean;
	readonly isStock: boolean;
	readonly rows: ReadonlySet<number>;
}

/** Whether the values of all rows can be added up: no row says something else, and the sum means something. */
export function canAdd({ predicate, dimension, values }: Gauge, added: Added): boolean {
	const { graph, vocabulary, isMean, isStock, rows } = added;
	const names = vocabulary.namesOf(predicate).flat();
	const others = [...rows].flatMap((subject) => [...graph.walk({ subject })]);
	const columns = new Set(others.map((quad) => quad.predicate));
	const stated = others.filter((quad) => quad.predicate === predicate).length;
	if (stated !== values.length || dimension === "date" || dimension === "clock") return false;
	if ([...rows].some((row) => TOTAL_ROW.test(labelIn(graph, row)))) return false;
	if (isMean) return true;
	const isPriced = MONEY.includes(dimension) && !names.some((name) => WHOLE.test(name));
	const isCounted = [...columns].some((column) =>
		vocabulary
			.namesOf(column)
			.flat()
			.some((name) => QUANTITY.test(name)),
	);
	// What is counted every month is not added up.
	const isRepeated =
		isStock && others.some(({ object }) => measureOf(labelIn(graph, object))?.dimension === "date");
	return (
		!NEVER_ADDED.has(dimension) &&
		!names.some((name) => RATE.test(name)) &&
		!(isPriced && isCounted) &&
		!isRepeated
	);
}

const NUMERAL = /\d(?:[\d.,'’ ]*\d)?/u;

/** The sum or the mean of values as they are written, with their unit; `undefined` if they are written in several ways. */
export function addedUp(values: readonly Measured[], isMean: boolean, graph: Graph): string | undefined {
	const texts = values.map(({ object }) => labelIn(graph, object));
	const numbers = texts.map((text) => quantitiesIn(text)[0]?.values[0] ?? Number.NaN);
	const factors = values.map(({ measure }, index) => measure.value / (numbers[index] ?? 0));
	const factor = factors.find((each) => Number.isFinite(each)) ?? 1;
	const isSame = values.every(({ measure }, index) =>
		isNear(measure.value, factor * (numbers[index] ?? Number.NaN)),
	);
	const units = new Set(texts.map((text) => text.replace(NUMERAL, "#").replace(/^[-−]\s?/, "")));
	const [unit = "", ...others] = units;
	if (!isSame || others.length > 0 || !unit.includes("#")) return undefined;
	const sum = numbers.reduce((all, each) => all + each, 0);
	const isComma = texts.some((text) => /\d,\d{1,2}(?!\d)/.test(text));
	const digits = Math.max(...texts.map((text) => /[.,](\d{1,2})(?!\d)/.exec(text)?.[1]?.length ?? 0));
	const written = (isMean ? sum / values.length : sum).toLocaleString(isComma ? "de" : "en", {
		useGrouping: texts.some((text) => /\d[.,'’ ]\d{3}(?!\d)/u.test(text)),
		minimumFractionDigits: digits,
		maximumFractionDigits: isMean ? Math.max(digits, 2) : digits,
	});
	return unit.replace("#", written);
}

function isNear(one: number, other: number): boolean {
	return Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one));
}
