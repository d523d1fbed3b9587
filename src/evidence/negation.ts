import { stemmer } from "stemmer";
import { FUNCTION_WORDS } from "../base/language/functionWords.ts";
import { wordsIn } from "./sourceText.ts";

const NEGATIONS =
	/^(?:no|not|never|none|nobody|neither|nor|without|cannot|n?t|nicht|nie|niemals|niemand|kein\p{L}{0,2}|ohne|ne|pas|jamais|aucune?|sans)$/u;
const FUNCTION: ReadonlySet<string> = new Set(
	(["en", "de", "fr"] as const).flatMap((language) =>
		[...FUNCTION_WORDS[language]].map((word) => wordsIn(word)[0] ?? word),
	),
);
const SENTENCE = /(?<=[.!?;])\s+|\n+/;
/** Fewer words in common say too little. */
const SHARED = 3;

/** The word by which a sentence of the lines says the opposite in the same words, or `undefined`. */
export function negatedWord(statement: string, lines: readonly string[]): string | undefined {
	const said = readSentence(statement);
	if (said.words.size < SHARED) return undefined;
	const alike = lines
		.flatMap((text) => text.split(SENTENCE))
		.map(readSentence)
		.filter(({ words }) => said.words.isSubsetOf(words) && words.size <= said.words.size + 1);
	const opposed = alike.filter(({ negations }) => negations.length % 2 !== said.negations.length % 2);
	if (opposed.length === 0 || opposed.length < alike.length) return undefined;
	return said.negations[0] ?? opposed[0]?.negations[0];
}

function readSentence(text: string) {
	const words = wordsIn(text);
	const told = words.filter((word) => !NEGATIONS.test(word) && !FUNCTION.has(word));
	return { words: new Set(told.map(stemmer)), negations: words.filter((word) => NEGATIONS.test(word)) };
}
