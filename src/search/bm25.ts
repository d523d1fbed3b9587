import { type ComesBefore, createBestMatches } from "../base/words/bestMatches.ts";
import { markOfTerm, type QueryTerms } from "./analyzer.ts";
import type { DocumentRows } from "./documentRows.ts";
import { withRoomFor } from "./growable.ts";
import type { InvertedIndex, Postings } from "./invertedIndex.ts";
import { LEAST_SHARE, type Match } from "./match.ts";
import type { RowColumns } from "./rowColumns.ts";

/** Parameters of BM25: saturation of repeated terms (`K1`) and normalization by length (`B`). */
const K1 = 1.2;
const B = 0.75;

interface Corpus {
	readonly words: InvertedIndex;
	readonly columns: RowColumns;
	readonly documents: DocumentRows;
	/** One zero per row. All searches reuse this array, because allocating it takes longer than using it. */
	scores: Float32Array;
	readonly comesBefore: ComesBefore;
}

/**
 * Ranks by Okapi BM25, with the idf of Lucene, which is never negative.
 * Robertson, Zaragoza: The Probabilistic Relevance Framework: BM25 and Beyond, 2009.
 */
export function rankByTerms(
	terms: readonly string[],
	corpus: Corpus,
	{ limit, mask, least = 0 }: { readonly limit: number; readonly mask: Uint8Array; readonly least?: number },
): RankedMatches {
	const { size } = corpus.documents;
	corpus.scores = withRoomFor(corpus.scores, size);
	const asked = weighTerms(terms, corpus);
	const ranking: Ranking = { corpus, limit: Math.min(limit, size), mask };
	const { telling, most } = tellingOf(asked, least);
	const found = telling > 0 && rankTelling(asked, telling, ranking);
	return found && found.threshold > most ? found : rankAll(asked, ranking);
}

interface Ranking {
	readonly corpus: Corpus;
	readonly limit: number;
	readonly mask: Uint8Array;
}

interface RankedMatches {
	readonly matches: readonly Match[];
	/** Rows with a lower score may be missing from `matches`. */
	readonly threshold: number;
}

/** `weight` is the most that the term can add to the score of a passage. */
interface WeighedTerm extends Postings {
	readonly weight: number;
}

/** Sorts terms by weight, highest first. Scores are always summed in this order, whichever terms are skipped. */
function weighTerms(terms: readonly string[], corpus: Corpus): WeighedTerm[] {
	const weighed: WeighedTerm[] = [];
	for (const [term, times] of countTerms(terms)) {
		const postings = corpus.words.postingsOf(term);
		if (!postings) continue;
		const idf = idfOf(havingIn(postings, corpus.documents), passagesWith(term, corpus));
		weighed.push({ ...postings, weight: times * (K1 + 1) * idf });
	}
	return weighed.sort((a, b) => b.weight - a.weight);
}

/**
 * `telling` is the number of leading terms of which a passage needs at least one to reach the score `least`; 0 if no
 * term can be skipped. `most` is the highest score of a passage without a leading term.
 */
function tellingOf(asked: readonly WeighedTerm[], least: number): { telling: number; most: number } {
	let telling = asked.length;
	let most = 0;
	while (telling > 0 && (most + (asked[telling - 1]?.weight ?? 0)) * ROUNDING < least)
		most += asked[--telling]?.weight ?? 0;
	return { telling: telling === asked.length ? 0 : telling, most: most * ROUNDING };
}

/** Factor for the largest relative error of sums in single precision. */
const ROUNDING = 1 + 1e-5;

/**
 * Ranks the rows with at least one leading term; other terms only add to the scores of these rows.
 * MaxScore without blocks: Turtle, Flood: Query evaluation: strategies and optimizations, 1995.
 */
function rankTelling(asked: readonly WeighedTerm[], telling: number, ranking: Ranking): RankedMatches {
	const { scores } = ranking.corpus;
	for (const term of asked.slice(0, telling)) addScores(ranking.corpus, term);
	for (const term of asked.slice(telling)) addScores(ranking.corpus, term, true);
	const collector = createCollector(ranking);
	for (const { rows } of asked.slice(0, telling))
		for (let at = 0; at < rows.length; at++) collector.take(rows[at] as number, scores);
	return collector.ranked();
}

function rankAll(asked: readonly WeighedTerm[], ranking: Ranking): RankedMatches {
	const { scores, documents } = ranking.corpus;
	for (const term of asked) addScores(ranking.corpus, term);
	const collector = createCollector(ranking);
	if (asked.reduce((sum, { rows }) => sum + rows.length, 0) < documents.size) {
		for (const { rows } of asked)
			for (let at = 0; at < rows.length; at++) collector.take(rows[at] as number, scores);
	} else for (let row = 0; row < documents.size; row++) collector.take(row, scores);
	return collector.ranked();
}

/** Resets the scores of taken rows to zero. */
function createCollector({ corpus, limit, mask }: Ranking) {
	const best = createBestMatches(limit, corpus.comesBefore);
	return {
		take: (row: number, scores: Float32Array) => {
			const score = scores[row] as number;
			if (score === 0) return;
			scores[row] = 0;
			if (mask[row] !== 1) return;
			if (score >= best.threshold) best.offer(row, score);
		},
		ranked: (): RankedMatches => ({ matches: best.matches(), threshold: best.threshold }),
	};
}

const FEWEST_FOR_RARITY = 50;

/** Expresses scores as shares of the score of a passage of average length with every word of the English query once. */
export function createShares(asked: QueryTerms, { words, documents }: Corpus) {
	return sharesOf(asked, documents.passages, (term) => {
		const postings = words.postingsOf(term);
		return idfOf(postings ? havingIn(postings, documents) : 0, documents.passages);
	});
}

export function sharesOf(
	{ readings: [terms = []], language = "en" }: QueryTerms,
	passages: number,
	idfOfTerm: (term: string) => number,
) {
	if (language !== "en" || passages < FEWEST_FOR_RARITY) return { least: 0, shareOf: (_: number) => ({}) };
	const whole = terms.reduce((sum, term) => sum + idfOfTerm(term), 0);
	// A passage with the only word of the query has all of the query, whatever the length of the passage.
	const isOne = new Set(terms).size < 2;
	return {
		least: isOne ? 0 : LEAST_SHARE * whole,
		shareOf: (score: number) => ({ share: isOne ? 1 : score / whole }),
	};
}

/** Computes a term's idf from a passage's score. `length` is relative to the average. */
export function idfOfScore(score: number, { count, length }: { count: number; length: number }): number {
	return (score * (count + K1 * (1 - B + B * length))) / (count * (K1 + 1));
}

/** `length` is relative to the average. */
export function scoreOf(idf: number, { count, length }: { count: number; length: number }): number {
	return (idf * count * (K1 + 1)) / (count + K1 * (1 - B + B * length));
}

/** Adds a term's scores to all rows with the term; if `isScored`, only to rows that have a score already. */
function addScores({ documents, scores, columns }: Corpus, term: WeighedTerm, isScored = false): void {
	const { rows, counts, weight } = term;
	const { lengths } = columns;
	const { passages, terms } = documents;
	const [base, slope] = [K1 * (1 - B), (K1 * B * passages) / Math.max(1, terms)];
	for (let index = 0; index < rows.length; index++) {
		const row = rows[index] as number;
		const score = scores[row] as number;
		if (isScored && score === 0) continue;
		const count = counts[index] as number;
		scores[row] = score + (weight * count) / (count + base + slope * (lengths[row] as number));
	}
}

/** Number of passages in the language of a term. All passages for English, the fallback for uncertain languages. */
function passagesWith(term: string, { words, documents }: Corpus): number {
	const mark = markOfTerm(term);
	if (mark === undefined) return documents.passages;
	const postings = words.postingsOf(mark);
	return postings ? havingIn(postings, documents) : 0;
}

/** Number of visible rows. Postings also contain removed rows and rows that are not visible yet. */
function havingIn({ rows }: Postings, { size, passages, live }: DocumentRows): number {
	if (passages === size) return rows.length;
	let having = 0;
	for (let index = 0; index < rows.length; index++) having += live[rows[index] as number] as number;
	return having;
}

export function idfOf(having: number, passages: number): number {
	return Math.log(1 + (passages - having + 0.5) / (having + 0.5));
}

/** Number of passages with a term of this idf: the inverse of `idfOf`. */
export function havingOf(idf: number, passages: number): number {
	return idf === 0 ? 0 : Math.max(1, Math.round((passages + 1) / Math.exp(idf) - 0.5));
}

export function countTerms(terms: readonly string[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
	return counts;
}
