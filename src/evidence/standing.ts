import { type Conversion, conversionOf, isExact, isNear } from "../base/quantities/comparing.ts";
import { standsAmong, type WrittenDate } from "../base/quantities/dates.ts";
import type { Quantity } from "../base/quantities/quantities.ts";
import type { Unit } from "../base/quantities/units.ts";
import { isDerived, type SaidNumber, TOTAL } from "./derived.ts";
import { type SourceText, squeeze, TELLING_LETTERS, wordsIn } from "./sourceText.ts";

/** Writers often count this far themselves, so such counts are judged only if the lines give another. */
const SMALL = 12;

/** Whether the lines contain a date or a time; 20:18 may be a score, which others write 20-18. */
export function standsDate(date: WrittenDate, source: SourceText): boolean {
	const { dates, years, text } = source;
	if (standsAmong(date, dates, years)) return true;
	const [first, second, ...more] = date.written.match(/\d+/g) ?? [];
	const isPair = second !== undefined && more.length === 0 && date.written.includes(":");
	return isPair && new RegExp(`(?<!\\d)${first}[-–:]${second}(?!\\d)`).test(text);
}

/** Whether the lines contain a number, or cannot decide it. */
export function standsNumber(said: SaidNumber, source: SourceText, isForeign: boolean): boolean {
	const { quantity } = said;
	if (source.quantities.some((told) => isTold(quantity, told, source, isForeign))) return true;
	if (isYearTold(quantity, source)) return true;
	if (isSmallCount(quantity)) {
		const counts = countsOf(quantity, source);
		return TOTAL.test(said.sentence) ? counts.size < 2 || isDerived(said, source) : counts.size !== 1;
	}
	return isDerived(said, source);
}

/** If only one of the two has a unit, the other's may be in the head of a table. */
export function isTold(quantity: Quantity, told: Quantity, source: SourceText, isForeign: boolean): boolean {
	if (quantity.unit && countsOtherThings(told, quantity.unit, source)) return false;
	if (told.unit && !quantity.unit && !isForeign && isOfUnknownUnit(quantity, source)) return false;
	const isCount = /^(?:time)?$/.test(quantity.unit?.dimension ?? "");
	const mayBeNext = isCount && told.isBound && !quantity.isBound;
	return conversionsOf(quantity, told, source).some((conversion) => {
		const isConverted = !isExact(conversion);
		const isLike = (value: number, other: number) =>
			isNear({ ...quantity, value, isConverted }, other * conversion.ratio + conversion.shift) ||
			(mayBeNext && Math.abs(value - other) === 1);
		return quantity.values.some((value) => told.values.some((other) => isLike(value, other)));
	});
}

/** "Within 10 minutes, the other within 30": what a number without a unit leaves out, another one says. */
function conversionsOf(quantity: Quantity, told: Quantity, { units }: SourceText): Conversion[] {
	const elided = told.unit || told.things.size > 0 ? [] : units;
	return [told.unit, ...elided].flatMap((unit) => conversionOf(quantity.unit, unit) ?? []);
}

/** `Two go up`, `3 Personen`: a number with a word but no unit behind it measures nothing, least of all time. */
function countsOtherThings(told: Quantity, { dimension }: Unit, { text, columns }: SourceText): boolean {
	if (told.unit || told.things.size === 0) return false;
	const behind = text.slice(told.offset + told.written.length);
	return (
		/^\p{L}/u.test(told.written) ||
		(dimension === "time" && columns.length === 0 && /^ ?\p{L}{3}/u.test(behind))
	);
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

/** How often the lines count the same things; several such counts cannot decide one, except their sum. */
function countsOf({ things }: Quantity, { quantities }: SourceText): ReadonlySet<number | undefined> {
	const counts = quantities.filter(
		(told) =>
			isSmallCount(told) && !/(?:st|nd|rd|th)$/i.test(told.written) && !things.isDisjointFrom(told.things),
	);
	return new Set(counts.map(({ values: [value] }) => value));
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
