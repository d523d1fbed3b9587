import type { TextMatches } from "../store.ts";
import { createBestMatches } from "./bestMatches.ts";
import type { DocumentRows } from "./documentRows.ts";
import type { InvertedIndex, Postings } from "./invertedIndex.ts";
import type { RowColumns } from "./rowColumns.ts";

/** How soon a term that is repeated says nothing new, and how much oftener a long passage must say it. */
const K1 = 1.2;
const B = 0.75;

/** What is searched. */
interface Corpus {
	readonly words: InvertedIndex;
	readonly columns: RowColumns;
	readonly documents: DocumentRows;
}

/**
 * Ranks by Okapi BM25, with the idf of Lucene, which is never negative.
 * Robertson, Zaragoza: The Probabilistic Relevance Framework: BM25 and Beyond, 2009.
 */
export function rankByTerms(
	terms: readonly string[],
	corpus: Corpus,
	{ limit, mask }: { readonly limit: number; readonly mask: Uint8Array },
): TextMatches {
	const { size } = corpus.documents;
	const scores = new Float32Array(size);
	for (const [term, times] of countTerms(terms)) addScores(scores, corpus, term, times);
	const best = createBestMatches(Math.min(limit, size));
	let total = 0;
	for (let row = 0; row < size; row++) {
		const score = scores[row] as number;
		if (score === 0 || mask[row] !== 1) continue;
		total++;
		if (score > best.threshold) best.offer(row, score);
	}
	return { matches: best.matches(), total };
}

function addScores(scores: Float32Array, corpus: Corpus, term: string, times: number): void {
	const postings = corpus.words.postingsOf(term);
	if (!postings) return;
	const { passages, terms } = corpus.documents;
	const [base, slope] = [K1 * (1 - B), (K1 * B * passages) / Math.max(1, terms)];
	const weight = times * (K1 + 1) * idfOf(postings, passages);
	const { rows, counts } = postings;
	const { lengths } = corpus.columns;
	for (let index = 0; index < rows.length; index++) {
		const row = rows[index] as number;
		const count = counts[index] as number;
		const norm = base + slope * (lengths[row] as number);
		scores[row] = (scores[row] as number) + (weight * count) / (count + norm);
	}
}

/** Rows that are gone have their postings until the index is packed: they count, but not beyond what is there. */
function idfOf({ rows }: Postings, passages: number): number {
	const having = Math.min(rows.length, passages);
	return Math.log(1 + (passages - having + 0.5) / (having + 0.5));
}

function countTerms(terms: readonly string[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
	return counts;
}
