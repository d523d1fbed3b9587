import { standsAmong, type WrittenDate } from "../base/quantities/dates.ts";
import type { Quantity } from "../base/quantities/quantities.ts";
import { type Conversion, conversionOf, isExact, isNear } from "./comparing.ts";
import { isDerived, type SaidNumber, shiftedTimes } from "./derived.ts";
import { type SourceText, squeeze, wordsIn } from "./sourceText.ts";

/** Writers often count this far themselves, so such counts are judged only if the lines give another. */
const SMALL = 12;
/** Shorter words occur inside others by chance. */
const TELLING_LETTERS = 5;

/** Whether the lines contain a date or a time; 20:18 may be a score, which others write 20-18. */
export function standsDate(date: WrittenDate, source: SourceText, isCalculated: boolean): boolean {
	const { dates, years, text } = source;
	if (standsAmong(date, dates, years)) return true;
	const minutes = date.readings.map((reading) => reading.minutes);
	if (isCalculated && shiftedTimes(source).some((time) => minutes.includes(time))) return true;
	const [first, second, ...more] = date.written.match(/\d+/g) ?? [];
	const isPair = second !== undefined && more.length === 0 && date.written.includes(":");
	return isPair && new RegExp(`(?<!\\d)${first}[-–:]${second}(?!\\d)`).test(text);
}

/** Whether the lines contain a number, or cannot decide it. */
export function standsNumber(said: SaidNumber, source: SourceText, isForeign: boolean): boolean {
	const { quantity } = said;
	if (source.quantities.some((told) => isTold(quantity, told, source, isForeign))) return true;
	if (isYearTold(quantity, source)) return true;
	if (isSmallCount(quantity)) return !isCountedOtherwise(quantity, source);
	return isDerived(said, source);
}

/** If only one of the two has a unit, the other's may be in the head of a table. */
function isTold(quantity: Quantity, told: Quantity, source: SourceText, isForeign: boolean): boolean {
	if (quantity.unit && countsOtherThings(told)) return false;
	if (told.unit && !quantity.unit && !isForeign && isOfUnknownUnit(quantity, source)) return false;
	return conversionsOf(quantity, told, source).some((conversion) =>
		quantity.values.some((value) =>
			told.values.some(
				(other) =>
					isNear(
						{ ...quantity, value, isConverted: !isExact(conversion) },
						other * conversion.ratio + conversion.shift,
					) ||
					(told.isBound &&
						/^(?:time)?$/.test(quantity.unit?.dimension ?? "") &&
						Math.abs(value - other) === 1),
			),
		),
	);
}

/** "Within 10 minutes, the other within 30": what a number without a unit leaves out, another one says. */
function conversionsOf(quantity: Quantity, told: Quantity, { quantities }: SourceText): Conversion[] {
	const elided = told.unit || told.things.size > 0 ? [] : quantities.filter(({ unit }) => unit);
	return [told, ...elided].flatMap(({ unit }) => conversionOf(quantity.unit, unit) ?? []);
}

/** `Two go up`: a word for a number with no unit behind it measures nothing. */
function countsOtherThings({ written, unit, things }: Quantity): boolean {
	return unit === undefined && things.size > 0 && /^\p{L}/u.test(written);
}

/** `41 spans`, if the lines speak of no spans. */
function isOfUnknownUnit({ things }: Quantity, { stems }: SourceText): boolean {
	return things.size > 0 && things.isDisjointFrom(stems);
}

/** Any of its years matches a decade or a century. */
function isYearTold({ years, values, written }: Quantity, { years: told }: SourceText): boolean {
	if (years === undefined) return /^[12]\d{3}$/.test(written) && values.some((year) => told.has(year));
	return [...told].some((year) => values.some((from) => year >= from && year < from + years));
}

function isSmallCount({ values, unit, years }: Quantity): boolean {
	const isSmall = values.every((value) => Number.isInteger(value) && value <= SMALL);
	return isSmall && unit === undefined && years === undefined;
}

/** Lines with several counts of the same things cannot decide it. */
function isCountedOtherwise({ things }: Quantity, { quantities }: SourceText): boolean {
	const counts = quantities.filter(
		(told) =>
			isSmallCount(told) && !/(?:st|nd|rd|th)$/i.test(told.written) && !things.isDisjointFrom(told.things),
	);
	return new Set(counts.map(({ values: [value] }) => value)).size === 1;
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
