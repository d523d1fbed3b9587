import { type Clues, cluesOf, detectLanguage } from "../base/language/detect.ts";
import { FUNCTION_WORDS, LANGUAGES, type Language } from "../base/language/languages.ts";
import { searchStemOf, stemOf } from "../base/language/stems.ts";
import { isUnspaced, pairsOf, segmentsOf } from "../base/language/unspaced.ts";
import { ACRONYM, STOP_WORDS } from "../base/words/stopWords.ts";
import { createTextReader, type Reading } from "../base/words/textReader.ts";
import { type Counted, fold } from "../base/words/wordTable.ts";

export type Analyzer = ReturnType<typeof createAnalyzer>;

export interface QueryTerms {
	/** Stems of words and of the parts of names, and whole names, with repetitions. */
	readonly terms: readonly string[];
	readonly language?: Language | undefined;
	/** Per language, the terms that a passage in this language would have; English comes first. */
	readonly readings: readonly (readonly string[])[];
	/** Per language, the terms that a passage with every word of the query has. */
	readonly required: readonly (readonly string[])[];
}

/** Increase if the terms of any text change. */
export const ANALYZER_VERSION = 5;

/** Characters that join words into one name: `snake_case`, `fs.readFile`, `m5.large`, `3.14`. */
export const NAME_JOINERS = "._";
const SEPARATOR = /[._]+/;

/** Boundaries of words in camel case: `HTTP|Server` and `get|Element`. */
const HUMP = /(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u;

const ONE_HUMP = /^[A-Z]?[a-z0-9]*$/;

const SHORTEST_HUMP = 4;

/** Languages without spaces that ICU segments into words by dictionary. */
const SEGMENTED: ReadonlySet<Language> = new Set(["zh", "ja", "th"]);

/** Short capitalized words within a sentence that are not beside a longer one: "It", "The Who". */
const SHORT_NAME = /[A-Z](?<=\b[a-z][a-z'-]*,? .)[a-z]{1,2}(?: [A-Z][a-z]{1,2})*(?![\w'-]| [A-Z])/g;

/** Maximum number of characters of a name. Longer names are data, such as an image encoded as text. */
const LONGEST_NAME = 100;

export interface Name extends Clues {
	readonly found: string;
}

interface NameTerms {
	readonly parts: readonly string[];
	/** Absent for a single word. */
	readonly whole?: string;
}

interface ReadName extends Name, Counted {
	readonly read: Map<Language, NameTerms>;
}

/**
 * Separates the language of a term from the word, so that rarity is counted per language and words of different
 * languages differ. Terms of English, the fallback for uncertain languages, have no language. Words cannot contain
 * this character.
 */
const SIGN = ":";

export function markOf(language: Language): string {
	return `${SIGN}${language}`;
}

export function isMark(term: string): boolean {
	return term.startsWith(SIGN);
}

/** The mark of passages that can have this term; `undefined` for English terms. */
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
		/** Terms of a query in every language of the passages. Prefers a whole name that some passage has to its parts. */
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

/** Uppercases capitalized function words that must be names, such as "It". Only English capitals show names. */
export function withShortNames(text: string, isKnown: (term: string) => boolean = () => true): string {
	return text.replace(SHORT_NAME, (found) => {
		const name = found.toUpperCase();
		const isName = name.split(" ").every((word) => STOP_WORDS.has(word.toLowerCase()) && isKnown(word));
		return isName ? name : found;
	});
}

function shortNamesIn({ folded }: Reading<ReadName>): string[] {
	return folded.map(({ found }) => found.toUpperCase()).filter((name) => ACRONYM.test(name));
}

/** The names of a text, without diacritics if the language is English or uncertain. */
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

/** Drops short words of a camel-case name, such as `get`, `By` and `Id`, which mean nothing by themselves. */
function wordsOf(part: string): string[] {
	if (ONE_HUMP.test(part)) return [part];
	const words = part.split(HUMP);
	return words.length === 1 ? words : words.filter((word) => word.length >= SHORTEST_HUMP);
}

/** A function word in capitals is an acronym, which is a term: `IT` differs from `it`. */
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

/** Stems a camel-case name, so that `WebSockets` equals `websocket`. */
function wholeOf(name: string): string {
	return SEPARATOR.test(name) ? name : stemOf(name, "en");
}

/** In Turkish, `I` is the capital of `ı`. */
function lowerCase(word: string, language: Language): string {
	return language === "tr" ? word.toLocaleLowerCase(language) : word.toLowerCase();
}

const THIRD_PERSON = /^([a-z]{3,}?)s$/i;

/** Possible agent nouns in a question with "who": "who directs" asks for the `director`. */
function doersIn(words: readonly string[]): string[] {
	return words.flatMap((word, index) => {
		const [, verb = ""] = (words[index - 1]?.toLowerCase() === "who" && THIRD_PERSON.exec(word)) || [];
		if (verb === "") return [];
		const stem = verb.toLowerCase().replace(/e$/, "");
		return ["er", "or"].map((ending) => stem + ending);
	});
}
