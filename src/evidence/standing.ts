import { stemmer } from "stemmer";
import { standsAmong, type WrittenDate } from "../base/quantities/dates.ts";
import type { Quantity } from "../base/quantities/quantities.ts";
import type { WrittenName } from "./names.ts";
import { fold, type SourceText, squeeze, wordsIn } from "./sourceText.ts";

/** Writers often count this far themselves, so such counts are judged only if the lines give another. */
const SMALL = 12;
/** How far a conversion may be from the exact one, and what "about" allows. */
const CONVERSION = 0.05;
const ROUGHLY = 0.15;
/** Shorter words occur inside others by chance. */
const TELLING_LETTERS = 5;

/** Whether the lines contain a date or a time; 20:18 may be a score, which others write 20-18. */
export function standsDate(date: WrittenDate, { dates, years, text }: SourceText): boolean {
	if (standsAmong(date, dates, years)) return true;
	const [first, second, ...more] = date.written.match(/\d+/g) ?? [];
	const isPair = second !== undefined && more.length === 0 && date.written.includes(":");
	return isPair && new RegExp(`(?<!\\d)${first}[-–:]${second}(?!\\d)`).test(text);
}

/** Whether the lines contain a number, or cannot decide it. */
export function standsNumber(quantity: Quantity, source: SourceText): boolean {
	if (source.quantities.some((told) => isTold(quantity, told, source))) return true;
	if (isYearTold(quantity, source) || isDerived(quantity, source)) return true;
	return isSmallCount(quantity) && !isCountedOtherwise(quantity, source);
}

/** If only one of the two has a unit, the other's may be in the head of a table. */
function isTold(quantity: Quantity, told: Quantity, source: SourceText): boolean {
	if (quantity.unit && countsOtherThings(told)) return false;
	if (told.unit && !quantity.unit && isOfUnknownUnit(quantity, source)) return false;
	return ratiosOf(quantity, told, source).some((ratio) =>
		quantity.values.some((value) =>
			told.values.some(
				(other) =>
					isNear({ ...quantity, value, isConverted: !isExact(ratio) }, other * ratio) ||
					(told.isBound && !quantity.unit && Math.abs(value - other) === 1),
			),
		),
	);
}

/** "Within 10 minutes, the other within 30": what a number without a unit leaves out, another one says. */
function ratiosOf(quantity: Quantity, told: Quantity, { quantities }: SourceText): number[] {
	const elided = told.unit || told.things.size > 0 ? [] : quantities.filter(({ unit }) => unit);
	const ratios = [told, ...elided].map((other) => ratioOf(quantity, other));
	return [...new Set(ratios.filter((ratio) => ratio !== undefined))];
}

/** `Two go up`: a word for a number with no unit behind it measures nothing. */
function countsOtherThings({ written, unit, things }: Quantity): boolean {
	return unit === undefined && things.size > 0 && /^\p{L}/u.test(written);
}

/** `41 spans`, if the lines speak of no spans. */
function isOfUnknownUnit({ things }: Quantity, { stems }: SourceText): boolean {
	return things.size > 0 && things.isDisjointFrom(stems);
}

const CENTS_OF = new Set(["euros", "dollars"]);

/** Factor that converts the other number; `undefined` if the two measure different dimensions. */
function ratioOf({ unit }: Quantity, { unit: told }: Quantity): number | undefined {
	if (!unit || !told || unit === told) return 1;
	const isMoney =
		(unit.dimension === "cents" && CENTS_OF.has(told.dimension)) ||
		(told.dimension === "cents" && CENTS_OF.has(unit.dimension));
	if (unit.dimension !== told.dimension && !isMoney) return undefined;
	return (told.factor ?? 1) / (unit.factor ?? 1);
}

/** Whether one unit is so many of the other: metres and kilometres, unlike metres and feet. */
function isExact(ratio: number): boolean {
	return [ratio, 1 / ratio].some((one) => Math.abs(one - Math.round(one)) < 1e-9 * one);
}

interface Compared extends Quantity {
	readonly value: number;
	readonly isConverted: boolean;
}

function isNear({ value, step, isRough, isConverted }: Compared, told: number): boolean {
	const distance = Math.abs(value - told);
	if (distance < 1e-9 * Math.max(1, told)) return true;
	if (isConverted) return distance <= (isRough ? ROUGHLY : CONVERSION) * told;
	// "Under 4431" is as exact as 4413 is.
	if (isRough && digitsOf(value) < digitsOf(told)) return distance <= ROUGHLY * told;
	// Rounded, if the lines are more exact than the sentence.
	const isFiner = Math.abs(told / step - Math.round(told / step)) > 1e-9;
	return isFiner && value >= 10 * step && distance <= step / 2;
}

/** Number of significant digits. */
function digitsOf(value: number): number {
	return value
		.toPrecision(12)
		.replace(/e.*/, "")
		.replace(".", "")
		.replace(/^0+|0+$/g, "").length;
}

/** Any of its years matches a decade or a century. */
function isYearTold({ years, values }: Quantity, { years: told }: SourceText): boolean {
	if (years === undefined) return false;
	return [...told].some((year) => values.some((from) => year >= from && year < from + years));
}

function isSmallCount({ values, unit, years }: Quantity): boolean {
	const isSmall = values.every((value) => Number.isInteger(value) && value <= SMALL);
	return isSmall && unit === undefined && years === undefined;
}

function isCountedOtherwise({ things }: Quantity, { quantities }: SourceText): boolean {
	return quantities.some((told) => isSmallCount(told) && !things.isDisjointFrom(told.things));
}

/** More numbers of one kind have sums and differences for every small number. */
const MOST_TERMS = 6;
/** How many times as many numbers there must be as pairs for that not to be chance. */
const RARE = 4;
const MOST_SUMMANDS = 40;

/** Whether a number comes of others in the lines: their sum, their difference, their share or the time between them. */
function isDerived(quantity: Quantity, source: SourceText): boolean {
	const { unit } = quantity;
	const exact = { ...quantity, isRough: false, isConverted: false };
	const is = (derived: number) => quantity.values.some((value) => isNear({ ...exact, value }, derived));
	if (unit?.dimension === "share" && sharesIn(source).some(is)) return true;
	if (unit?.dimension === "time" && spansIn(source, unit.factor ?? 1).some(is)) return true;
	return !isSmallCount(quantity) && combinationsOf(quantity, source).some(is);
}

/** Percentages of fractions, and of two numbers of one unit: of each other, and of the change. */
function sharesIn({ quantities }: SourceText): number[] {
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
	];
}

/** Time between two years, or two times of day, in the unit of `seconds`. */
function spansIn({ years, dates }: SourceText, seconds: number): number[] {
	const dated = [...years].filter((year) => Number.isInteger(year) && year >= 1000 && year <= 2100);
	const clock = dates.flatMap(({ readings: [first] }) => first?.minutes ?? []);
	return [
		...differencesOf(dated).map((span) => Math.round((span * YEAR_SECONDS) / seconds)),
		...differencesOf(clock.slice(0, MOST_TERMS)).map((span) => (span * 60) / seconds),
	];
}

const YEAR_SECONDS = 31_556_952;

function differencesOf(numbers: readonly number[]): number[] {
	return numbers.flatMap((one) => numbers.filter((other) => other > one).map((other) => other - one));
}

/** Sums and differences of the numbers in the lines that have the same unit, or count the same things. */
function combinationsOf(quantity: Quantity, { quantities, columns }: SourceText): number[] {
	const {
		unit,
		things,
		step,
		values: [wanted = 0],
	} = quantity;
	const alike = quantities.filter((told) => isAlike(quantity, told));
	const same = unit ? alike : alike.filter((told) => !things.isDisjointFrom(told.things));
	const inColumns = columns.map((column) => column.filter((told) => isAlike(quantity, told)));
	const sums = [same, ...inColumns].map((summed) =>
		valuesIn(quantity, summed.slice(0, MOST_SUMMANDS)).reduce((total, value) => total + value, 0),
	);
	const isByChance = alike.length > MOST_TERMS && RARE * alike.length ** 2 > wanted / step;
	if (same.length === 0 || isByChance) return sums;
	const values = valuesIn(quantity, alike.slice(0, MOST_SUMMANDS));
	const pairs = values.flatMap((one, at) => values.slice(at + 1).map((other) => one + other));
	return [...sums, ...pairs, ...differencesOf(values)];
}

function isAlike(quantity: Quantity, told: Quantity): boolean {
	return (quantity.unit === undefined) === (told.unit === undefined) && ratioOf(quantity, told) !== undefined;
}

function valuesIn(quantity: Quantity, alike: readonly Quantity[]): number[] {
	return alike.map((told) => (told.values[0] ?? 0) * (ratioOf(quantity, told) ?? 1));
}

/** Short forms that do not begin like the long one, or are written without a full stop. */
const SHORT_FORMS: ReadonlyMap<string, string> = new Map([
	["st", "saint"],
	["mt", "mount"],
	["ltd", "limited"],
	["dept", "department"],
	["mgmt", "management"],
	["intl", "international"],
	["govt", "government"],
]);

/** The words of a name that the lines and their title do not have. */
export function missingWords({ words }: WrittenName, sentence: string, source: SourceText): string[] {
	const missing = words.filter((word) => !standsWord(word, source) && !isInitialsOf(word, sentence, source));
	if (missing.length < 2) return missing;
	const initials = missing.map((word) => fold(word)[0]).join("");
	return source.words.includes(initials) ? [] : missing;
}

function standsWord(word: string, source: SourceText): boolean {
	const plain = squeeze(word);
	if (plain.length === 1) return source.words.some((other) => other.startsWith(plain));
	if (plain.length >= TELLING_LETTERS && source.squeezed.includes(plain)) return true;
	const long = SHORT_FORMS.get(plain);
	if (long !== undefined && source.words.includes(long)) return true;
	return wordsIn(word).every((part) => source.stems.has(stemmer(part)) || isShortened(part, word, source));
}

/** `Prof.` matches any word that begins with it, and a long form matches its known short form. */
function isShortened(part: string, word: string, { words }: SourceText): boolean {
	if (word.endsWith(".") && part.length >= 3) return words.some((other) => other.startsWith(part));
	return words.some((other) => SHORT_FORMS.get(other) === part);
}

/** Whether capital letters are initials of words in the lines, or in the sentence, whose words are judged themselves. */
function isInitialsOf(word: string, sentence: string, source: SourceText): boolean {
	if (!/^\p{Lu}{2,7}s?$/u.test(word)) return false;
	const letters = fold(word.replace(/s$/, ""));
	const said = wordsIn(sentence)
		.map((each) => each[0])
		.join("");
	return [source.initials, said].some((initials) => letters.length >= 3 && initials.includes(letters));
}

/** Whether the lines contain a quotation, ignoring its marks, breaks and omissions. */
export function standsQuotation(quoted: string, source: SourceText): boolean {
	const pieces = quoted.split(/…|\.{3}|\[[^\]]*\]/).map(squeeze);
	return pieces.every((piece) => source.squeezed.includes(piece));
}

/** Chemical formulas name a substance, which the lines may name in a word. */
const FORMULA = /^(?:(?:Na|Cl|Ca|Mg|Fe|Si|[CHNOSPFK])\d?){2,}$/;

/** Whether the lines contain a word of letters and digits: `L60`, `BN-2025-014`. */
export function standsCode(code: string, source: SourceText): boolean {
	const parts = code.split("-").filter((part) => !FORMULA.test(part));
	if (parts.every((part) => !/\p{N}/u.test(part))) return true;
	const plain = squeeze(code);
	if (plain.length >= TELLING_LETTERS) return source.squeezed.includes(plain);
	return source.words.includes(plain) || wordsIn(code).every((part) => source.words.includes(part));
}
