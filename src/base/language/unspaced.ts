const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const HANGUL = /\p{Script=Hangul}/u;

/** Whether a run of letters may contain several words. */
export function isUnspaced(word: string, language: string): boolean {
	return UNSPACED.test(word) || (language === "ko" && HANGUL.test(word));
}

const WORD_LENGTH = 3;

export function wordsInRun(run: string): number {
	return UNSPACED.test(run) ? Math.ceil(run.length / WORD_LENGTH) : 1;
}

const segmenters = new Map<string, Intl.Segmenter>();

/** Words of a run of letters, according to the dictionary of the language. */
export function segmentsOf(run: string, language: string): string[] {
	const segmenter = segmenters.get(language) ?? new Intl.Segmenter(language, { granularity: "word" });
	segmenters.set(language, segmenter);
	// Normalization splits this Thai vowel, but the dictionary contains only its composed form.
	const written = run.replaceAll("\u0e4d\u0e32", "\u0e33");
	const parts = Array.from(segmenter.segment(written));
	return parts.flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []));
}

/** Overlapping pairs of adjacent characters, for words that only a dictionary could separate. */
export function pairsOf(word: string): string[] {
	const characters = [...word];
	if (characters.length === 1) return characters;
	return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
