import { conversionOf, isNear } from "../base/quantities/comparing.ts";
import type { Quantity } from "../base/quantities/quantities.ts";
import type { SourceText } from "./sourceText.ts";

export interface SaidNumber {
	readonly quantity: Quantity;
	readonly others: readonly Quantity[];
	readonly sentence: string;
}

/** Words that announce a sum, a difference or a comparison, in English and German. */
const ADDED = [
	"across|both|beide\\p{L}*|works out|together|total(?:s|ling|ed)?|sum|combined|overall|altogether|in all|difference|apart|rest|balance|surplus|profit|deficit|überschuss|fehlbetrag|gewinn|restlich\\p{L}*|remain\\w*|leav\\w+|left|sav(?:es?|ings?)|more|less|fewer|than",
	"(?:long|short|high|tall|wid|larg|bigg|small|cheap|old|young|few|earli|lat|heavi|light|fast|slow)e?r|(?:in|de)creased?|rose|rise|gr[eo]w\\w*|f[ae]ll",
	"drop(?:ped)?|declined?|gain(?:ed)?|lost|so|thus|therefore|hence|i\\.e|makes|equals?|equivalent|corresponds?|comes? to|amounts?|after|before",
	"not|nicht|ago|aged?|double\\w*|gap|exceed\\w*|only|zusammen|insgesamt|summe|gesamt\\p{L}*|differenz|mehr|weniger|als|übrig|bleib\\p{L}*|spart|st[ei]{2}g\\p{L}*|wuchs|wächst",
	"zunahme|anstieg|zuwachs|plus|minus|s[aiu]nk\\p{L}*|f[ie]{2}l\\p{L}*|rückgang|schrumpf\\p{L}*|verlor|also|somit|demnach|folglich|d\\. ?h|das sind|macht|erg[ei]b\\p{L}*",
	"entspricht|lag|lagen|nach|später|früher|vor|alter|alt|hälfte|verdoppel\\p{L}*|damit|abstand|unterschied|lang|länger|höher|teurer|günstiger|größer|kleiner|nur|sind es|zuzüglich|letzte\\p{L}*",
];
const MULTIPLIED =
	"works out|in all|total|implies|insgesamt|zusammen|demnach|each|apiece|per|average|half|twice|times|that is|a (?:day|month|year)|an hour|je|jeweils|pro|mal|doppelt\\p{L}*|durchschnitt\\p{L}*|im schnitt|so|put|macht|also";
const CALCULATED = wordsAs(`${ADDED.join("|")}|${MULTIPLIED}`);
const BY_COUNT = wordsAs(MULTIPLIED);
export const TOTAL = wordsAs("together|total|combined|overall|in all|zusammen|insgesamt|gesamt\\p{L}*");

function wordsAs(words: string): RegExp {
	return new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})|=`, "iu");
}

/** Maximum number of terms, because sums and differences of more terms give every small number. */
const MOST_TERMS = 14;
/** Maximum number of pairs of a year and a duration, because more pairs give every year. */
const MOST_DATED = 12;
/** Relative tolerance for a number that the sentence calls approximate. */
const ROUGHLY = 0.06;
const YEAR_SECONDS = 31_556_952;

/** Whether the number can be calculated from numbers in the lines or in the sentence. */
export function isDerived(said: SaidNumber, source: SourceText): boolean {
	const { quantity, others, sentence } = said;
	const { value, isExactly, isRounded } = comparing(quantity);
	const own = termsOf(quantity, others, true);
	const counts = others.flatMap((one) => (one.unit || isYear(one) ? [] : one.values));
	const isMixed = source.columns.length > 0;
	const wholes = [...source.groups, source.quantities].flatMap((one) => termsOf(quantity, one, isMixed));
	const isFound =
		measuresFrom(said, source).some(isRounded) ||
		[...own.flatMap(sumsOf), ...wholes.map(totalOf), ...yearsFrom(said, source)].some(isExactly) ||
		own.some((terms) => productsOf(terms, counts).some(isRounded));
	if (isFound || Number.isNaN(value) || !CALCULATED.test(sentence)) return isFound;
	const { added, multiplied } = calculatedFrom(said, source);
	return added.some(isExactly) || multiplied.some(isRounded);
}

function comparing({ values: [value = Number.NaN], step, isRough }: Quantity) {
	const isExactly = (derived: number) =>
		Math.abs(value - derived) <= (isRough ? ROUGHLY : 1e-9) * Math.max(derived, step);
	const isRounded = (derived: number) =>
		isExactly(derived) || isNear({ value, step, isRough: false, isConverted: false }, derived);
	return { value, isExactly, isRounded };
}

function measuresFrom(said: SaidNumber, source: SourceText): number[] {
	const { unit } = said.quantity;
	if (unit?.dimension === "share") return sharesIn(said, source);
	return unit?.dimension === "time" ? spansIn(source, unit.factor ?? 1) : [];
}

/** Percentages of fractions, and of ratios and changes between two numbers with the same unit. */
function sharesIn({ others }: SaidNumber, { groups, quantities }: SourceText): number[] {
	const pairs = [...groups, others].flatMap((group) => {
		const terms = group.filter((one) => !/share|time/.test(one.unit?.dimension ?? "") && !isYear(one));
		return terms.flatMap((one) =>
			terms
				.filter((other) => other !== one && other.unit?.dimension === one.unit?.dimension)
				.flatMap((other) => one.values.map((value, at) => (100 * value) / (other.values[at] ?? Number.NaN))),
		);
	});
	const numbers = quantities.map(({ values: [value = 0], unit }) => ({ value, unit }));
	return [
		...pairs,
		...pairs.map((share) => Math.abs(share - 100)),
		...numbers.map(({ value, unit }) => (unit?.dimension === "share" ? 100 - value : value * 100)),
	];
}

/** Times between two years or two times of day, and times since midnight, in a unit of `seconds` seconds. */
function spansIn({ years, dates }: SourceText, seconds: number): number[] {
	const clock = dates.flatMap(({ readings: [first] }) => first?.minutes ?? []);
	return [
		...differencesOf(yearsAmong([...years]))
			.flatMap((span) => [span - 0.5, span, span + 1])
			.map((span) => Math.round((2 * span * YEAR_SECONDS) / seconds) / 2),
		...clock.map((minutes) => (minutes * 60) / seconds),
		...differencesOf(clock.slice(0, MOST_TERMS / 2)).map((span) => (span * 60) / seconds),
	];
}

/** Years that result from adding a nearby duration to a year, or subtracting it. */
function yearsFrom({ others }: SaidNumber, { groups, years }: SourceText): number[] {
	const near = [...groups, others].map((group) => [group, group.flatMap(({ values }) => values)] as const);
	const all = [groups.flat(), [...years]] as const;
	return [...near, all].flatMap(([group, numbers]) => {
		const lasting = group.filter(({ unit }) => unit?.dimension === "time");
		const spans = new Set(lasting.map(yearsOf));
		const dated = yearsAmong([...new Set(numbers)]);
		if (dated.length * spans.size > MOST_DATED) return [];
		const long = [...spans].filter((span) => span >= 1);
		return dated.flatMap((year) => long.flatMap((span) => [year - span, year + span]));
	});
}

function yearsOf({ values: [value = 0], unit }: Quantity): number {
	return (value * (unit?.factor ?? 1)) / YEAR_SECONDS;
}

function yearsAmong(numbers: readonly number[]): number[] {
	return numbers.filter((year) => Number.isInteger(year) && year >= 1000 && year <= 2100);
}

function differencesOf(numbers: readonly number[]): number[] {
	return numbers.flatMap((one) => numbers.filter((other) => other > one).map((other) => other - one));
}

function totalOf(numbers: readonly number[]): number {
	return numbers.length < 2 ? Number.NaN : numbers.reduce((total, value) => total + value, 0);
}

function sumsOf(numbers: readonly number[]): number[] {
	if (numbers.length > MOST_TERMS) return [];
	const pairs = numbers.flatMap((one, at) => numbers.slice(at + 1).map((other) => one + other));
	return [totalOf(numbers), ...pairs, ...differencesOf(numbers)];
}

/** Results of calculations with adjacent numbers, or with a number in the sentence and one in the lines. */
function calculatedFrom({ quantity, others, sentence }: SaidNumber, source: SourceText) {
	const own = termsOf(quantity, others, true).flat();
	const near = source.groups.flatMap((group) => termsOf(quantity, group, source.columns.length > 0));
	const isShare = quantity.unit?.dimension === "share";
	const isSummed = !isShare || TOTAL.test(sentence);
	const added = near.flatMap((terms) => {
		const mixed = own.flatMap((one) => terms.flatMap((other) => [one + other, Math.abs(one - other)]));
		return isSummed ? [...sumsOf(terms), ...mixed] : differencesOf(terms);
	});
	const ages = differencesOf(yearsAmong([...source.years])).flatMap((age) => [age - 1, age]);
	const isCounted = BY_COUNT.test(sentence) || quantity.isRough;
	const factors = isCounted ? factorsIn([...source.quantities, ...others]) : [];
	const isMany = (terms: readonly number[]) => terms.length * factors.length > MOST_TERMS ** 2;
	const multiplied = [own, ...near].flatMap((terms) => (isMany(terms) ? [] : productsOf(terms, factors)));
	return { added: [...added, ...ages], multiplied };
}

/** Counts to multiply with, and 12 for the months of a year. */
function factorsIn(quantities: readonly Quantity[]): number[] {
	const counts = quantities.filter((one) => (!one.unit || one.unit.dimension === "time") && !isYear(one));
	return [...new Set([12, ...counts.map(({ values: [value = 0] }) => value)])];
}

function productsOf(some: readonly number[], others: readonly number[]): number[] {
	return some.flatMap((one) =>
		others.flatMap((other) => (one === other || other === 0 ? [] : [one * other, one / other, other / one])),
	);
}

/** Numbers in the unit of the quantity, except years: once with the first possible values, once with the last. */
function termsOf(quantity: Quantity, alike: readonly Quantity[], isMixed: boolean): number[][] {
	const told = alike.flatMap((one) => {
		const conversion = conversionOf(quantity.unit, one.unit);
		const isOther = isMixed ? !quantity.unit && one.unit : !quantity.unit !== !one.unit;
		return isOther || !conversion || isYear(one)
			? []
			: [one.values.map((value) => value * conversion.ratio + conversion.shift)];
	});
	const readings = [told.map(([value = 0]) => value), told.map((values) => values.at(-1) ?? 0)];
	return readings.map((terms) => [...new Set(terms)]);
}

function isYear({ written, unit }: Quantity): boolean {
	return !unit && /^[12]\d{3}$/.test(written);
}
