import { stemmer } from "stemmer";
import { memoize } from "../jobs/lazily.ts";
import { ACRONYM, STOP_WORDS } from "./stopWords.ts";

/** Weight of the word score. The cosine has the remaining weight. */
const WORDS_WEIGHT = 0.5;
/** Cosine that is usual for unrelated texts with the built-in embedder. */
const UNRELATED = 0.1;

const STOP_STEMS: ReadonlySet<string> = new Set([...STOP_WORDS].map(stemmer));

/** Maximum number of cached stems; a small vocabulary makes up most of any text. */
const MOST_STEMS = 50_000;

export interface Weighable {
	readonly words: ReadonlySet<string>;
	/** A unit vector; empty or zeros if missing. */
	readonly vector: Float32Array;
}

/** A text without a vector, to be compared by words only. */
export function weigh(text: string): Weighable {
	return { words: wordsOf(text), vector: new Float32Array() };
}

/** Stems of a text's words, without stop words unless the text has only stop words. */
export function wordsOf(text: string): ReadonlySet<string> {
	const stems = stemsOf(text);
	const telling = stems.filter(isTelling);
	return new Set(telling.length > 0 ? telling : stems);
}

const stemOf = memoize(stemmer, MOST_STEMS);

function stemsOf(text: string): string[] {
	const words = text.normalize("NFKC").match(/[\p{L}\p{N}]+/gu) ?? [];
	const hasAcronyms = /\p{Ll}/u.test(text);
	return words.map((word) => {
		const stem = stemOf(word.toLowerCase());
		return hasAcronyms && !isTelling(stem) && ACRONYM.test(word) ? word : stem;
	});
}

function isTelling(stem: string): boolean {
	return !STOP_STEMS.has(stem);
}

/** Relevance, 0 to 1: half matched idf of query words (Robertson and Spärck Jones, never negative), half cosine. */
export function relevanceOf(query: Weighable, candidates: readonly Weighable[]): number[] {
	const weights = new Map(
		[...query.words].map((word) => {
			const having = candidates.filter(({ words }) => words.has(word)).length;
			return [word, Math.log(1 + (candidates.length - having + 0.5) / (having + 0.5))] as const;
		}),
	);
	const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0) || 1;
	const hasVectors = query.vector.some((value) => value !== 0);
	return candidates.map(({ words, vector }) => {
		let shared = 0;
		for (const [word, weight] of weights) if (words.has(word)) shared += weight;
		if (!hasVectors) return shared / total;
		const meaning = Math.max(0, cosine(query.vector, vector) - UNRELATED) / (1 - UNRELATED);
		return WORDS_WEIGHT * (shared / total) + (1 - WORDS_WEIGHT) * meaning;
	});
}

/** Cosine of unit vectors; 0 if a vector is missing. */
export function cosine(a: Float32Array, b: Float32Array): number {
	if (a.length !== b.length) return 0;
	let sum = 0;
	for (let index = 0; index < a.length; index++) sum += (a[index] ?? 0) * (b[index] ?? 0);
	return sum;
}
