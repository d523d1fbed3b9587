import { type ComesBefore, createBestMatches } from "../base/words/bestMatches.ts";
import { markOfTerm, type QueryTerms } from "./analyzer.ts";
import type { DocumentRows } from "./documentRows.ts";
import { withRoomFor } from "./growable.ts";
import type { InvertedIndex, Postings } from "./invertedIndex.ts";
import { LEAST_SHARE, type Match, type TextMatches } from "./match.ts";
import type { RowColumns } from "./rowColumns.ts";

/** How soon a term that is repeated says nothing new, and how much oftener a long passage must say it. */
const K1 = 1.2;
const B = 0.75;

/** What is searched. */
interface Corpus {
	readonly words: InvertedIndex;
	readonly columns: RowColumns;
	readonly documents: DocumentRows;
	/** Zeros, for every row one, kept between two searches: to make them anew takes longer than to use them. */
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
): TextMatches {
	const { size } = corpus.documents;
	corpus.scores = withRoomFor(corpus.scores, size);
	const { scores } = corpus;
	const asked = countTerms(terms);
	for (const [term, times] of asked) addScores(corpus, term, times);
	const best = createBestMatches(Math.min(limit, size), corpus.comesBefore);
	let total = 0;
	const take = (row: number) => {
		const score = scores[row] as number;
		if (score === 0) return;
		scores[row] = 0;
		if (mask[row] !== 1) return;
		if (score >= least) total++;
		if (score >= best.threshold) best.offer(row, score);
	};
	const lists = [...asked.keys()].map((term) => corpus.words.postingsOf(term)?.rows ?? NO_ROWS);
	// Where words are rare, few rows have a score.
	if (lists.reduce((sum, rows) => sum + rows.length, 0) < size) {
		for (const rows of lists) for (let at = 0; at < rows.length; at++) take(rows[at] as number);
	} else for (let row = 0; row < size; row++) take(row);
	return { matches: best.matches(), total };
}

const NO_ROWS = new Uint32Array(0);

/** Passages; in fewer no word is telling. */
const FEW = 50;

/** What scores are of the score of a passage of usual length that has every word of a query in English once. */
export function createShares(
	asked: Pick<QueryTerms, "readings" | "language">,
	{ words, documents }: Pick<Corpus, "words" | "documents">,
) {
	return sharesOf(asked, documents.passages, (term) => {
		const postings = words.postingsOf(term);
		return idfOf(postings ? havingIn(postings, documents) : 0, documents.passages);
	});
}

/** The same, wherever the idf of a term is known from. */
export function sharesOf(
	{ readings: [terms = []], language = "en" }: Pick<QueryTerms, "readings" | "language">,
	passages: number,
	idfOfTerm: (term: string) => number,
) {
	if (language !== "en" || passages < FEW) return { least: 0, shareOf: () => ({}) };
	const whole = terms.reduce((sum, term) => sum + idfOfTerm(term), 0);
	// A passage with the only word of a query has it, however long it is.
	const isOne = new Set(terms).size < 2;
	return {
		/** The score of what has as much of the query as matters. */
		least: isOne ? 0 : LEAST_SHARE * whole,
		shareOf: (score: number): Pick<Match, "share"> => ({ share: isOne ? 1 : score / whole }),
	};
}

/** The idf by which a passage has a score: how often it has the term, and its length as part of the usual one. */
export function idfOfScore(score: number, { count, length }: { count: number; length: number }): number {
	return (score * (count + K1 * (1 - B + B * length))) / (count * (K1 + 1));
}

function addScores(corpus: Corpus, term: string, times: number): void {
	const postings = corpus.words.postingsOf(term);
	if (!postings) return;
	const { passages, terms } = corpus.documents;
	const [base, slope] = [K1 * (1 - B), (K1 * B * passages) / Math.max(1, terms)];
	const weight = times * (K1 + 1) * idfOf(havingIn(postings, corpus.documents), passagesWith(term, corpus));
	const { rows, counts } = postings;
	const { scores } = corpus;
	const { lengths } = corpus.columns;
	for (let index = 0; index < rows.length; index++) {
		const row = rows[index] as number;
		const count = counts[index] as number;
		scores[row] =
			(scores[row] as number) + (weight * count) / (count + base + slope * (lengths[row] as number));
	}
}

/** How many passages are read in the language of a term. Of what is read as English, nobody is sure: that may be all. */
function passagesWith(term: string, { words, documents }: Corpus): number {
	const mark = markOfTerm(term);
	if (mark === undefined) return documents.passages;
	const postings = words.postingsOf(mark);
	return postings ? havingIn(postings, documents) : 0;
}

/** Rows that are gone, or not shown yet, have their postings as well. */
function havingIn({ rows }: Postings, { size, passages, live }: DocumentRows): number {
	if (passages === size) return rows.length;
	let having = 0;
	for (let index = 0; index < rows.length; index++) having += live[rows[index] as number] as number;
	return having;
}

export function idfOf(having: number, passages: number): number {
	return Math.log(1 + (passages - having + 0.5) / (having + 0.5));
}

function countTerms(terms: readonly string[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
	return counts;
}
