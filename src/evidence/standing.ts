import { stemmer } from "stemmer";
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

/** Whether the lines contain a number, or cannot decide it. */
export function standsNumber(quantity: Quantity, source: SourceText): boolean {
	if (source.quantities.some((told) => isTold(quantity, told))) return true;
	if (isYearTold(quantity, source) || isDerived(quantity, source)) return true;
	return isSmallCount(quantity) && !isCountedOtherwise(quantity, source);
}

/** If only one of the two has a unit, the other's may be in the head of a table. */
function isTold(quantity: Quantity, told: Quantity): boolean {
	const ratio = ratioOf(quantity, told);
	if (ratio === undefined || (quantity.unit && countsOtherThings(told))) return false;
	return quantity.values.some((value) =>
		told.values.some((other) => isNear({ ...quantity, value, isConverted: ratio !== 1 }, other * ratio)),
	);
}

/** `Two go up`: a word for a number with no unit behind it measures nothing. */
function countsOtherThings({ written, unit, things }: Quantity): boolean {
	return unit === undefined && things.size > 0 && /^\p{L}/u.test(written);
}

/** Factor that converts the other number; `undefined` if the two measure different dimensions. */
function ratioOf({ unit }: Quantity, { unit: told }: Quantity): number | undefined {
	if (!unit || !told || unit === told) return 1;
	if (unit.dimension !== told.dimension) return undefined;
	return (told.factor ?? 1) / (unit.factor ?? 1);
}

interface Compared extends Quantity {
	readonly value: number;
	readonly isConverted: boolean;
}

function isNear({ value, step, isRough, isConverted }: Compared, told: number): boolean {
	const distance = Math.abs(value - told);
	if (distance < 1e-9) return true;
	if (isConverted) return distance <= CONVERSION * told;
	if (isRough) return distance <= ROUGHLY * told;
	// Rounded, if the lines are more exact than the sentence.
	const isFiner = Math.abs(told / step - Math.round(told / step)) > 1e-9;
	return isFiner && value >= 10 * step && distance <= step / 2;
}

/** Any of its years matches a decade or a century. */
function isYearTold({ years, values }: Quantity, { years: told }: SourceText): boolean {
	if (years === undefined) return false;
	return [...told].some((year) => values.some((from) => year >= from && year < from + years));
}

/** A percentage may be written as a fraction, and a number of years derived from two years. */
function isDerived({ unit, values }: Quantity, { quantities, years }: SourceText): boolean {
	if (unit?.dimension === "share")
		return quantities.some((told) =>
			told.values.some((part) => values.some((value) => same(part * 100, value))),
		);
	if (unit?.dimension !== "time") return false;
	const dated = [...years].filter((year) => Number.isInteger(year) && year >= 1000 && year <= 2100);
	return values.some((span) => dated.some((from) => dated.includes(from + span)));
}

function same(a: number, b: number): boolean {
	return Math.abs(a - b) < 1e-6;
}

function isSmallCount({ values, unit, years }: Quantity): boolean {
	const isSmall = values.every((value) => Number.isInteger(value) && value <= SMALL);
	return isSmall && unit === undefined && years === undefined;
}

function isCountedOtherwise({ things }: Quantity, { quantities }: SourceText): boolean {
	return quantities.some((told) => isSmallCount(told) && !things.isDisjointFrom(told.things));
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

/** Whether the lines contain a word of letters and digits: `L60`, `BN-2025-014`. */
export function standsCode(code: string, source: SourceText): boolean {
	const plain = squeeze(code);
	if (plain.length >= TELLING_LETTERS) return source.squeezed.includes(plain);
	return source.words.includes(plain) || wordsIn(code).every((part) => source.words.includes(part));
}
