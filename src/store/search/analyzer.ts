import { stemmer } from "stemmer";
import { STOP_WORDS } from "./stopWords.ts";

/** Turns texts into the terms that passages are found by. */
export interface Analyzer {
	/** Of a passage: the stems of its words and of the parts of its names, and its whole names; with repetitions. */
	termsOf(text: string): string[];
	/** Of a query: a whole name where a passage has it, else its parts. */
	queryTermsOf(text: string, isKnown: (term: string) => boolean): string[];
}

/** Another number where the same text gives other terms. */
export const ANALYZER_VERSION = 1;

/** A word, or several that make one name: `snake_case`, `fs.readFile`, `m5.large`, `3.14`. */
const NAME = /[\p{L}\p{N}]+(?:[._]+[\p{L}\p{N}]+)*/gu;
const ASCII_NAME = /[A-Za-z0-9]+(?:[._]+[A-Za-z0-9]+)*/g;
const NOT_ASCII = /[\u0080-\uffff]/;
const SEPARATOR = /[._]+/;

/** `HTTP|Server` and `get|Element`. */
const HUMP = /(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u;

/** Characters. */
const SHORTEST_HUMP = 4;

/** Scripts that put no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Characters; what is longer is data, such as an image written as text. */
const LONGEST_NAME = 100;

const CACHED_NAMES = 65_536;

/** A name as it was understood: `whole` is absent where it is but one word. */
interface Name {
	readonly parts: readonly string[];
	readonly whole?: string;
}

export function createAnalyzer(): Analyzer {
	const cache = new Map<string, Name>();
	return {
		termsOf(text) {
			const terms: string[] = [];
			for (const found of namesIn(text)) {
				const { parts, whole } = understand(found);
				for (const part of parts) terms.push(part);
				if (whole !== undefined) terms.push(whole);
			}
			return terms;
		},
		queryTermsOf: (text, isKnown) =>
			namesIn(text).flatMap((found) => {
				const { parts, whole } = understand(found);
				return whole !== undefined && isKnown(whole) ? [whole] : parts;
			}),
	};

	/** Few different words make up most of any text. */
	function understand(found: string): Name {
		const known = cache.get(found);
		if (known) return known;
		const name = toName(found);
		if (cache.size >= CACHED_NAMES) cache.clear();
		cache.set(found, name);
		return name;
	}
}

/** Diacritics are folded. */
function namesIn(text: string): readonly string[] {
	if (!NOT_ASCII.test(text)) return text.match(ASCII_NAME) ?? [];
	return text.normalize("NFKD").replace(/\p{M}/gu, "").match(NAME) ?? [];
}

function toName(found: string): Name {
	if (found.length > LONGEST_NAME) return { parts: [] };
	const words = found.split(SEPARATOR).flatMap(wordsOf);
	const parts = words.flatMap((word) => termsOfWord(word.toLowerCase()));
	return words[0] === found ? { parts } : { parts, whole: wholeOf(found.toLowerCase()) };
}

/** `get`, `By` and `Id` say nothing outside of their name. */
function wordsOf(part: string): string[] {
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
