import { languageOf } from "../base/language/detect.ts";
import { englishStem } from "../base/language/englishStem.ts";
import { FUNCTION_WORDS, type Language } from "../base/language/languages.ts";
import { datesIn, type WrittenDate } from "../base/quantities/dates.ts";
import { plainDigits } from "../base/quantities/plainDigits.ts";
import { numberOf, type Quantity, quantitiesIn } from "../base/quantities/quantities.ts";
import type { Unit } from "../base/quantities/units.ts";
import { toldWeekdays, type WrittenDay } from "../base/quantities/weekdays.ts";
import { decodeEntities } from "../base/words/entities.ts";

export interface SourceText {
	readonly quantities: readonly Quantity[];
	readonly units: readonly Unit[];
	readonly dates: readonly WrittenDate[];
	readonly weekdays: readonly WrittenDay[];
	readonly text: string;
	readonly columns: readonly (readonly Quantity[])[];
	/** Groups of numbers near each other: all numbers if there are few, else the numbers of each line and column. */
	readonly groups: readonly (readonly Quantity[])[];
	/** Numbers that may be years, also from the title and the path. */
	readonly years: ReadonlySet<number>;
	/** Words in lowercase without accents. */
	readonly words: readonly string[];
	readonly stems: ReadonlySet<string>;
	readonly squeezed: string;
	/** Sequences of capitalized words, in lowercase. */
	readonly capitalized: readonly (readonly string[])[];
	readonly language: Language | undefined;
}

const ATTRIBUTE =
	/\b(?:content|datetime|value|alt|title|href|src|about|resource|itemid|label)\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;
const TAG = /<[!/]?[a-z][^<>]*>|<!--|-->/gi;

/** Reads cited lines. `about` has the title of the passage and the path of the file. */
export function readSource(lines: readonly string[], about: readonly string[] = []): SourceText {
	const text = plainDigits(lines.map(plainText).map(withBars).join("\n\n"));
	const context = about.join("\n");
	const dates = datesIn(text);
	// Excludes the digits of times of day, which are not quantities.
	const times = dates.filter(({ readings }) => readings.some(({ minutes }) => minutes !== undefined));
	const counted = times
		.reduce(blankAt, text)
		.replace(ONE, (article) => "1 ".padStart(article.length))
		.replace(ITEM_NUMBER, blank);
	const scale = scaleIn(text);
	const read = (part: string) => quantitiesIn(part).map((one) => scaled(one, scale));
	const quantities = withoutEchoes(read(counted));
	const columns = columnsIn(text, read);
	const words = wordsIn(`${text}\n${context}`);
	const numbers = [...quantities, ...quantitiesIn(context.replace(/[-_/.]/g, " "))];
	const told = [
		...numbers.flatMap(({ values }) => values),
		...dates.flatMap(({ readings }) => readings.flatMap(({ year }) => year ?? [])),
	];
	const few = quantities.length <= MOST_IN_ONE_GROUP ? [quantities] : [];
	return {
		quantities,
		units: [...new Set(quantities.flatMap(({ unit }) => unit ?? []))],
		dates,
		weekdays: toldWeekdays(text),
		text,
		columns,
		groups: [...counted.split(SENTENCE).map(read), ...columns, ...few],
		years: new Set(NEXT_YEAR.test(text) ? told.flatMap((year) => [year - 1, year, year + 1]) : told),
		words,
		stems: new Set(words.map(englishStem)),
		squeezed: squeeze(`${text} ${context}`),
		capitalized: capitalizedIn(`${text}\n${context}`),
		language: languageLike(text),
	};
}

/** The language of a text. Counts function words, which suffices for short texts. */
export function languageLike(text: string): Language | undefined {
	const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
	const [english = 0, german = 0] = (["en", "de"] as const).map(
		(one) => words.filter((word) => FUNCTION_WORDS[one].has(word)).length,
	);
	if (english === german) return languageOf(text);
	return languageOf(text) ?? (english > german ? "en" : "de");
}

function capitalizedIn(text: string): string[][] {
	const runs =
		text.match(/(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{M}'’-]*\.?(?: \p{Lu}[\p{L}\p{M}'’-]*\.?)*/gu) ?? [];
	return runs.map((run) => run.split(" ").map((word) => fold(word).replace(/['’]s?$|\.$/, "")));
}

const SENTENCE = /\n|(?<=[.!?]["”“)]?)(?<!\s\p{L}{1,2}\.)\s+(?=[\p{Lu}"„“(])/u;
/** Words for a single unit of time: "eine Stunde vor Schluss", "the last decade". */
const ONE =
	/(?<!\p{L})(?:(?:eine?[rmns]?|an?)\s(?=(?:Stunde|Tag|Woche|Monat|Jahr|hour|day|week|month|year)(?!\p{L}))|(?:last|past|letzten|vergangenen)\s(?=decade|Jahrzehnt))/giu;
/** Words that refer to the year before or after. */
const NEXT_YEAR =
	/Vorjahr|(?:Jahr (?:darauf|zuvor|davor|später))|(?:previous|prior|following|next|last) year|year (?:before|earlier|later)/i;
const MOST_IN_ONE_GROUP = 14;

const SCALE =
	/(?<!\p{L})in (?:€ )?(?:(t(?:sd|ausend|housands?|€|EUR|CHF|USD))|(mio|million)|(bn|billions|mrd|milliarden))/iu;

/** Factor from words such as "in Mio. €" or "(in thousands)". */
function scaleIn(text: string): number | undefined {
	const [, thousand, million, billion] = SCALE.exec(text) ?? [];
	if (thousand) return 1e3;
	if (million) return 1e6;
	return billion ? 1e9 : undefined;
}

function scaled(quantity: Quantity, scale: number | undefined): Quantity {
	if (!scale || quantity.unit?.dimension === "share") return quantity;
	return { ...quantity, values: [...quantity.values, ...quantity.values.map((value) => value * scale)] };
}

/** The number of a list item, which is not a quantity. */
const ITEM_NUMBER = /^\s*\d{1,3}[.)](?=\s)/gm;

export interface Written {
	readonly written: string;
	readonly offset: number;
}

export function blankAt(text: string, { offset, written }: Written): string {
	return text.slice(0, offset) + blank(written) + text.slice(offset + written.length);
}

/** Replaces a text with dots, which separate names because they are neither letters nor spaces. */
export function blank(text: string): string {
	return "·".repeat(text.length);
}

/** The numbers of each column in rows of Markdown or of values separated by commas, semicolons or tabs. */
function columnsIn(text: string, read: (cell: string) => Quantity[]): Quantity[][] {
	const rows = text.split("\n").map((line) => cellsIn(line).map(read));
	const width = Math.max(...rows.map(({ length }) => length));
	const columns = Array.from({ length: width }, (_, at) => rows.flatMap((row) => row[at]?.slice(0, 1) ?? []));
	return columns.filter(({ length }) => length > 1);
}

/** Replaces commas between values of a row with bars, because a comma in a number separates thousands. */
function withBars(text: string): string {
	return text.replace(/.+/g, (line) => {
		const bare = line.replace(/"[^"]*"/g, "");
		const isRow = bare.split(",").length > 3 && !/, /.test(bare) && /\p{L}"?,\S|\S,"?\p{L}/u.test(line);
		if (!isRow || line.includes("|")) return line;
		return line.replace(/"[^"]*"|,/g, (found) => (found === "," ? " | " : found));
	});
}

export function cellsIn(line: string): string[] {
	if (line.includes("|")) return line.split("|");
	const cells = line.split(/, /.test(line) ? /[;\t](?! )/ : /[;,\t](?! )/);
	return cells.length > 2 ? cells : [];
}

/** Removes numbers without a unit that repeat numbers with a unit, which markup causes. */
function withoutEchoes(quantities: readonly Quantity[]): Quantity[] {
	const measured = new Set(quantities.flatMap(({ unit, values }) => (unit ? values : [])));
	return quantities.filter(
		({ unit, values, written }) =>
			unit || /^\p{L}/u.test(written) || !values.every((value) => measured.has(value)),
	);
}

export function fold(text: string): string {
	return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

export function squeeze(text: string): string {
	return fold(text).replace(/[^\p{L}\p{N}]+/gu, "");
}

export function wordsIn(text: string): string[] {
	// Splits names such as `LampL60` and `firstLit`.
	const parted = text.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ");
	return fold(parted).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The text between a number and the unit in a record, as in `amount: 200, unit: ml`. */
const UNIT_FIELD = /(?<=\d)["']?,\s*["']?unit["']?:\s*["']?(?=[\p{L}%])/giu;

function plainText(text: string): string {
	const marked = text
		.replace(/<h[1-6][^<>]*>/gi, "# ")
		.replace(/<li(?=[\s>])[^<>]*>/gi, "- ")
		.replace(TAG, (tag) => {
			const values = [...tag.matchAll(ATTRIBUTE)].map(([, double, single]) => double ?? single ?? "");
			return values.length > 0 ? ` ${values.join(" ")} ` : " ";
		});
	const said = marked
		.replace(/^ *\*\*([^*\n]+)\*\*:? *$/gm, "# $1")
		.replace(/\*+(?=[^\s*])|(?<=[^\s*])\*+/g, "")
		.replace(/(\d)\s?h\s?(\d+)\s?m(?:in)?(?!\p{L})/gu, "$1 h $2 min")
		.replace(/(?<![\d/.])([1-3])\/([2-8])(?= \p{Ll})/gu, (_, part, whole) => String(part / whole))
		.replace(UNIT_FIELD, " ")
		.replace(/[^\S\n]+/g, " ");
	return decodeEntities(said);
}

const FUNCTION: ReadonlySet<string> = new Set(
	(["en", "de", "fr"] as const).flatMap((language) =>
		[...FUNCTION_WORDS[language], "uhr"].map((word) => wordsIn(word)[0] ?? word),
	),
);

export function tells(word: string): boolean {
	return !FUNCTION.has(word);
}

/** The stem of a word from `wordsIn`; for a number word, its digits. */
export function stemOf(word: string): string {
	return String(numberOf(word) ?? englishStem(word));
}

export function tellingWords(text: string): ReadonlySet<string> {
	return new Set(wordsIn(text).filter(tells).map(stemOf));
}
