import { stemmer } from "stemmer";
import { datesIn, type WrittenDate } from "../base/quantities/dates.ts";
import { plainDigits } from "../base/quantities/plainDigits.ts";
import { type Quantity, quantitiesIn } from "../base/quantities/quantities.ts";

export interface SourceText {
	readonly quantities: readonly Quantity[];
	readonly dates: readonly WrittenDate[];
	/** Numbers that may be years, also of the title and the path. */
	readonly years: ReadonlySet<number>;
	/** Lower case, without accents. */
	readonly words: readonly string[];
	readonly stems: ReadonlySet<string>;
	/** Letters and digits alone, without the spaces between them. */
	readonly squeezed: string;
	readonly initials: string;
}

/** Attributes that say something to a reader, or to a machine that reads. */
const ATTRIBUTE =
	/\b(?:content|datetime|value|alt|title|href|src|about|resource|itemid|label)\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;
const TAG = /<[!/]?[a-z][^<>]*>|<!--|-->/gi;
const ENTITIES: Readonly<Record<string, string>> = {
	amp: "&",
	lt: "<",
	gt: ">",
	quot: '"',
	apos: "'",
	nbsp: " ",
};

/** Reads lines and their context, `about`: the title of the passage, the path of the file. */
export function readSource(lines: readonly string[], about: readonly string[] = []): SourceText {
	const text = plainDigits(joinHyphens(lines.map(plainText).join("\n\n")));
	const context = about.join("\n");
	const quantities = withoutEchoes(quantitiesIn(text));
	const words = wordsIn(`${text}\n${context}`);
	const numbers = [...quantities, ...quantitiesIn(context.replace(/[-_/.]/g, " "))];
	return {
		quantities,
		dates: datesIn(text),
		years: new Set(numbers.flatMap(({ values }) => values)),
		words,
		stems: new Set(words.map(stemmer)),
		squeezed: squeeze(`${text} ${context}`),
		initials: words.map((word) => word[0]).join(""),
	};
}

/** Markup says a number a second time, without its unit. */
function withoutEchoes(quantities: readonly Quantity[]): Quantity[] {
	const measured = new Set(quantities.flatMap(({ unit, values }) => (unit ? values : [])));
	return quantities.filter(({ unit, values }) => unit || !values.every((value) => measured.has(value)));
}

/** Small letters without accents, for comparing. */
export function fold(text: string): string {
	return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/** Only letters and digits: the same for every way to set a text. */
export function squeeze(text: string): string {
	return fold(text).replace(/[^\p{L}\p{N}]+/gu, "");
}

export function wordsIn(text: string): string[] {
	// `LampL60` and `firstLit` are words that were written together.
	const parted = text.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ");
	return fold(parted).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** What people see of markup, and what its attributes say. */
function plainText(text: string): string {
	const said = text.replace(TAG, (tag) => {
		const values = [...tag.matchAll(ATTRIBUTE)].map(([, double, single]) => double ?? single ?? "");
		return values.length > 0 ? ` ${values.join(" ")} ` : " ";
	});
	return said
		.replace(/[^\S\n]+/g, " ")
		.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{2,6}));/gi, (entity, hex, decimal, name) => {
			const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
			if (!name) return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
			return ENTITIES[String(name).toLowerCase()] ?? entity;
		});
}

/** A word hyphenated at the end of a line is kept both ways. */
function joinHyphens(text: string): string {
	return text.replace(/(\p{L}+)-\s*\n\s*(\p{Ll}+)/gu, "$1$2 $1-$2");
}
