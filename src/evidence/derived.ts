import type { Quantity } from "../base/quantities/quantities.ts";
import { conversionOf, isNear } from "./comparing.ts";
import type { SourceText } from "./sourceText.ts";

/** A number, and what its sentence says besides. */
export interface SaidNumber {
	readonly quantity: Quantity;
	readonly others: readonly Quantity[];
	/** Whether its sentence has words of somebody who calculates: `together`, `zwei Stunden länger`. */
	readonly isCalculated: boolean;
}

const CALCULATED = new RegExp(
	`(?<!\\p{L})(?:${[
		"together|total(?:s|ling|ed)?|sum|combined|overall|altogether|in all|each|apiece|per|average|difference|apart|remain\\w*|left|saves?",
		"more|less|fewer|(?:long|short|high|tall|wid|larg|bigg|small|cheap|old|young|few|earli|lat|heavi|light|fast|slow)e?r|than",
		"(?:in|de)creased?|rose|rise|grew|grow|growth|fell|fall|drop(?:ped)?|declined?|gain(?:ed)?|lost|so|thus|therefore|hence|i\\.e|makes|equals|equivalent",
		"corresponds?|comes? to|amounts?|lasts?|lasted|after|before|ago|aged?|half|twice|double|a day|an hour|the age|doubled|times|gap|between|only",
		"zusammen|insgesamt|summe|gesamt\\p{L}*|je|jeweils|pro|differenz|mehr|weniger|\\p{L}{3,}er als|übrig|bleib\\p{L}*|spart|stieg|steigt|wuchs|wächst|zunahme|anstieg",
		"zuwachs|sank|sinkt|fiel|rückgang|verlor|also|somit|demnach|folglich|d\\. ?h|das sind|macht|ergibt|ergeben|entspricht|dauert\\p{L}*|nach|später|früher|vor|alter|jahre alt",
		"hälfte|doppelt\\p{L}*|verdoppelt\\p{L}*|durchschnitt\\p{L}*|damit|abstand|zwischen|unterschied|lang|länger|höher|teurer|günstiger|billiger|größer|kleiner|nur|mal|lag|liegen|inklusive|zuzüglich",
	].join("|")})(?!\\p{L})|=`,
	"iu",
);

export function isCalculated(sentence: string): boolean {
	return CALCULATED.test(sentence);
}

/** More numbers of one kind have sums and differences for every small number. */
const MOST_TERMS = 6;
const MOST_CALCULATED = 14;
/** How many times as many numbers there must be as pairs for that not to be chance. */
const RARE = 4;
const MOST_SUMMANDS = 40;
/** How far a calculated number may be off if it is said to be rough. */
const ROUGHLY = 0.06;

/** Whether a number comes of others in the lines or in its sentence. */
export function isDerived(said: SaidNumber, source: SourceText): boolean {
	const { unit, values, step, isRough } = said.quantity;
	const is = (derived: number) =>
		values.some(
			(value) =>
				isNear({ value, step, isRough: false, isConverted: false }, derived) ||
				(isRough && Math.abs(value - derived) <= ROUGHLY * derived),
		);
	if (unit?.dimension === "share" && sharesIn([...source.quantities, ...said.others]).some(is)) return true;
	if (unit?.dimension === "time" && spansIn(source, unit.factor ?? 1).some(is)) return true;
	if (operationsOn(valuesIn(said.quantity, said.others), said.isCalculated).some(is)) return true;
	return (
		combinationsOf(said, source).some(is) || (said.isCalculated && calculatedFrom(said, source).some(is))
	);
}

/** Percentages of fractions, and of two numbers of one unit: of each other, and of the change. */
function sharesIn(quantities: readonly Quantity[]): number[] {
	const numbers = quantities.flatMap(({ values: [value = 0], unit }) => ({ value, unit }));
	const pairs = numbers.slice(0, MOST_SUMMANDS).flatMap((one) =>
		numbers
			.slice(0, MOST_SUMMANDS)
			.filter((other) => other !== one && other.unit === one.unit && other.value > 0)
			.map((other) => (one.value / other.value) * 100),
	);
	return [
		...numbers.map(({ value }) => value * 100),
		...pairs,
		...pairs.map((share) => Math.abs(share - 100)),
		...numbers.filter(({ unit }) => unit?.dimension === "share").map(({ value }) => 100 - value),
	];
}

/** Times of day in the lines, earlier or later by a time in the lines. */
export function shiftedTimes({ dates, quantities }: SourceText): number[] {
	const lasting = quantities.filter(({ unit }) => unit?.dimension === "time");
	const minutes = lasting.map(({ values: [value = 0], unit }) => (value * (unit?.factor ?? 1)) / 60);
	const shifts = [...new Set(minutes)].filter((shift) => shift < 1440 / 4);
	const clock = new Set(dates.flatMap(({ readings: [first] }) => first?.minutes ?? []));
	return [...clock].flatMap((time) => shifts.flatMap((shift) => [time - shift, time + shift]));
}

/** Time between two years, or two times of day, in the unit of `seconds`. */
function spansIn({ years, dates }: SourceText, seconds: number): number[] {
	const clock = dates.flatMap(({ readings: [first] }) => first?.minutes ?? []);
	const inRow = clock.slice(1).map((minutes, at) => Math.abs(minutes - (clock[at] ?? 0)));
	return [
		...differencesOf(yearsAmong([...years])).map((span) => Math.round((span * YEAR_SECONDS) / seconds)),
		...[...differencesOf(clock.slice(0, MOST_TERMS)), ...inRow].map((span) => (span * 60) / seconds),
	];
}

const YEAR_SECONDS = 31_556_952;

function yearsAmong(numbers: readonly number[]): number[] {
	return numbers.filter((year) => Number.isInteger(year) && year >= 1000 && year <= 2100);
}

function differencesOf(numbers: readonly number[]): number[] {
	return numbers.flatMap((one) => numbers.filter((other) => other > one).map((other) => other - one));
}

function sumsOf(numbers: readonly number[]): number[] {
	return numbers.flatMap((one, at) => numbers.slice(at + 1).map((other) => one + other));
}

function totalOf(numbers: readonly number[]): number {
	return numbers.reduce((total, value) => total + value, 0);
}

/** What a few numbers give together. */
function operationsOn(numbers: readonly number[], isMultiplied: boolean): number[] {
	if (numbers.length < 2 || numbers.length > MOST_TERMS) return numbers.length < 2 ? [] : [totalOf(numbers)];
	const added = [totalOf(numbers), ...sumsOf(numbers), ...differencesOf(numbers)];
	return isMultiplied ? [...added, ...productsOf(numbers, numbers)] : added;
}

function productsOf(some: readonly number[], others: readonly number[]): number[] {
	return some.flatMap((one) =>
		others.flatMap((other) => (one === other || other === 0 ? [] : [one * other, one / other])),
	);
}

/** Sums and differences of the numbers in the lines that have the same unit, or count the same things. */
function combinationsOf({ quantity, isCalculated }: SaidNumber, source: SourceText): number[] {
	const { unit, things, step, values: wanted } = quantity;
	const alike = source.quantities.filter((told) => isAlike(quantity, told));
	const same = unit || isCalculated ? alike : alike.filter((told) => !things.isDisjointFrom(told.things));
	const inColumns = source.columns.map((column) => column.filter((told) => isAlike(quantity, told)));
	const sums = [same, ...inColumns].map((summed) =>
		totalOf(valuesIn(quantity, summed.slice(0, MOST_SUMMANDS))),
	);
	const most = isCalculated ? MOST_CALCULATED : MOST_TERMS;
	const isByChance = alike.length > most && RARE * alike.length ** 2 > (wanted[0] ?? 0) / step;
	if (same.length === 0 || isByChance) return sums;
	const terms = valuesIn(quantity, alike.slice(0, MOST_SUMMANDS));
	return [...sums, ...sumsOf(terms), ...differencesOf(terms)];
}

/** What somebody calculates of a number in the sentence and one in the lines, or of a price and a count, or of a year and a time. */
function calculatedFrom({ quantity, others }: SaidNumber, source: SourceText): number[] {
	const alike = source.quantities.filter((told) => isAlike(quantity, told));
	const counts = source.quantities.filter(({ unit }) => unit === undefined).flatMap(({ values }) => values);
	const terms = valuesIn(quantity, alike.slice(0, MOST_SUMMANDS));
	const own = valuesIn(quantity, others);
	const mixed = own.flatMap((one) => terms.flatMap((other) => [one + other, Math.abs(one - other)]));
	const lasting = [...source.quantities, ...others].filter(({ unit }) => unit?.dimension === "time");
	const lasted = lasting.map(({ values: [value = 0], unit }) => (value * (unit?.factor ?? 1)) / YEAR_SECONDS);
	const dated = yearsAmong([...source.years]).flatMap((year) =>
		lasted.flatMap((span) => [year - span, year + span]),
	);
	const isMany = terms.length * counts.length > MOST_CALCULATED ** 2;
	const products = isMany ? productsOf(terms, own) : productsOf(terms, [...counts, ...own]);
	return [...mixed, ...products, ...dated, ...differencesOf(yearsAmong([...source.years]))];
}

function isAlike(quantity: Quantity, told: Quantity): boolean {
	return (
		(quantity.unit === undefined) === (told.unit === undefined) &&
		conversionOf(quantity.unit, told.unit) !== undefined
	);
}

function valuesIn(quantity: Quantity, alike: readonly Quantity[]): number[] {
	return alike.map(({ values: [value = 0], unit }) => {
		const { ratio, shift } = conversionOf(quantity.unit, unit) ?? { ratio: 1, shift: 0 };
		return value * ratio + shift;
	});
}
