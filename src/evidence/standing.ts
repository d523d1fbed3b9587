import { englishStem } from "../base/language/englishStem.ts";
import { type Conversion, conversionOf, isExact, isNear } from "../base/quantities/comparing.ts";
import { standsAmong, type WrittenDate } from "../base/quantities/dates.ts";
import type { Quantity } from "../base/quantities/quantities.ts";
import type { Unit } from "../base/quantities/units.ts";
import { GIVEN_NAMES } from "../base/words/givenNames.ts";
import { wordMap } from "../base/words/wordList.ts";
import { isDerived, type SaidNumber, TOTAL } from "./derived.ts";
import type { WrittenName } from "./names.ts";
import { fold, type SourceText, squeeze, stemOf, tells, wordsIn } from "./sourceText.ts";

/** Counts up to this number, which writers often count themselves, are judged only by other counts in the lines. */
const SMALL = 12;
/** Minimum number of characters of a code that is searched inside of words. Shorter codes occur there by chance. */
const TELLING_LETTERS = 5;

/** Whether the lines contain a date or time. 20:18 may also be a score, which lines write as 20-18. */
export function standsDate(date: WrittenDate, source: SourceText): boolean {
	const { dates, years, text } = source;
	if (standsAmong(date, dates, years)) return true;
	const [first, second, ...more] = date.written.match(/\d+/g) ?? [];
	const isPair = second !== undefined && more.length === 0 && date.written.includes(":");
	return isPair && new RegExp(`(?<!\\d)${first}[-–:]${second}(?!\\d)`).test(text);
}

/** Whether the lines contain a number, imply it, or at least do not contradict it if it is a small count. */
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

/** Whether two numbers are equal. A missing unit may be in the head of a table. */
export function isTold(quantity: Quantity, told: Quantity, source: SourceText, isForeign: boolean): boolean {
	if (quantity.unit && countsOtherThings(told, quantity.unit, source)) return false;
	const isOfUnknownUnit = quantity.things.size > 0 && quantity.things.isDisjointFrom(source.stems);
	if (told.unit && !quantity.unit && !isForeign && isOfUnknownUnit) return false;
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

/** Conversions from the unit of `told` or, if missing, from other units: "within 10 minutes, the other within 30". */
function conversionsOf(quantity: Quantity, told: Quantity, { units }: SourceText): Conversion[] {
	const elided = told.unit || told.things.size > 0 ? [] : units;
	return [told.unit, ...elided].flatMap((unit) => conversionOf(quantity.unit, unit) ?? []);
}

/** Whether a number without a unit counts things and is not a duration: "Two go up", "3 Personen". */
function countsOtherThings(told: Quantity, { dimension }: Unit, { text, columns }: SourceText): boolean {
	if (told.unit || told.things.size === 0) return false;
	if (/^\p{L}/u.test(told.written)) return true;
	const behind = text.slice(told.offset + told.written.length);
	return dimension === "time" && columns.length === 0 && /^ ?\p{L}{3}/u.test(behind);
}

/** Whether the lines contain the year or, for a decade or century, any year in it. */
function isYearTold({ years, values, written }: Quantity, { years: told }: SourceText): boolean {
	if (years === undefined) return /^[12]\d{3}$/.test(written) && values.some((year) => told.has(year));
	return [...told].some((year) => values.some((from) => year >= from && year < from + years));
}

function isSmallCount({ values, unit, years }: Quantity): boolean {
	const isSmall = values.every((value) => Number.isInteger(value) && value <= SMALL);
	return isSmall && unit === undefined && years === undefined;
}

function countsOf({ things }: Quantity, { quantities }: SourceText): ReadonlySet<number | undefined> {
	const isOrdinal = ({ written }: Quantity) => /(?:st|nd|rd|th)$/i.test(written);
	const alike = quantities.filter((told) => !things.isDisjointFrom(told.things));
	const counts = alike.filter((told) => isSmallCount(told) && !isOrdinal(told));
	return new Set(counts.map(({ values: [value] }) => value));
}

/** Whether the lines contain a quotation, ignoring punctuation, line breaks and omissions. */
export function standsQuotation(quoted: string, source: SourceText): boolean {
	const pieces = quoted.split(/…|\.{3}|\[[^\]]*\]/).map(squeeze);
	return pieces.every((piece) => source.squeezed.includes(piece));
}

/** A chemical formula. The lines may have the name of the substance instead. */
const FORMULA = /^(?:(?:Na|Cl|Ca|Mg|Fe|Si|[CHNOSPFK])\d?){2,}$/;

/** Whether the lines contain a code such as `L60` or `BN-2025-014`. */
export function standsCode(code: string, source: SourceText): boolean {
	const parts = code.split("-").filter((part) => !FORMULA.test(part));
	if (parts.every((part) => !/\p{N}/u.test(part))) return true;
	const plain = squeeze(code);
	if (plain.length >= TELLING_LETTERS) return source.squeezed.includes(plain);
	return source.words.includes(plain) || wordsIn(code).every((part) => source.words.includes(part));
}

/** Abbreviations that are not beginnings of the full word, or that may lack a period. */
const SHORT_FORMS = wordMap(
	"st=saint street=st road=rd avenue=ave straße=str mt=mount ltd=limited dept=department mgmt=management intl=international govt=government",
);

/**
 * Whether the lines and their title contain or allow a name. Lines in a foreign language may translate names of
 * places and events, but not of people. In a sentence that may be German, a name may include a capitalized noun.
 */
export function standsName(
	name: WrittenName,
	source: SourceText,
	{ isForeign, isGerman }: Readonly<Record<"isForeign" | "isGerman", boolean>>,
): boolean {
	const missing = name.words.filter((word) => !standsWord(word, source));
	if (missing.length === name.words.length) return isForeign && !name.isFixed;
	if (name.words.length === 1) return true;
	if (isMixed(name, missing, source, isForeign)) return false;
	return missing.length === 0 || isForeign || isGerman;
}

/** Whether the lines have words of the name only beside other words, such as the surname with another given name. */
function isMixed(
	{ words: all }: WrittenName,
	missing: readonly string[],
	source: SourceText,
	isStrict: boolean,
) {
	const words = all.filter((word) => word.length > 1);
	const pairs = words.slice(1).map((second, at) => [words[at] ?? "", second] as const);
	return pairs.some(([first, second]) => {
		const isGone = missing.includes(first);
		if (isTogether(first, second, source)) return false;
		if (isGone && isNamesake(first, second, source)) return true;
		if (isStrict && isGone && !GIVEN_NAMES.has(first) && !UNTRANSLATED.test(second)) return false;
		return (
			!(isGone && missing.includes(second)) &&
			isBeside(missing, source, first, 1) &&
			isBeside(missing, source, second, -1)
		);
	});
}

function isTogether(first: string, second: string, { capitalized }: SourceText): boolean {
	const [left, right] = [fold(first), fold(second)];
	return capitalized.some((run) => run.includes(right) && run.some((word) => isSameName(word, left)));
}

function isNamesake(given: string, surname: string, { capitalized }: SourceText): boolean {
	const before = capitalized.map((run) => run[run.indexOf(fold(surname)) - 1] ?? "");
	return (
		GIVEN_NAMES.has(given) &&
		before.some((word) => GIVEN_NAMES.has(word.charAt(0).toUpperCase() + word.slice(1)))
	);
}

/** Whether the lines lack the word, or always have a capitalized word on that side. */
function isBeside(missing: readonly string[], { capitalized }: SourceText, word: string, side: number) {
	const own = capitalized.filter((run) => run.includes(fold(word)));
	const isBetween = own.length > 0 && own.every((run) => run[run.indexOf(fold(word)) + side] !== undefined);
	return missing.includes(word) || isBetween;
}

/** Words in names that German texts do not translate. */
const UNTRANSLATED =
	/^(?:University|College|School|Corporation|Company|County|River|Street|Road|Park|Bridge|Museum|Hotel|GmbH|AG|Inc|Ltd)$/;

function isSameName(one: string, other: string): boolean {
	return one === other || (Math.min(one.length, other.length) === 1 && one[0] === other[0]);
}

function standsWord(word: string, source: SourceText): boolean {
	const plain = squeeze(word);
	if (plain.length === 1) return source.words.some((other) => other.startsWith(plain));
	if (plain.length >= TELLING_LETTERS && source.squeezed.includes(plain)) return true;
	const long = SHORT_FORMS.get(plain);
	if (long !== undefined && source.words.includes(long)) return true;
	return wordsIn(word).every((part) => source.stems.has(englishStem(part)));
}

const NEGATION =
	/^(?:no|not|never|none|nobody|neither|nor|without|cannot|nicht|nie|niemals|niemand|kein\p{L}{0,2}|ohne|ne|pas|jamais|aucune?|sans)$/u;
const CLAUSE =
	/[,;:()!?|]|\.(?=\s)|\s[-–—]\s|(?<!\p{L})(?:but|aber|sondern|and|und)(?!\p{L})|\n(?!\s*\p{Ll})/giu;
const PREFIX = /^(?:un|non|in|im)(?=\p{L}{4})/u;
const FORBIDDEN = /^(?:forb[ia]d|prohibit|bann|verbot|untersag)/;
const OPPOSITES =
	"west east|western eastern|north south|northern southern|left right|upper lower|inside outside|increase decrease|increased decreased|rose fell|rises falls|includes excludes|included excluded|allowed forbidden|optional required|public private|minimum maximum|morning afternoon|morning evening|summer winter|oldest youngest|largest smallest|highest lowest|longest shortest|male female|arrival departure|won lost|approved rejected|west ost|westlich ostlich|nord sud|nordlich sudlich|links rechts|obere untere|innen außen|erlaubt verboten|offentlich privat|mindestens hochstens|vormittags nachmittags|morgens abends|sommer winter|bergauf bergab|stieg sank|steigt sinkt|mannlich weiblich|ankunft abfahrt|gewann verlor|angenommen abgelehnt|erste letzte|freiwillig verpflichtend|alteste jungste|großte kleinste|hochste niedrigste"
		.split("|")
		.map((pair) => pair.split(" "));
/** Number of words after a negation that the negation may apply to. */
const REACH = 4;

interface Word {
	readonly word: string;
	readonly stem: string;
	readonly isDenied: boolean;
	readonly clause: number;
}

/** The first word of the sentence that the lines only deny; `undefined` if there is none. */
export function deniedWord(sentence: string, lines: string): string | undefined {
	const [said, told] = [sentence, lines].map(readWords);
	const denied = said?.find((each) => told && isDeniedIn(told, each, said));
	return sentence.match(/[\p{L}\p{N}]+/gu)?.find((word) => fold(word) === denied?.word) ?? denied?.word;
}

function readWords(text: string): Word[] {
	const clauses = text.replace(/n['’]t(?!\p{L})/gu, " not").split(CLAUSE);
	return clauses.flatMap((part, clause) => {
		let reach = 0;
		return wordsIn(part).flatMap((word) => {
			if (NEGATION.test(word)) reach = REACH + 1;
			reach--;
			if (NEGATION.test(word) || !tells(word)) return [];
			return [{ word, stem: stemOf(word), isDenied: reach > 0, clause }];
		});
	});
}

/** Whether the lines contain the word only in denials, near other words of the word's clause. */
function isDeniedIn(told: readonly Word[], { word, stem, clause }: Word, said: readonly Word[]): boolean {
	const against = OPPOSITES.filter((pair) => pair.includes(word)).flat();
	const there = told.filter(
		(each) => each.stem === stem || each.word.replace(PREFIX, "") === word || against.includes(each.word),
	);
	const isAffirmed = there.some((each) => (each.stem === stem) !== each.isDenied);
	const isTelling = /\p{L}{3}/u.test(stem) && !said.some((each) => each.stem === stem && each.isDenied);
	if (!isTelling || isAffirmed || said.some((each) => FORBIDDEN.test(each.word))) return false;
	const others = new Set(said.filter((each) => each.clause === clause).map((each) => each.stem));
	return there.some((each) => {
		const near = told.filter((other) => other.clause === each.clause && other !== each);
		const next = near.find((other) => other.isDenied && told.indexOf(other) === told.indexOf(each) + 1);
		const shared = near.filter((other) => others.has(other.stem));
		return 2 * shared.length >= near.length || others.has(next?.stem ?? "");
	});
}
