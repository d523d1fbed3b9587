import { languageOf } from "../base/language/detect.ts";
import type { Language } from "../base/language/languages.ts";
import type { Asking } from "./asking/asking.ts";
import { ENGLISH } from "./asking/english.ts";
import { FRENCH } from "./asking/french.ts";
import { GERMAN } from "./asking/german.ts";
import { type Words, wordsIn } from "./words.ts";

/** How a question's language is read. */
export interface Grammar {
	readonly words: Words;
	readonly asking: Asking;
	/** The stems of properties that a word of a question can ask for: its own, and others. */
	askedFor(stem: string): readonly string[];
}

const ASKING: Readonly<Partial<Record<Language, Asking>>> = { en: ENGLISH, de: GERMAN, fr: FRENCH };

const known = new Map<Language, Grammar>();

/** Of English, where the language of a question is not sure. */
export function grammarOf(question: string): Grammar {
	const language = languageOf(question) ?? "en";
	const grammar = known.get(language) ?? createGrammar(language);
	known.set(language, grammar);
	return grammar;
}

function createGrammar(language: Language): Grammar {
	const words = wordsIn(language);
	const asking = ASKING[language] ?? ENGLISH;
	const relations = new Map<string, readonly string[]>();
	for (const [questions, properties] of Object.entries(asking.relations))
		for (const stem of words.order(questions)) relations.set(stem, [stem, ...words.order(properties)]);
	return { words, asking, askedFor: (stem) => relations.get(stem) ?? [stem] };
}
