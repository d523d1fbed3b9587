import { wordsOf } from "../words/relevance.ts";
import { UNIT_PATTERN, type Unit, unitOf } from "./units.ts";

export interface Quantity {
	/** With its unit. */
	readonly written: string;
	readonly offset: number;
	/** 1.200 is more than a thousand in one country, and little more than one in another. */
	readonly values: readonly number[];
	/** How far apart two values may be and still look alike, written like this one. */
	readonly step: number;
	readonly unit?: Unit;
	readonly isRough: boolean;
	/** `1870s`, `19th century`, `19. Jahrhundert`: how many years from the value on are meant. */
	readonly years?: number;
	/** The stems of what it counts or numbers: the words after it, and the name before it. */
	readonly things: ReadonlySet<string>;
}

const UP_TO_TWELVE = "one two three four five six seven eight nine ten eleven twelve".split(" ");
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const TEENS = "thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" ");
const ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(
	" ",
);
const ROMAN = "II III IV VI VII VIII IX XI XII".split(" ");
const ROMAN_VALUES = [2, 3, 4, 6, 7, 8, 9, 11, 12];

const WORD_VALUES: ReadonlyMap<string, number> = new Map([
	...UP_TO_TWELVE.map((word, index) => [word, index + 1] as const),
	...TEENS.map((word, index) => [word, index + 13] as const),
	...TENS.flatMap((word, index) => {
		const ten = (index + 2) * 10;
		const more = UP_TO_TWELVE.slice(0, 9).map((unit, one) => [`${word}-${unit}`, ten + one + 1] as const);
		return [[word, ten] as const, ...more];
	}),
	...ORDINALS.map((word, index) => [word, index + 1] as const),
	...ROMAN.map((word, index) => [word.toLowerCase(), ROMAN_VALUES[index] ?? 0] as const),
	["dozen", 12],
	["hundred", 100],
	["thousand", 1000],
	["half", 0.5],
	["quarter", 0.25],
	["twice", 2],
	["both", 2],
]);

const MULTIPLIERS: Readonly<Record<string, number>> = {
	hundred: 100,
	dozen: 12,
	thousand: 1e3,
	k: 1e3,
	million: 1e6,
	mn: 1e6,
	m: 1e6,
	billion: 1e9,
	bn: 1e9,
	b: 1e9,
	trillion: 1e12,
};

const SPACE = "[\\s\\u00a0\\u202f-]";
const DIGITS = "\\d{1,3}(?:[,.'’\\u00a0\\u202f ]\\d{3})+(?!\\d)(?:[.,]\\d+)?|\\d+(?:[.,]\\d+)?";
const NUMBER_WORD = [...WORD_VALUES.keys()]
	.filter((word) => !ROMAN.includes(word.toUpperCase()))
	.sort((a, b) => b.length - a.length)
	.join("|");
const MULTIPLIER = `(?:${SPACE}?(?<multiplier>hundred|dozen|thousand|million|billion|trillion|mn|bn)\\b|(?<letter>[kMB])(?![\\p{L}\\d]))`;
const QUANTITY = new RegExp(
	`(?<![\\p{L}\\d_]|\\d[.,])(?:(?<currency>[€$£])\\s?)?(?:(?<digits>${DIGITS})|(?<!-)\\b(?<word>${NUMBER_WORD})\\b(?!-\\p{L})|\\b(?<roman>${ROMAN.join("|")})\\b)(?:${MULTIPLIER})?(?:(?:\\.|e|ème)(?=(?<siecle>${SPACE}+(?:jahrhundert|siècle)))|(?<suffix>st|nd|rd|th|s|er)(?![\\p{L}\\d])(?:(?=(?<century>${SPACE}+centur))|)|(?:${SPACE}(?:of\\s+)?an?\\b)?${SPACE}?(?<unit>${UNIT_PATTERN})(?![\\p{L}\\d]))?`,
	"giu",
);
const ROUGH =
	/(?:\b(?:about|around|roughly|approximately|approx\.?|circa|ca\.?|c\.|nearly|almost|over|under|above|below|more than|fewer than|less than|at least|at most|up to|some|close to|etwa|ungefähr|rund|fast|knapp|circa|über|unter|mindestens|höchstens|environ|presque|près de|plus de|moins de|au moins|au plus)|[~≈<>≤≥])\s*$/i;

/** Every number in a text: in digits, in words, in Roman letters. */
export function quantitiesIn(text: string): Quantity[] {
	const matches = [...text.matchAll(QUANTITY)].map(({ 0: written, index, groups = {} }) => ({
		written,
		index,
		groups: { ...groups, ...(isMetre(groups) && { letter: "", unit: "m" }) } satisfies Groups,
	}));
	return matches.filter(({ groups }) => isUpper(groups)).map((match) => toQuantity(text, match));
}

/** The pattern ignores case for the sake of words, but these mean something in one case only. */
function isMetre({ letter, currency }: Groups): boolean {
	return letter === "m" && !currency;
}

function isUpper({ roman = "" }: Groups): boolean {
	return roman === roman.toUpperCase();
}

function toQuantity(
	text: string,
	{ written, index, groups }: { readonly written: string; readonly index: number; readonly groups: Groups },
): Quantity {
	const factor = MULTIPLIERS[(groups["multiplier"] ?? groups["letter"] ?? "").toLowerCase()] ?? 1;
	const years = yearsOf(groups);
	const unit = unitIn(groups, years !== undefined);
	return {
		written: written.trim(),
		offset: index,
		values: baseOf(groups).map((value) => (years === 100 ? (value - 1) * 100 : value * factor)),
		step: factor * 10 ** -(/[.,](\d+)$/.exec(groups["digits"] ?? "")?.[1]?.length ?? 0),
		isRough: ROUGH.test(text.slice(Math.max(0, index - 20), index)),
		things: thingsAround(text, index, written.length),
		...(unit && { unit }),
		...(years && { years }),
	};
}

type Groups = Readonly<Record<string, string | undefined>>;

function baseOf({ digits, word, roman }: Groups): number[] {
	return digits ? readDigits(digits) : [WORD_VALUES.get((word ?? roman ?? "").toLowerCase()) ?? 0];
}

/** The `s` of a decade does not mean seconds. */
function unitIn({ currency, unit, suffix }: Groups, isDecade: boolean): Unit | undefined {
	return unitOf(currency ?? unit ?? (isDecade ? "" : (suffix ?? "")));
}

/** Centuries and decades only: other numbers are no years. */
function yearsOf({ digits = "", suffix = "", century, siecle }: Groups): number | undefined {
	if ((century ?? siecle) !== undefined) return 100;
	return /^(?:s|er)$/.test(suffix) && /^\d{3}0$/.test(digits) ? 10 : undefined;
}

function thingsAround(text: string, offset: number, length: number): ReadonlySet<string> {
	const before = /\p{Lu}\p{L}+(?=\s*$)/u.exec(text.slice(Math.max(0, offset - 30), offset))?.[0] ?? "";
	const after =
		/^[\s-]*[\p{L}-]+(?:\s+[\p{L}-]+)?/u.exec(text.slice(offset + length, offset + length + 60))?.[0] ?? "";
	return before + after === "" ? new Set() : wordsOf(`${before} ${after}`);
}

/** What digits with their points and commas may mean. */
function readDigits(digits: string): number[] {
	// Digits around a space may be one grouped number or two numbers.
	const sides = digits.includes(" ") ? digits.split(" ").map(Number) : [];
	const marks = digits.match(/[,.]/g) ?? [];
	const bare = digits.replace(/['’\s]/g, "");
	const last = marks.at(-1) ?? ".";
	const asDecimal = Number(bare.replaceAll(last === "," ? "." : ",", "").replace(",", "."));
	const asGroups = Number(bare.replace(/[,.]/g, ""));
	const mayGroup = /^\d{1,3}(?:[,.]\d{3})+$/.test(bare);
	const readings = mayGroup ? [asGroups, ...(marks.length === 1 ? [asDecimal] : [])] : [asDecimal];
	return [...readings, ...sides].filter(Number.isFinite);
}
