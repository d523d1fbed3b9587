import { type Clues, cluesOf, detectLanguage } from "../base/language/detect.ts";
import { FUNCTION_WORDS, LANGUAGES, type Language } from "../base/language/languages.ts";
import { searchStemOf, stemOf } from "../base/language/stems.ts";
import { isUnspaced, pairsOf, segmentsOf } from "../base/language/unspaced.ts";
import { ACRONYM, STOP_WORDS } from "../base/words/stopWords.ts";
import { createTextReader, type Reading } from "../base/words/textReader.ts";
import { type Counted, fold } from "../base/words/wordTable.ts";

export type Analyzer = ReturnType<typeof createAnalyzer>;

/** The terms of all readings of a query together; each reading has what a passage in its language would have. */
export interface QueryTerms {
	/** The stems of the words and of the parts of names, and whole names; with repetitions. */
	readonly terms: readonly string[];
	/** Absent if it is not certain. */
	readonly language?: Language | undefined;
	readonly readings: readonly (readonly string[])[];
	/** What a passage must have for every word of the query: all terms of one reading, that in its language. */
	readonly required: readonly (readonly string[])[];
}

/** Increase it when the same text gives different terms. */
export const ANALYZER_VERSION = 5;

/** What joins several words to one name: `snake_case`, `fs.readFile`, `m5.large`, `3.14`. */
export const NAME_JOINERS = "._";
const SEPARATOR = /[._]+/;

/** `HTTP|Server` and `get|Element`. */
const HUMP = /(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u;

const ONE_HUMP = /^[A-Z]?[a-z0-9]*$/;

/** Characters. */
const SHORTEST_HUMP = 4;

/** Languages without spaces whose words the dictionaries of ICU find. */
const SEGMENTED: ReadonlySet<Language> = new Set(["zh", "ja", "th"]);

/** Short words with capitals inside a sentence, and without a longer one beside them: `It`, `The Who`. */
const SHORT_NAME = /[A-Z](?<=\b[a-z][a-z'-]*,? .)[a-z]{1,2}(?: [A-Z][a-z]{1,2})*(?![\w'-]| [A-Z])/g;

/** Characters; what is longer is data, such as an image written as text. */
const LONGEST_NAME = 100;

export interface Name extends Clues {
	readonly found: string;
}

/** A name as one language reads it. A single word has no `whole`. */
interface NameTerms {
	readonly parts: readonly string[];
	readonly whole?: string;
}

/** With what the languages make of it, as far as somebody has asked. */
interface ReadName extends Name, Counted {
	readonly read: Map<Language, NameTerms>;
}

/**
 * Between a language and a term of it: terms of English, which is also how everything is read that is in no language for
 * sure, have none. So a word is as rare as it is in its language, and no word is taken for one of another. No word has it.
 */
const SIGN = ":";

export function markOf(language: Language): string {
	return `${SIGN}${language}`;
}

export function isMark(term: string): boolean {
	return term.startsWith(SIGN);
}

/** The mark of the passages that can have a term, if it is not one of English. */
export function markOfTerm(term: string): string | undefined {
	const end = term.indexOf(SIGN);
	return end > 0 ? `${SIGN}${term.slice(0, end)}` : undefined;
}

export function plainTerm(term: string): string {
	return term.slice(term.indexOf(SIGN) + 1);
}

export function createAnalyzer() {
	const names = createTextReader<ReadName>({
		understand: (found) => ({ ...nameOf(found), times: 1, read: new Map() }),
		joiners: NAME_JOINERS,
	});
	const termsOf = (text: string) => {
		const reading = names.read(withShortNames(text));
		const language = detectLanguage(reading.written);
		return {
			terms: namesIn(reading, language).flatMap((name) => allTerms(readIn(name, language))),
			language,
		};
	};
	return {
		termsOf,
		/** The terms, and the mark of the text's language if it is certain. */
		markedTermsOf: (text: string) => {
			const { terms, language } = termsOf(text);
			return language ? [...terms, markOf(language)] : terms;
		},
		/** The terms of a query: a whole name if a passage has it, else its parts; in every language that passages have. */
		queryTermsOf: (text: string, isKnown: (term: string) => boolean) => {
			const reading = names.read(withShortNames(text, isKnown));
			const language = detectLanguage(reading.written);
			const others = LANGUAGES.filter((other) => other !== "en" && isKnown(markOf(other)));
			const telling = withoutGrammar(reading, /\p{Ll}/u.test(text), language);
			const [terms = [], ...foreign] = [undefined, ...others].map((other) =>
				namesIn(telling, other).flatMap((name) => chosenTerms(readIn(name, other), isKnown)),
			);
			const isEmpty = [terms, ...foreign].every(({ length }) => length === 0);
			const english = isEmpty ? shortNamesIn(reading).filter(isKnown) : terms;
			const doers = doersIn(reading.folded.map(({ found }) => found)).map((doer) => stemOf(doer, "en"));
			const added = new Set(doers.filter((doer) => isKnown(doer) && !english.includes(doer)));
			const readings = [[...english, ...added], ...foreign];
			const required = [english, ...foreign]
				.map((terms) => [...new Set(terms)])
				.filter(({ length }) => length);
			return { terms: readings.flat(), language, readings, required };
		},
	};
}

/** Writes names that would be words of grammar in small letters as acronyms. Only in English do capitals tell that. */
export function withShortNames(text: string, isKnown: (term: string) => boolean = () => true): string {
	return text.replace(SHORT_NAME, (found) => {
		const name = found.toUpperCase();
		const isName = name.split(" ").every((word) => STOP_WORDS.has(word.toLowerCase()) && isKnown(word));
		return isName ? name : found;
	});
}

/** What a query of nothing but words of grammar may mean. */
function shortNamesIn({ folded }: Reading<ReadName>): string[] {
	return folded.map(({ found }) => found.toUpperCase()).filter((name) => ACRONYM.test(name));
}

/** The names of a text as its language reads them; if that is uncertain, as English, without diacritics. */
export function namesIn<Known>({ folded, written }: Reading<Known>, language?: Language): readonly Known[] {
	return language === undefined || language === "en" ? folded : written;
}

export function nameOf(found: string): Name {
	return { found, ...cluesOf(found) };
}

export function termsOfName(name: Name, language: Language | undefined): readonly string[] {
	return allTerms(termsIn(name, language ?? "en"));
}

function readIn(name: ReadName, language: Language = "en"): NameTerms {
	const known = name.read.get(language) ?? termsIn(name, language);
	name.read.set(language, known);
	return known;
}

function allTerms({ parts, whole }: NameTerms): readonly string[] {
	return whole === undefined ? parts : [...parts, whole];
}

function chosenTerms({ parts, whole }: NameTerms, isKnown: (term: string) => boolean): readonly string[] {
	return whole !== undefined && isKnown(whole) ? [whole] : parts;
}

/** Words of grammar of the query's language may be telling ones in another. In capitals alone, no word is an acronym. */
function withoutGrammar(
	{ folded, written }: Reading<ReadName>,
	hasAcronyms: boolean,
	language: Language = "en",
): Reading<ReadName> {
	const isTelling = ({ found }: Name) =>
		(hasAcronyms && ACRONYM.test(found)) || !FUNCTION_WORDS[language].has(lowerCase(found, language));
	const telling = written.filter(isTelling);
	return { folded: language === "en" ? folded.filter(isTelling) : telling, written: telling };
}

function termsIn(name: Name, language: Language): NameTerms {
	const terms = plainTermsIn(name, language);
	if (language === "en") return terms;
	const sign = (term: string) => `${language}${SIGN}${term}`;
	return { parts: terms.parts.map(sign), ...(terms.whole !== undefined && { whole: sign(terms.whole) }) };
}

function plainTermsIn({ found: written }: Name, language: Language): NameTerms {
	const found = language === "en" ? fold(written) : written;
	if (found.length > LONGEST_NAME && !isUnspaced(found, language)) return { parts: [] };
	const words = found.split(SEPARATOR).flatMap(wordsOf);
	const parts = words.flatMap((word) => termsOfWord(word, language));
	return words[0] === found ? { parts } : { parts, whole: wholeOf(fold(found).toLowerCase()) };
}

/** `get`, `By` and `Id` say nothing outside of their name. */
function wordsOf(part: string): string[] {
	if (ONE_HUMP.test(part)) return [part];
	const words = part.split(HUMP);
	return words.length === 1 ? words : words.filter((word) => word.length >= SHORTEST_HUMP);
}

/** What would be a word of grammar in small letters is its own term as an acronym: what is IT of it. */
function termsOfWord(written: string, language: Language): string[] {
	const word = lowerCase(written, language);
	if (isUnspaced(word, language)) return unspacedTerms(word, language);
	if (!FUNCTION_WORDS[language].has(word)) return [searchStemOf(word, language)];
	return ACRONYM.test(written) ? [written] : [];
}

function unspacedTerms(run: string, language: Language): string[] {
	if (!SEGMENTED.has(language)) return pairsOf(run);
	return segmentsOf(run, language).flatMap((segment) =>
		FUNCTION_WORDS[language].has(segment) ? [] : [stemOf(segment, language)],
	);
}

/** `WebSockets` is the same word as `websocket`. */
function wholeOf(name: string): string {
	return SEPARATOR.test(name) ? name : stemOf(name, "en");
}

/** In Turkish, `I` is the capital of `ı`. */
function lowerCase(word: string, language: Language): string {
	return language === "tr" ? word.toLocaleLowerCase(language) : word.toLowerCase();
}

/** The present tense of a verb, judged by its ending. */
const PRESENT = /^([a-z]{3,}?)s$/i;

/** Nouns for the one who does what a question with "who" asks: the one who directs is the director. */
function doersIn(words: readonly string[]): string[] {
	return words.flatMap((word, index) => {
		const [, verb = ""] = (words[index - 1]?.toLowerCase() === "who" && PRESENT.exec(word)) || [];
		if (verb === "") return [];
		const stem = verb.toLowerCase().replace(/e$/, "");
		return ["er", "or"].map((ending) => stem + ending);
	});
}
