import { stemmer } from "stemmer";
import { STOP_WORDS } from "../base/stopWords.ts";
import { createWordTable, fold } from "../base/wordTable.ts";

/** Turns texts into the terms that passages are found by. */
export interface Analyzer {
	/** Of a passage: the stems of its words and of the parts of its names, and its whole names; with repetitions. */
	termsOf(text: string): string[];
	/** Of a query: a whole name where a passage has it, else its parts. */
	queryTermsOf(text: string, isKnown: (term: string) => boolean): string[];
}

/** Another number where the same text gives other terms. */
export const ANALYZER_VERSION = 1;

/** What joins several words to one name: `snake_case`, `fs.readFile`, `m5.large`, `3.14`. */
export const NAME_JOINERS = "._";
const SEPARATOR = /[._]+/;

/** `HTTP|Server` and `get|Element`. */
const HUMP = /(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u;

const ONE_HUMP = /^[A-Z]?[a-z0-9]*$/;

/** Characters. */
const SHORTEST_HUMP = 4;

/** Scripts that put no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Characters; what is longer is data, such as an image written as text. */
const LONGEST_NAME = 100;

/** A name as it was understood: `whole` is absent where it is but one word. */
interface Name {
	readonly parts: readonly string[];
	readonly whole?: string;
}

export function createAnalyzer(): Analyzer {
	const names = createWordTable({ understand: toName, joiners: NAME_JOINERS });
	/** Diacritics are folded. */
	const read = (text: string) => names.read(text) ?? names.readFolded(fold(text));
	return {
		termsOf: (text) => read(text).flatMap(allTermsOf),
		queryTermsOf: (text, isKnown) =>
			read(text).flatMap(({ parts, whole }) => (whole !== undefined && isKnown(whole) ? [whole] : parts)),
	};
}

/** The terms that a passage has for one name in it, which is folded. */
export function termsOfName(name: string): readonly string[] {
	return allTermsOf(toName(name));
}

function allTermsOf({ parts, whole }: Name): readonly string[] {
	return whole === undefined ? parts : [...parts, whole];
}

function toName(found: string): Name {
	if (found.length > LONGEST_NAME) return { parts: [] };
	const words = found.split(SEPARATOR).flatMap(wordsOf);
	const parts = words.flatMap((word) => termsOfWord(word.toLowerCase()));
	return words[0] === found ? { parts } : { parts, whole: wholeOf(found.toLowerCase()) };
}

/** `get`, `By` and `Id` say nothing outside of their name. */
function wordsOf(part: string): string[] {
	if (ONE_HUMP.test(part)) return [part];
	const words = part.split(HUMP);
	return words.length === 1 ? words : words.filter((word) => word.length >= SHORTEST_HUMP);
}

function termsOfWord(word: string): string[] {
	if (UNSPACED.test(word)) return pairsOf(word);
	return STOP_WORDS.has(word) ? [] : [stemmer(word)];
}

/** `WebSockets` is the same word as `websocket`. */
function wholeOf(name: string): string {
	return SEPARATOR.test(name) ? name : stemmer(name);
}

/** Neighbouring characters two by two: they stand in for words that only a dictionary could find. */
function pairsOf(word: string): string[] {
	const characters = [...word];
	if (characters.length === 1) return characters;
	return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
