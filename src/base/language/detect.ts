import type { Counted } from "../words/textReader.ts";
import { FUNCTION_WORDS } from "./functionWords.ts";
import { LANGUAGES, type Language } from "./languages.ts";

/** What a word says about the language of its text: a bit for each language, by the language's place in the list. */
export interface Clues {
	/** Those whose grammar or script it is of. */
	readonly surely: number;
	/** Those that have its letters. */
	readonly maybe: number;
}

/** Part of the words that must speak for a language. */
const LEAST_SHARE = 0.15;

/** What the two kinds of clues count for, and together at least: fewer may be an accident, where others have the script too. */
const SURELY = 2;
const MAYBE = 1;
const LEAST = 3;

/** How many times as much must speak for another language than for English, which has words of grammar in common with all. */
const MARGIN = 1.5;

/** Letters that few languages have. Of languages with one script, what speaks for one is what the others do not have. */
const LETTERS: readonly (readonly [letters: RegExp, languages: readonly Language[]])[] = [
	[/[äöü]/, ["de", "sv", "tr"]],
	[/ß/, ["de"]],
	[/[éèêàçœùûîô]/, ["fr"]],
	[/[ñ]/, ["es"]],
	[/[áéíóú]/, ["es", "pt", "cs"]],
	[/[ãõ]/, ["pt"]],
	[/[àèìòù]/, ["it"]],
	[/[ąćęłńśźż]/, ["pl"]],
	[/[ěřůčšžýťďň]/, ["cs"]],
	[/[å]/, ["sv"]],
	[/[ığş]/, ["tr"]],
	[/[ơưđăạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/, ["vi"]],
];

const NOT_LATIN: readonly (readonly [letters: RegExp, languages: readonly Language[]])[] = [
	[/[ыэёъ]/, ["ru"]],
	[/[іїєґ]/, ["uk"]],
	[/\p{Script=Cyrillic}/u, ["ru", "uk"]],
	[/[\p{Script=Hiragana}\p{Script=Katakana}]/u, ["ja"]],
	[/\p{Script=Han}/u, ["zh", "ja"]],
	[/\p{Script=Hangul}/u, ["ko"]],
	[/\p{Script=Thai}/u, ["th"]],
];

const PLAIN = /^[a-z0-9._]*$/;

const ENGLISH = bitsOf(["en"]);

const SCRIPTS = bitsOf(["ru", "uk", "zh", "ja", "ko", "th"]);

const NONE: readonly Language[] = [];

/** The languages that have a word of grammar, as bits: one lookup for all of them. */
const GRAMMAR = grammarBits();

/** Takes a word as written. A single Latin letter is as often a variable. */
export function cluesOf(word: string): Clues {
	const lower = word.toLowerCase();
	const known = GRAMMAR.get(lower) ?? 0;
	const surely = lower.length > 1 ? known : known & ENGLISH;
	if (PLAIN.test(lower)) return { surely, maybe: 0 };
	const script = NOT_LATIN.find(([letters]) => letters.test(lower));
	if (script) return { surely: bitsOf(script[1]), maybe: 0 };
	const maybe = LETTERS.flatMap(([letters, languages]) => (letters.test(lower) ? languages : NONE));
	return { surely, maybe: bitsOf(maybe) };
}

function grammarBits(): ReadonlyMap<string, number> {
	const bits = new Map<string, number>();
	for (const language of LANGUAGES)
		for (const word of FUNCTION_WORDS[language]) bits.set(word, (bits.get(word) ?? 0) | bitsOf([language]));
	return bits;
}

function bitsOf(languages: readonly Language[]): number {
	return languages.reduce((bits, language) => bits | (1 << LANGUAGES.indexOf(language)), 0);
}

/** The language of a text; `undefined` if that is not sure. */
export function languageOf(text: string): Language | undefined {
	const words = text.normalize("NFKC").match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
	return detectLanguage(words.map((word) => ({ ...cluesOf(word), times: 1 })));
}

/** The language that most of a text's words speak for; `undefined` where too few do. */
export function detectLanguage(words: readonly (Clues & Counted)[]): Language | undefined {
	const votes = new Uint32Array(LANGUAGES.length);
	let count = 0;
	for (const { surely, maybe, times } of words) {
		count += times;
		if (surely !== 0) vote(votes, surely, SURELY * times);
		if (maybe !== 0) vote(votes, maybe & ~surely, MAYBE * times);
	}
	const best = placeOfMost(votes);
	return isSure(best, votes, count) ? LANGUAGES[best] : undefined;
}

function placeOfMost(votes: Uint32Array): number {
	let best = 0;
	for (let place = 1; place < votes.length; place++)
		if ((votes[place] as number) > (votes[best] as number)) best = place;
	return best;
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
