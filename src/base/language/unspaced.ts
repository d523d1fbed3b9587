/** Scripts that put no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const HANGUL = /\p{Script=Hangul}/u;

/** Whether a run of letters is no single word. */
export function isUnspaced(word: string, language: string): boolean {
	return UNSPACED.test(word) || (language === "ko" && HANGUL.test(word));
}

const WORD_LENGTH = 3;

export function wordsInRun(run: string): number {
	return UNSPACED.test(run) ? Math.ceil(run.length / WORD_LENGTH) : 1;
}

const segmenters = new Map<string, Intl.Segmenter>();

/** The words of a run of letters, as the dictionary of the language finds them. */
export function segmentsOf(run: string, language: string): string[] {
	const segmenter = segmenters.get(language) ?? new Intl.Segmenter(language, { granularity: "word" });
	segmenters.set(language, segmenter);
	// Normalization takes this vowel of Thai apart, and the dictionary has no words with its parts.
	const written = run.replaceAll("\u0e4d\u0e32", "\u0e33");
	const parts = Array.from(segmenter.segment(written));
	return parts.flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []));
}

/** Overlapping pairs of neighbouring characters, in place of words that only a dictionary could find. */
export function pairsOf(word: string): string[] {
	const characters = [...word];
	if (characters.length === 1) return characters;
	return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
