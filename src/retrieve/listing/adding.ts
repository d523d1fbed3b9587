import { MONEY, measureOf } from "../../base/quantities/measure.ts";
import { quantitiesIn } from "../../base/quantities/quantities.ts";
import { isNaming } from "../../base/rdf/naming.ts";
import { wordList } from "../../base/words/wordList.ts";
import type { Graph } from "../../graph/facts/graph.ts";
import { labelIn } from "../../graph/facts/labels.ts";
import type { Gauge, Measured, Statement, Task } from "./task.ts";
import type { Totaled } from "./words/totals.ts";

/** Dimensions without a sum: points in time, and quantities that are measured again each time. */
const NO_NUMBER = new Set(wordList("date clock"));
const NEVER_ADDED = new Set(wordList("temperature speed angle pressure frequency rate share power"));

/** Words in a property's name whose values have no sum: rates, identifiers and running readings. */
const RATE =
	/^(?:per|each|unit|single|pro|je|einzel\p{L}*|age|year|rank|rating|level|version|number|no|nr|id|code|alter|jahr|nummer|odometer|mileage|reading|balance|saldo|\p{L}*stand)$/u;

/** Last words of columns' names: factors of a price, its period or currency, and whether it is paid. */
const QUANTITY = /^(?:qty|quantity|units|pieces|pcs|menge|anzahl|stuck|stueck)$/;
const TERMS = /^(?:per|interval|billing|period|cycle|unit|currency|intervall|turnus|einheit|wahrung)$/;
const STATE = /^(?:paid|settled|booked|status|state|bezahlt|gezahlt|gebucht)$/;
const WHOLE = /^(?:total|sum|gesamt\p{L}*|summe)$/u;
const SEASON = /^(?:year|month|quarter|jahr|monat|quartal)$/;
const PERIOD = /^(?:date|day|week|month|quarter|year|datum|tag|woche|monat|quartal|jahr)$/;

interface Added extends Totaled, Pick<Task, "graph" | "vocabulary"> {
	readonly rows: ReadonlySet<number>;
}

/** Whether the values of all rows can be added up: they are comparable, and their sum is meaningful. */
export function canAdd({ predicate, dimension, values }: Gauge, added: Added): boolean {
	const { graph, isMean, rows } = added;
	const cells = [...rows].flatMap((subject) => [...graph.walk({ subject })]);
	const columns = Map.groupBy(cells, (cell) => cell.predicate);
	const isStated = columns.get(predicate)?.length === values.length;
	if (!isStated || isKey({ predicate, values }, cells, graph) || NO_NUMBER.has(dimension)) return false;
	return isMean || hasSum({ predicate, dimension }, { ...added, cells, columns });
}

interface Cells extends Added {
	readonly cells: readonly Statement[];
	readonly columns: ReadonlyMap<number, readonly Statement[]>;
}

/** Whether a sum is meaningful, by the column's name and the columns beside it. */
function hasSum({ predicate, dimension }: Pick<Gauge, "predicate" | "dimension">, added: Cells): boolean {
	const { graph, vocabulary, rows, cells, columns } = added;
	const names = vocabulary.namesOf(predicate).flat();
	const all = Array.from(columns, ([column, own]) => ({
		names: vocabulary.namesOf(column).map((name) => name.at(-1) ?? ""),
		// An empty cell counts as a different value.
		values: new Set(own.map(({ object }) => object)).size + Number(own.length < rows.size),
	}));
	const has = (name: RegExp, fewest = 1) =>
		all.some((column) => column.values >= fewest && column.names.some((own) => name.test(own)));
	const isPriced = MONEY.includes(dimension) && !names.some((name) => WHOLE.test(name)) && has(QUANTITY);
	// Stocks that are counted every month have no sum.
	const isDated = () => has(PERIOD) || cells.some(({ object }) => isDateAt(graph, object));
	const isRepeated = (added.isStock && isDated()) || (added.isHad && dimension === "" && has(SEASON));
	const isUnlike = has(TERMS, 2) || (added.isSpent && has(STATE, 2));
	const isNoSum = NEVER_ADDED.has(dimension) || names.some((name) => RATE.test(name));
	return !isPriced && !isRepeated && !isUnlike && !isNoSum;
}

/** Whether numbers identify rows: all different, and in the row's name or, as integers, in the first column. */
function isKey(
	{ predicate, values }: Pick<Gauge, "predicate" | "values">,
	cells: readonly Statement[],
	graph: Graph,
): boolean {
	const labels = values.map(({ object }) => labelIn(graph, object));
	const isNamed = values.every(({ node }, index) => labelIn(graph, node).includes(labels[index] ?? ""));
	const isCell = (each: Statement) =>
		graph.termAt(each.object).termType === "Literal" && !isNaming(graph.termAt(each.predicate).value);
	const first = cells.find(isCell);
	const isFirst = first?.predicate === predicate && labels.every((label) => /^\d+$/.test(label));
	return new Set(labels).size === labels.length && (isNamed || isFirst);
}

const NUMERAL = /\d(?:[\d.,'’ ]*\d)?/u;

/** The sum or mean, written like the values with their unit; `undefined` if the values differ in format. */
export function addedUp(values: readonly Measured[], isMean: boolean, graph: Graph): string | undefined {
	const texts = values.map(({ object }) => labelIn(graph, object));
	const numbers = texts.map(numberIn);
	const factors = values.map(({ measure }, index) => measure.value / (numbers[index] ?? 0));
	const factor = factors.find((each) => Number.isFinite(each)) ?? 1;
	const isSame = values.every(({ measure }, index) =>
		isNear(measure.value, factor * (numbers[index] ?? Number.NaN)),
	);
	const [unit = "", ...others] = new Set(
		texts.map((text) => text.replace(NUMERAL, "#").replace(/^[-−]\s?/, "")),
	);
	const isMoney = values.every(({ measure }) => MONEY.includes(measure.dimension));
	const style = styleOf(
		texts.map((text) => NUMERAL.exec(text)?.[0] ?? ""),
		isMoney,
	);
	// "1 h 10 min" has two numbers, "5 € per person" is a rate.
	if (!isSame || others.length > 0 || !style || !unit.includes("#") || /\d|\/|\bp(?:er|ro|p)\b/.test(unit))
		return undefined;
	const sum = numbers.reduce((all, each) => all + each, 0);
	return unit.replace("#", style(isMean ? sum / values.length : sum, isMean));
}

function numberIn(text: string): number {
	const [quantity] = quantitiesIn(text.replace(/^[-−]\s?/, ""));
	return (/^[-−]/.test(text) ? -1 : 1) * (quantity?.values[0] ?? Number.NaN);
}

/** The number format; `undefined` if `1.234` may have either decimals or a group of thousands. */
function styleOf(numerals: readonly string[], isMoney: boolean) {
	const firstOf = (pattern: RegExp) => numerals.flatMap((each) => pattern.exec(each)?.slice(1) ?? [])[0];
	const decimal = firstOf(/([.,])\d{1,2}$/);
	const group = firstOf(/\d([.,'’ ])\d{3}(?!\d)/u);
	const isUnclear = group === "." || group === "," ? decimal === group || !(decimal || isMoney) : false;
	if (isUnclear) return undefined;
	const digits = Math.max(...numerals.map((each) => /[.,](\d{1,2})$/.exec(each)?.[1]?.length ?? 0));
	return (value: number, isMean: boolean): string => {
		const told = value.toLocaleString(decimal === "," || group === "." ? "de" : "en", {
			useGrouping: group !== undefined,
			minimumFractionDigits: digits,
			maximumFractionDigits: isMean ? Math.max(digits, 2) : digits,
		});
		return group === "'" || group === "’" || group === " " ? told.replaceAll(",", group) : told;
	};
}

function isNear(one: number, other: number): boolean {
	return Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one));
}

export function isDateAt(graph: Graph, node: number): boolean {
	return measureOf(graph.termAt(node).value)?.dimension === "date";
}
