import { wordsOf } from "../words/relevance.ts";
import { wordMap } from "../words/wordList.ts";
import { type Unit, unitOf, unitPattern } from "./units.ts";

export interface Quantity {
	readonly written: string;
	readonly offset: number;
	/** Possible values: depending on the country, 1.200 is 1200 or 1.2. */
	readonly values: readonly number[];
	/** Value of one unit of the last written digit. */
	readonly step: number;
	readonly unit?: Unit;
	/** Value of a multiplier like `million`. */
	readonly factor: number;
	readonly isRough: boolean;
	/** Whether the number is a limit instead of an amount: `more than 15`, `under 12`. */
	readonly isBound: boolean;
	/** Number of years from the value on: `1870s`, `19th century`, `19. Jahrhundert`. */
	readonly years?: number;
	/** Stems of the nouns that the number counts: the words after the number, and a name before the number. */
	readonly things: ReadonlySet<string>;
}

const ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(
	" ",
);
const ROMAN = "II III IV VI VII VIII IX XI XII".split(" ");
const ROMAN_VALUES = [2, 3, 4, 6, 7, 8, 9, 11, 12];

const ENGLISH =
	"one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety";
const GERMAN =
	"ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig";

/** Values of the words for 1 to 19, and for the tens alone and joined with units. */
function valuesOf(words: string, join: (ten: string, unit: string) => string): (readonly [string, number])[] {
	const all = words
		.split(" ")
		.map((word, index) => [word, index < 19 ? index + 1 : (index - 17) * 10] as const);
	const units = all.slice(0, 9);
	const joined = all
		.slice(19)
		.flatMap(([ten, value]) => units.map(([unit, one]) => [join(ten, unit), value + one] as const));
	return all.concat(joined);
}

const WORD_VALUES: ReadonlyMap<string, number> = new Map([
	// Excludes `ein`, which is also an article.
	...valuesOf(GERMAN, (ten, unit) => `${unit}und${ten}`).slice(1),
	...valuesOf(ENGLISH, (ten, unit) => `${ten}-${unit}`),
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

const MULTIPLIERS = wordMap(`
	hundred=100 dozen=12 thousand=1e3 k=1e3 million=1e6 mn=1e6 m=1e6 billion=1e9 bn=1e9 b=1e9 trillion=1e12
	hundert=100 dutzend=12 tausend=1e3 tsd=1e3 mio=1e6 milliard=1e9 mrd=1e9
`);
const MULTIPLIER_ENDING = /(?:\.|en?|s)$/;

const SPACE = "[\\s\\u00a0\\u202f-]";
const DIGITS = "\\d{1,3}(?:[,.'’\\u00a0\\u202f ]\\d{3})+(?!\\d)(?:[.,]\\d+)?|\\d+(?:[.,]\\d+)?";
const NUMBER_WORD = [...WORD_VALUES.keys()]
	.filter((word) => !ROMAN.includes(word.toUpperCase()))
	.sort((a, b) => b.length - a.length)
	.join("|");
const MULTIPLIER = `(?:${SPACE}?(?<multiplier>hundred|dozen|thousand|billion|trillion|mn|bn|hundert|dutzend|tausend|million(?:en|s)?|milliard(?:en?|s)?|(?:mio|mrd|tsd)\\b\\.?)(?!\\p{L})|(?<letter>[kMB])(?![\\p{L}\\d]))`;
const QUANTITY = new RegExp(
	`(?<![\\p{L}\\d_]|\\d[.,])(?:(?<currency>[€$£])\\s?)?(?:(?<digits>${DIGITS})|(?<!-)\\b(?<word>${NUMBER_WORD})\\b(?!-\\p{L})|\\b(?<roman>${ROMAN.join("|")})\\b)(?<part>\\s+and\\s+(?:a\\s+(?:half|quarter)|three\\s+quarters))?(?:${MULTIPLIER})?(?:(?:\\.|e|ème)(?=(?<siecle>${SPACE}+(?:jahrhundert|jhd?t?\\b|siècle)))|(?<suffix>st|nd|rd|th|s|er)(?![\\p{L}\\d])(?:(?=(?<century>${SPACE}+centur))|)|(?:${SPACE}(?:of\\s+)?an?\\b)?${SPACE}?(?:d['’]|de\\s+)?(?:\\p{L}+(?=(?:minuten|stunden|tagen?|wochen|monaten?|jahren?)(?!\\p{L})))?(?<unit>${unitPattern()})(?![\\p{L}\\d]))?`,
	"giu",
);
const ROUGH =
	/(?:\b(?:about|around|roughly|approximately|approx\.?|circa|ca\.?|c\.|nearly|almost|over|under|above|below|more than|fewer than|less than|at least|at most|up to|some|close to|gut|reichlich|annähernd|beinahe|zirka|etwa|ungefähr|rund|fast|knapp|circa|über|unter|mindestens|höchstens|environ|presque|près de|plus de|moins de|au moins|au plus)|[~≈<>≤≥])\s*$/i;

const BOUND = /(?:\b(?:over|under|above|below|than|über|unter|als|plus de|moins de)|[<>≤≥])\s*$/i;

export function numberOf(word: string): number | undefined {
	return WORD_VALUES.get(word);
}

/** All numbers in a text: digits, words and Roman numerals. `2 h 10 min` is one number. */
export function quantitiesIn(text: string): Quantity[] {
	const matches = [...text.matchAll(QUANTITY)].map(({ 0: written, index, groups = {} }) => ({
		written,
		index,
		groups: {
			...groups,
			...(groups["letter"] === "m" && !groups["currency"] && { letter: "", unit: "m" }),
		} satisfies Groups,
	}));
	// The pattern ignores case for number words, but Roman numerals are uppercase, and a lowercase `m` is a unit.
	const all = matches
		.filter(({ groups: { roman = "" } }: { readonly groups: Groups }) => roman === roman.toUpperCase())
		.map((match) => toQuantity(text, match));
	const quantities: Quantity[] = [];
	for (const next of all) {
		const last = quantities.at(-1);
		const both = last && joinedDuration(text, last, next);
		if (both) quantities.splice(-1, 1, both);
		else if (last && isElided(text, last, next)) quantities.splice(-1, 1, elided(last, next), next);
		else quantities.push(next);
	}
	return quantities;
}

/** Whether the first number shares the unit or multiplier of the second: `2.9 to 0.7 billion`, `9 to 37 km`. */
function isElided(text: string, first: Quantity, second: Quantity): boolean {
	if (first.unit || first.factor > 1 || (second.factor === 1 && !second.unit)) return false;
	const between = text.slice(first.offset + first.written.length, second.offset);
	if (/^[12]\d{3}$/.test(first.written)) return false;
	return /^\s(?:[-–]|auf|bis|und|oder|to|and|or)\s$|^[-–]$/.test(between);
}

function elided(first: Quantity, { factor, unit }: Quantity): Quantity {
	const values = first.values.map((value) => value * factor);
	const all = factor > 1 ? [...values, ...first.values] : first.values;
	return { ...first, ...(unit && { unit }), values: all };
}

const JOINS_DURATION = /^(?:\s|,|&|and|und|et)*$/;

/** Merges two durations, such as hours and minutes, into one in the smaller unit. */
function joinedDuration(text: string, first: Quantity, second: Quantity): Quantity | undefined {
	const [{ unit: large, offset }, { unit: small }] = [first, second];
	const between = text.slice(offset + first.written.length, second.offset);
	if (large?.dimension !== "time" || small?.dimension !== "time" || !JOINS_DURATION.test(between))
		return undefined;
	const ratio = (large.factor ?? 1) / (small.factor ?? 1);
	if (ratio <= 1) return undefined;
	const [value = 0, rest = 0] = [first.values[0], second.values[0]];
	const written = text.slice(offset, second.offset + second.written.length);
	return { ...second, written, offset, values: [value * ratio + rest], isRough: first.isRough };
}

function toQuantity(
	text: string,
	{ written, index, groups }: { readonly written: string; readonly index: number; readonly groups: Groups },
): Quantity {
	const word = (groups["multiplier"] ?? groups["letter"] ?? "").toLowerCase();
	const factor = Number(MULTIPLIERS.get(word) ?? MULTIPLIERS.get(word.replace(MULTIPLIER_ENDING, "")) ?? 1);
	// `5K` may also be a race of 5 km.
	const isRace = groups["letter"] === "K" && !groups["currency"];
	const years = yearsOf(groups);
	const unit = unitIn(groups, years !== undefined);
	const before = text.slice(Math.max(0, index - 20), index);
	return {
		written: written.trim(),
		offset: index,
		factor,
		values: [...baseOf(groups), ...yearOf(groups, before)].flatMap((value) => {
			const whole = years === 100 ? (value - 1) * 100 : value * factor;
			return isRace ? [whole, value] : whole;
		}),
		step: factor * 10 ** -(/[.,](\d+)$/.exec(groups["digits"] ?? "")?.[1]?.length ?? 0),
		isRough: ROUGH.test(before),
		isBound: BOUND.test(before),
		things: thingsAround(text, index, written.length),
		...(unit && { unit }),
		...(years && { years }),
	};
}

type Groups = Readonly<Record<string, string | undefined>>;

function baseOf({ digits, word, roman, unit, multiplier, part }: Groups): number[] {
	const isMeasured = (unit ?? multiplier) !== undefined;
	if (part) return [(WORD_VALUES.get((word ?? "").toLowerCase()) ?? Number(digits)) + partOf(part)];
	if (digits) return readDigits(digits, isMeasured);
	return [WORD_VALUES.get((word ?? roman ?? "").toLowerCase()) ?? 0];
}

function partOf(words: string): number {
	if (words.includes("three")) return 0.75;
	return words.includes("quarter") ? 0.25 : 0.5;
}

/** The second year of `1922-26`. */
function yearOf({ digits = "", unit }: Groups, before: string): number[] {
	const [, century] = /(?<!\d)([12]\d)\d\d[-–/]$/.exec(before) ?? [];
	return century && !unit && digits.length === 2 ? [Number(century + digits)] : [];
}

/** Unit of a number. The `s` of a decade does not mean seconds. */
function unitIn({ currency, unit, suffix, word = "" }: Groups, isDecade: boolean): Unit | undefined {
	// Ordinals have no unit: “the first week” is not a duration.
	if (ORDINALS.includes(word.toLowerCase())) return undefined;
	return unitOf(currency ?? unit ?? (isDecade ? "" : (suffix ?? "")));
}

/** Length in years of a century or decade; `undefined` for other numbers. */
function yearsOf({ digits = "", suffix = "", century, siecle }: Groups): number | undefined {
	if ((century ?? siecle) !== undefined) return 100;
	return /^(?:s|er)$/.test(suffix) && /^\d{3}0$/.test(digits) ? 10 : undefined;
}

function thingsAround(text: string, offset: number, length: number): ReadonlySet<string> {
	const before =
		/(?:\p{Lu}\p{L}+(?=\s*$)|\p{L}+(?=:\s*$))/u.exec(text.slice(Math.max(0, offset - 30), offset))?.[0] ?? "";
	const after =
		/^[\s-]*[\p{L}-]+(?:\s+[\p{L}-]+)?/u.exec(text.slice(offset + length, offset + length + 60))?.[0] ?? "";
	return before + after === "" ? new Set() : wordsOf(`${before} ${after}`);
}

function readDigits(digits: string, isMeasured: boolean): number[] {
	// Without a unit, digits around a space may be one grouped number or two numbers.
	const sides = digits.includes(" ") && !isMeasured ? digits.split(" ").map(Number) : [];
	const marks = digits.match(/[,.]/g) ?? [];
	const bare = digits.replace(/['’\s]/g, "");
	const last = marks.at(-1) ?? ".";
	const asDecimal = Number(bare.replaceAll(last === "," ? "." : ",", "").replace(",", "."));
	const asGroups = Number(bare.replace(/[,.]/g, ""));
	const mayGroup = /^\d{1,3}(?:[,.]\d{3})+$/.test(bare);
	// A decimal fraction hardly ever ends in three zeros.
	const mayBeDecimal = marks.length === 1 && !bare.endsWith("000");
	const readings = mayGroup ? [asGroups, ...(mayBeDecimal ? [asDecimal] : [])] : [asDecimal];
	return [...readings, ...sides].filter(Number.isFinite);
}
