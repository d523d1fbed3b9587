import { memoize } from "../../base/jobs/lazily.ts";
import { FUNCTION_WORDS, type Language } from "../../base/language/languages.ts";
import { stemOf } from "../../base/language/stems.ts";
import { pairsOf } from "../../base/language/unspaced.ts";
import { ACRONYM, STOP_WORDS } from "../../base/words/stopWords.ts";
import { wordList } from "../../base/words/wordList.ts";

interface Word {
	readonly form: string;
	readonly stem: string;
}

export interface Words {
	/** The words in order. In scripts without spaces, pairs of characters count as words. */
	read(text: string): Word[];
	isTelling(stem: string): boolean;
	/** Stems of a text without function words. May be empty. */
	telling(text: string): ReadonlySet<string>;
}

const UNSPACED =
	/^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** Words. A version number is one word. */
const WORD = /[vV]?\d+(?:\.\d+){2,}|[\p{L}\p{N}]+/gu;

const DATE = /\b(?:[12]\d{3}-\d\d-\d\d|\d\d?\.\d\d?\.[12]\d{3})(?!\d)/g;

/** Parts of contractions and possessives: `who's`, `I'm`, `don't`. */
const CONTRACTED = wordList("whose m s t d ll re ve don doesn didn isn aren wasn");

export const wordsIn = memoize(createWords);

function createWords(language: Language): Words {
	const stop = language === "en" ? [...STOP_WORDS, ...CONTRACTED] : [...FUNCTION_WORDS[language]];
	const idle = new Set(stop.map((word) => stemOf(word, language)));
	const month = new Intl.DateTimeFormat(language, { month: "long" });
	/** Writes dates alike: `2023-02-20` as `20 February 2023`. */
	const spellDate = (date: string) => {
		const [first = 0, second = 0, last = 0] = date.split(/\D/).map(Number);
		const [year, day] = date.includes("-") ? [first, last] : [last, first];
		return second < 1 || second > 12 ? date : `${day} ${month.format(new Date(2000, second - 1))} ${year} `;
	};
	const days = daysIn(language);
	const read = (text: string): Word[] => {
		const hasAcronyms = /\p{Ll}/u.test(text);
		const spelled = text
			.normalize("NFKC")
			.replace(DATE, spellDate)
			.replace(SHORT_DAY, (short) => days.get(short) ?? short);
		return (spelled.match(WORD) ?? []).flatMap((word) => {
			if (UNSPACED.test(word)) return pairsOf(word).map((pair) => ({ form: pair, stem: pair }));
			const form = word.toLowerCase().replace(/^v(?=\d+\.)/, "");
			if (hasAcronyms && ACRONYM.test(word) && idle.has(stemOf(form, language))) return { form, stem: word };
			return partsOf(word, form).map((part) => ({ form: part, stem: stemOf(part, language) }));
		});
	};
	return {
		read,
		isTelling: (stem) => !idle.has(stem),
		telling: (text) => new Set(read(text).flatMap(({ stem }) => (idle.has(stem) ? [] : stem))),
	};
}

/** A possible short name of a day, before a time or another day: `Sat 9 to 13`, `Tue–Fri`. */
const SHORT_DAY = /(?<!\p{L})\p{Lu}\p{Ll}{1,2}(?=\.?\s?(?:\d|[–-]\s?[\p{Lu}\d]))/gu;

function daysIn(language: Language): ReadonlyMap<string, string> {
	const [short, long] = (["short", "long"] as const).map(
		(weekday) => new Intl.DateTimeFormat(language, { weekday, timeZone: "UTC" }),
	);
	const days = Array.from({ length: 7 }, (_, day) => new Date(Date.UTC(2024, 0, day + 1)));
	return new Map(days.map((day) => [short?.format(day).replace(".", "") ?? "", long?.format(day) ?? ""]));
}

/** The word and, for a name in code such as `getElement`, its parts. */
function partsOf(word: string, form: string): string[] {
	const parts = word.split(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u);
	return parts.length > 1 ? [form, ...parts.map((part) => part.toLowerCase())] : [form];
}
