import { FUNCTION_WORDS } from "../base/language/functionWords.ts";
import type { Language } from "../base/language/languages.ts";
import { stemOf } from "../base/language/stems.ts";
import { isTelling, stemsOf } from "../base/words/relevance.ts";

/** Reads texts as the language of a question has it. */
export interface Words {
	/** The stems of a text, in order; of what is written without spaces, every two characters. */
	order(text: string): string[];
	/** Whether a stem says something of what a text is about. */
	isTelling(stem: string): boolean;
	/** The stems of a text that say something; none where none does. */
	telling(text: string): ReadonlySet<string>;
}

/** Scripts that put no space between words. */
const UNSPACED =
	/^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const ASCII = /^[\0-\x7f]*$/;

const known = new Map<Language, Words>();

/** Where the language is not sure, words are read as English. */
export function wordsIn(language: Language = "en"): Words {
	const words = known.get(language) ?? createWords(language);
	known.set(language, words);
	return words;
}

function createWords(language: Language): Words {
	const { stems, tells } = language === "en" ? { stems: stemsOf, tells: isTelling } : foreignStems(language);
	const order = (text: string) => {
		const all = stems(text);
		return ASCII.test(text) ? all : all.flatMap((stem) => (UNSPACED.test(stem) ? pairsOf([...stem]) : stem));
	};
	return { order, isTelling: tells, telling: (text) => new Set(order(text).filter(tells)) };
}

/** Stems that are kept. */
const MOST_STEMS = 20_000;

function foreignStems(language: Language) {
	const kept = new Map<string, string>();
	const stem = (word: string) => {
		const one = kept.get(word) ?? stemOf(word, language);
		if (kept.size < MOST_STEMS) kept.set(word, one);
		return one;
	};
	const idle = new Set([...FUNCTION_WORDS[language]].map((word) => stemOf(word, language)));
	return {
		stems: (text: string) =>
			(
				text
					.normalize("NFKC")
					.toLowerCase()
					.match(/[\p{L}\p{N}]+/gu) ?? []
			).map(stem),
		tells: (one: string) => !idle.has(one),
	};
}

function pairsOf(characters: readonly string[]): string[] {
	if (characters.length < 2) return [...characters];
	return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
