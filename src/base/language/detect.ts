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

const SCRIPTS = bitsOf(["ru", "uk", "zh", "ja", "ko", "th"]);

const NONE: readonly Language[] = [];

/** Of a word as it is written. A single letter of Latin is as often a variable. */
export function cluesOf(word: string): Clues {
	const lower = word.toLowerCase();
	const script = PLAIN.test(lower) ? undefined : NOT_LATIN.find(([letters]) => letters.test(lower));
	if (script) return { surely: bitsOf(script[1]), maybe: 0 };
	const known = LANGUAGES.filter((language) => FUNCTION_WORDS[language].has(lower));
	const surely = lower.length > 1 ? known : known.filter((language) => language === "en");
	const maybe = LETTERS.flatMap(([letters, languages]) => (letters.test(lower) ? languages : NONE));
	return { surely: bitsOf(surely), maybe: bitsOf(maybe) };
}

function bitsOf(languages: readonly Language[]): number {
	return languages.reduce((bits, language) => bits | (1 << LANGUAGES.indexOf(language)), 0);
}

/** The language of a text; `undefined` where that is not sure. */
export function languageOf(text: string): Language | undefined {
	const words = text.normalize("NFKC").match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
	return detectLanguage(words.map(cluesOf));
}

/** The language that most of a text's words speak for; `undefined` where too few do. */
export function detectLanguage(words: readonly Clues[]): Language | undefined {
	const votes = new Uint32Array(LANGUAGES.length);
	for (const { surely, maybe } of words) {
		if (surely !== 0) vote(votes, surely, SURELY);
		if (maybe !== 0) vote(votes, maybe & ~surely, MAYBE);
	}
	const best = votes.indexOf(Math.max(...votes));
	return isSure(best, votes, words.length) ? LANGUAGES[best] : undefined;
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
