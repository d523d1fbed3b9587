import { stemmer } from "stemmer";
import { FUNCTION_WORDS } from "../base/language/functionWords.ts";
import { numberOf } from "../base/quantities/quantities.ts";
import { wordsIn } from "./sourceText.ts";

const FUNCTION: ReadonlySet<string> = new Set(
	(["en", "de", "fr"] as const).flatMap((language) =>
		[...FUNCTION_WORDS[language], "uhr"].map((word) => wordsIn(word)[0] ?? word),
	),
);

/** Whether a word of `wordsIn` says something. */
export function tells(word: string): boolean {
	return !FUNCTION.has(word);
}

/** The stem of a word of `wordsIn`; of a number, its digits. */
export function stemOf(word: string): string {
	return String(numberOf(word) ?? stemmer(word));
}

/** Stems of the words that say something. */
export function tellingWords(text: string): ReadonlySet<string> {
	return new Set(wordsIn(text).filter(tells).map(stemOf));
}
