import { wordMap } from "../words/wordList.ts";
import type { Counted } from "../words/wordTable.ts";
import { FUNCTION_WORDS, LANGUAGES, type Language, OTHER_SCRIPTS } from "./languages.ts";
import { wordsInRun } from "./unspaced.ts";

/** Evidence in a word for the language of its text: one bit per language, by its index in `LANGUAGES`. */
export interface Clues {
	/** Languages whose function words or script include the word. */
	readonly surely: number;
	/** Languages with distinctive letters that the word contains. */
	readonly maybe: number;
	/** Estimated number of words; more than 1 in scripts without spaces. */
	readonly words: number;
}

/** Minimum share of words that must indicate a language. */
const LEAST_SHARE = 0.15;

const SURELY = 2;
const MAYBE = 1;
/** Minimum total weight for languages that share their script. */
const LEAST = 3;

/** Another language must have this multiple of the weight of English, which shares function words with many. */
const MARGIN = 1.5;

/** Letters that distinguish a language from English and other languages. */
const LETTERS: Readonly<Partial<Record<Language, string>>> = Object.fromEntries(
	wordMap(`
		de=äöüß fr=éèêàçœùûô es=ñáéíóú it=àèìòù pt=áéíóúãõ pl=ąćęłńśźż cs=áéíóúěřůčšžýťďň sv=äöå tr=äöüığş
		vi=ơưđăạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ da=æøå fi=äö hu=áéíóöúüőű ro=ăâîșțşţ
	`),
);

/** Scripts by their letters. Greek needs two letters, because a single Greek letter is often a symbol in a formula. */
const NOT_LATIN: readonly (readonly [letters: RegExp, languages: readonly Language[]])[] = [
	[/[ыэёъ]/, ["ru"]],
	[/[іїєґ]/, ["uk"]],
	[/\p{Script=Cyrillic}/u, ["ru", "uk"]],
	[/[\p{Script=Hiragana}\p{Script=Katakana}]/u, ["ja"]],
	[/\p{Script=Han}/u, ["zh", "ja"]],
	[/\p{Script=Hangul}/u, ["ko"]],
	[/\p{Script=Thai}/u, ["th"]],
	[/\p{Script=Greek}{2}/u, ["el"]],
	[/\p{Script=Arabic}/u, ["ar"]],
	[/\p{Script=Devanagari}/u, ["hi"]],
];

const PLAIN = /^[a-z0-9._]*$/;
const ENGLISH = bitsOf(["en"]);
const SCRIPTS = bitsOf([...OTHER_SCRIPTS]);

const OF_LETTER = bitsByItem(LETTERS);

/** Languages of each function word, as bits: one lookup covers all languages. */
const GRAMMAR = bitsByItem(FUNCTION_WORDS);

/** Clues of a word as written. A single Latin letter indicates little, because it is often a variable. */
export function cluesOf(word: string): Clues {
	const lower = word.toLowerCase();
	const known = GRAMMAR.get(lower) ?? 0;
	if (PLAIN.test(lower))
		return lower.length > 1
			? { surely: known, maybe: 0, words: 1 }
			: { surely: 0, maybe: known & ENGLISH, words: 1 };
	const script = NOT_LATIN.find(([letters]) => letters.test(lower));
	if (script) return { surely: bitsOf(script[1]), maybe: 0, words: wordsInRun(lower) };
	let maybe = 0;
	for (const letter of lower) maybe |= OF_LETTER.get(letter) ?? 0;
	return { surely: known, maybe, words: 1 };
}

function bitsByItem(lists: Readonly<Partial<Record<Language, Iterable<string>>>>) {
	const bits = new Map<string, number>();
	for (const language of LANGUAGES)
		for (const item of lists[language] ?? []) bits.set(item, (bits.get(item) ?? 0) | bitsOf([language]));
	return bits;
}

function bitsOf(languages: readonly Language[]): number {
	return languages.reduce((bits, language) => bits | (1 << LANGUAGES.indexOf(language)), 0);
}

/** Language of a text; `undefined` if uncertain. */
export function languageOf(text: string): Language | undefined {
	const words = text.normalize("NFKC").match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
	return detectLanguage(words.map((word) => ({ ...cluesOf(word), times: 1 })));
}

/** Language that most words of a text indicate; `undefined` if too few words indicate a language. */
export function detectLanguage(words: readonly (Clues & Counted)[]): Language | undefined {
	const votes = new Uint32Array(LANGUAGES.length);
	let count = 0;
	for (const { surely, maybe, words: length, times } of words) {
		const weight = length * times;
		count += weight;
		if (surely !== 0) vote(votes, surely, SURELY * weight);
		if (maybe !== 0) vote(votes, maybe & ~surely, MAYBE * weight);
	}
	const best = votes.indexOf(Math.max(...votes));
	return isSure(best, votes, count) ? LANGUAGES[best] : undefined;
}

function vote(votes: Uint32Array, languages: number, weight: number): void {
	for (let bits = languages; bits !== 0; bits &= bits - 1) {
		const language = 31 - Math.clz32(bits & -bits);
		votes[language] = (votes[language] as number) + weight;
	}
}

function isSure(best: number, votes: Uint32Array, words: number): boolean {
	const [count, english] = [votes[best] as number, votes[0] as number];
	if (count === 0 || count < SURELY * LEAST_SHARE * words) return false;
	if ((SCRIPTS & (1 << best)) !== 0) return true;
	return count >= LEAST && (best === 0 || count > MARGIN * english);
}
