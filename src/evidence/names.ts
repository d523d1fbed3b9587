import { FUNCTION_WORDS, type Language } from "../base/language/languages.ts";
import { runsOf } from "../base/values.ts";
import { GIVEN_NAMES } from "../base/words/givenNames.ts";
import { STOP_WORDS } from "../base/words/stopWords.ts";

export interface WrittenName {
	readonly written: string;
	readonly words: readonly string[];
	/** Whether the name is never translated, because it is known or begins with a given name and has more words. */
	readonly isFixed: boolean;
}

const CAPITALIZED = "\\p{Lu}[\\p{L}\\p{M}\\p{N}]*(?:['’.-][\\p{L}\\p{M}\\p{N}]+)*\\.?(?:['’](?!\\p{L}))?";
const WORD = new RegExp(`(?<![\\p{L}\\p{N}])${CAPITALIZED}`, "gu");
/** Text between words of a name. German allows less: in "Das Feuer von Hallin Point", only two words are a name. */
const JOINTS = {
	en: /^(?:[\s-]+(?:(?:of|the|de|la|le|van|von|der|den|du|di|da|del|and the)\s+)*|\s*&\s*)$/,
	de: /^(?:[\s-]+|\s*&\s*)$/,
};
/** Text before a word whose capital letter does not show a name. */
const BEGINNING = /(?:^|[.!?:;…]\s*|[–—]\s*|[("“„«‘•|]|\n)\s*["“„«‘(*_]*$/u;

const MONTHS = "january february march april may june july august september october november december";
const DAYS = "monday tuesday wednesday thursday friday saturday sunday";
const TITLES = "mr mrs ms miss dr prof professor sir madam lord lady captain president director chief";
const PARTS =
	"section sections chapter figure table page pages line lines part step note notes source sources yes no";
const SHORT = "tv us usa uk eu un ok pc it id faq ceo dvd cd";
const LINKS =
	"however also according see both since although though thus therefore finally overall additionally";
const COMMON: ReadonlySet<string> = new Set([
	...STOP_WORDS,
	...`${MONTHS} ${DAYS} ${TITLES} ${PARTS} ${SHORT} ${LINKS}`.split(" "),
]);

/** Endings of German nouns that are before a name (such as `Baumeister`) or within one. */
const GERMAN_NOUN =
	/(?:er|erin|or|ist|ent|ant|ung|heit|keit|schaft|tum|mann|frau|herr|insel|stadt|firma|kapitän|turm|schiff|boot|feuer|jahr|ende|anfang|mitte|projekt)$/i;

/** Names in a sentence. A single capitalized word must be in `known` if it may be an ordinary word. */
export function namesIn(
	text: string,
	language: Language | undefined,
	known: ReadonlySet<string> = new Set(),
) {
	return readRuns(text, language).flatMap(({ name, isSure }) =>
		known.has(plainName(name)) ? [{ ...name, isFixed: true }] : [name].filter(() => isSure),
	);
}

export function doubtfulNamesIn(text: string, language: Language | undefined): string[] {
	return readRuns(text, language).flatMap(({ name, isSure }) => (isSure ? [] : [plainName(name)]));
}

function plainName({ words }: WrittenName): string {
	return words.join(" ");
}

function readRuns(text: string, language: Language | undefined) {
	const grammar = FUNCTION_WORDS[language ?? "en"];
	return runsIn(text, JOINTS[isGerman(language) ? "de" : "en"]).flatMap((run) => {
		const begins = run.slice(0, 1).some((first) => BEGINNING.test(before(text, first)));
		const telling = run.filter(({ word }) => {
			const plain = bare(word).toLowerCase();
			return !COMMON.has(plain) && !grammar.has(plain) && !/\d/.test(word);
		});
		const words = isGerman(language) && telling.length > 1 ? withoutNoun(telling, text) : telling;
		const [single] = words;
		if (!single) return [];
		const isOrdinary =
			(begins && single === run[0]) || (isGerman(language) && !APPOSED.test(before(text, single)));
		const isSure = words.length > 1 || GIVEN_NAMES.has(bare(single.word)) || !isOrdinary;
		return [{ name: nameOf(words, text), isSure }];
	});
}

/** Whether the text may be German, where nouns begin with capital letters. */
export function isGerman(language: Language | undefined): boolean {
	return language === undefined || language === "de";
}

/** Number of characters before a word that are examined. A `·` marks text that was cut. */
const LOOK_BACK = 24;

function before(text: string, { index }: PlacedWord): string {
	return index <= LOOK_BACK ? text.slice(0, index) : `·${text.slice(index - LOOK_BACK, index)}`;
}

function nameOf(words: readonly PlacedWord[], text: string): WrittenName {
	const last = words.at(-1);
	const end = (last?.index ?? 0) + (last?.word.length ?? 0);
	const written = text.slice(words[0]?.index, end).replace(/[.'’]+$/, "");
	const plain = words.map(({ word }) => bare(word));
	return { written, words: plain, isFixed: plain.slice(0, -1).some((word) => GIVEN_NAMES.has(word)) };
}

/** An article at the end of a text, or a `·` that replaces a number. */
const GERMAN_ARTICLE =
	/(?:(?<!\p{L})(?:d(?:er|ie|as|en|em|es)|(?:k?ein|[dms]ein|ihr|dies|jed|welch)\p{Ll}{0,2}|[ia]m|zu[mr]|beim|vom|[ia]ns)|·)\s+$/iu;

const APPOSED =
	/(?<!\p{L})(?:Firma|Herrn?|Frau|Familie|Kapitän|Bürgermeister(?:in)?|Architekt(?:en|in)?|Präsident(?:en|in)?|Pfarrer|Bischof|Hersteller)\s$/u;

/** Drops a German noun before a name or before another noun. */
function withoutNoun(words: readonly PlacedWord[], text: string): readonly PlacedWord[] {
	const [first] = words;
	if (!first) return [];
	const isNoun =
		(GERMAN_NOUN.test(first.word) && !GIVEN_NAMES.has(first.word)) ||
		GERMAN_ARTICLE.test(before(text, first));
	return isNoun ? words.slice(1) : words;
}

function bare(word: string): string {
	return word.replace(/['’]s?$/, "").replace(/\.$/, "");
}

interface PlacedWord {
	readonly word: string;
	readonly index: number;
}

function runsIn(text: string, joint: RegExp): PlacedWord[][] {
	const placed = [...text.matchAll(WORD)].map(({ 0: word, index }) => {
		return { word: ABBREVIATED.test(word) ? word : word.replace(/\.$/, ""), index };
	});
	return runsOf(placed, (run, { index }) => {
		const { word = "", index: start = 0 } = run.at(-1) ?? {};
		return joint.test(text.slice(start + word.length, index));
	});
}

const ABBREVIATED = /^\p{Lu}\p{L}{0,4}\.$|\.\p{L}+\.$/u;
