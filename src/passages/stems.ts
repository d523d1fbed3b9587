import { isTelling, stemsOf } from "../base/relevance.ts";

/** Scripts that put no space between words. */
const UNSPACED =
	/^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** The stems of a text, in order; of what is written without spaces, every two characters. */
export function orderedStems(text: string): string[] {
	return stemsOf(text).flatMap((stem) => (UNSPACED.test(stem) ? pairsOf([...stem]) : [stem]));
}

/** Those that say something; none where none does. */
export function tellingStems(text: string): ReadonlySet<string> {
	return new Set(orderedStems(text).filter(isTelling));
}

function pairsOf(characters: readonly string[]): string[] {
	if (characters.length < 2) return [...characters];
	return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
