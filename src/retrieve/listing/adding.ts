import { MONEY, measureOf } from "../../base/quantities/measure.ts";
import { quantitiesIn } from "../../base/quantities/quantities.ts";
import { isNaming } from "../../base/rdf/naming.ts";
import { wordSet } from "../../base/words/wordList.ts";
import type { Graph } from "../../graph/facts/graph.ts";
import { labelIn } from "../../graph/facts/labels.ts";
import type { Gauge, Measured, Statement } from "./task.ts";
import type { Naming } from "./vocabulary.ts";
import type { Totaled } from "./words/totals.ts";

/** Dimensions of points in time, which have neither a sum nor a mean. */
const POINTS_IN_TIME = wordSet("date clock");
/** Dimensions of values with a mean but no sum, because each value is measured again. */
const NEVER_ADDED = wordSet("temperature speed angle pressure frequency rate share power");

/** Words in the names of properties whose values have no sum: rates, identifiers and running readings. */
const RATE =
	/^(?:per|each|unit|single|pro|je|einzel\p{L}*|age|year|rank|rating|level|version|number|no|nr|id|code|alter|jahr|nummer|odometer|mileage|reading|balance|saldo|\p{L}*stand)$/u;

/** Words in the names of columns that affect whether the sum of another column is meaningful. */
const QUANTITY = /^(?:qty|quantity|units|pieces|pcs|menge|anzahl|stuck|stueck)$/;
const TERMS = /^(?:per|interval|billing|period|cycle|unit|currency|intervall|turnus|einheit|wahrung)$/;
const STATE = /^(?:paid|settled|booked|status|state|bezahlt|gezahlt|gebucht)$/;
const WHOLE = /^(?:total|sum|gesamt\p{L}*|summe)$/u;
const SEASON = /^(?:year|month|quarter|jahr|monat|quartal)$/;
const PERIOD = /^(?:date|day|week|month|quarter|year|datum|tag|woche|monat|quartal|jahr)$/;

interface Added extends Totaled, Naming {
	readonly rows: ReadonlySet<number>;
}

/** Whether the property has one value per row, and the sum of these values (the mean, if `isMean`) is meaningful. */
export function canAdd({ predicate, dimension, values }: Gauge, added: Added): boolean {
	const { graph, isMean, rows } = added;
	const cells = [...rows].flatMap((subject) => [...graph.walk({ subject })]);
	const columns = Map.groupBy(cells, (cell) => cell.predicate);
	const isStated = columns.get(predicate)?.length === values.length;
	if (!isStated || isKey({ predicate, values }, cells, graph) || POINTS_IN_TIME.has(dimension)) return false;
	return isMean || hasSum({ predicate, dimension }, { ...added, cells, columns });
}

interface Cells extends Added {
	readonly cells: readonly Statement[];
	readonly columns: ReadonlyMap<number, readonly Statement[]>;
}

function hasSum({ predicate, dimension }: Pick<Gauge, "predicate" | "dimension">, added: Cells): boolean {
	const { graph, vocabulary, rows, cells, columns } = added;
	const names = vocabulary.namesOf(predicate).flat();
	const all = Array.from(columns, ([column, own]) => ({
		names: vocabulary.namesOf(column).map((name) => name.at(-1) ?? ""),
		values: new Set(own.map(({ object }) => object)).size + Number(own.length < rows.size),
	}));
	const has = (name: RegExp, fewest = 1) =>
		all.some((column) => column.values >= fewest && column.names.some((own) => name.test(own)));
	const isPriced = MONEY.includes(dimension) && !names.some((name) => WHOLE.test(name)) && has(QUANTITY);
	// Counts of a stock on several dates have no sum.
	const isDated = () => has(PERIOD) || cells.some(({ object }) => isDateAt(graph, object));
	const isRepeated = (added.isStock && isDated()) || (added.isHad && dimension === "" && has(SEASON));
	const isUnlike = has(TERMS, 2) || (added.isSpent && has(STATE, 2));
	const isNoSum = NEVER_ADDED.has(dimension) || names.some((name) => RATE.test(name));
	return !isPriced && !isRepeated && !isUnlike && !isNoSum;
}

/** Whether the values identify rows: all differ and are in the rows' labels, or are integers in the first column. */
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
	// Rejects values such as "1 h 10 min", which has two numbers, and "5 € per person", which is a rate.
	if (!isSame || others.length > 0 || !style || !unit.includes("#") || /\d|\/|\bp(?:er|ro|p)\b/.test(unit))
		return undefined;
	const sum = numbers.reduce((all, each) => all + each, 0);
	return unit.replace("#", style(isMean ? sum / values.length : sum, isMean));
}

function numberIn(text: string): number {
	const [quantity] = quantitiesIn(text.replace(/^[-−]\s?/, ""));
	return (/^[-−]/.test(text) ? -1 : 1) * (quantity?.values[0] ?? Number.NaN);
}

/** Returns a number formatter in the style of the numerals; `undefined` if `1.234` may have decimals or thousands. */
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
