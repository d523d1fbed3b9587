import type { Collection } from "./collection.ts";
import { type Judged, judgeRankings } from "./judge.ts";

/** Usual parameters of BM25. */
const K1 = 1.2;
const B = 0.75;

const LETTERS = 6;
const DEPTH = 100;

export const WHOLE_DOCUMENTS = `BM25 over whole documents, words cut to ${LETTERS} letters`;

/** Judges a BM25 over whole documents without language rules, as a baseline. */
export function judgeWholeDocuments(collection: Collection): Judged {
	const { files, queries } = collection;
	const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });
	const termsOf = (text: string) => {
		const plain = text.toLowerCase().normalize("NFC");
		return [...segmenter.segment(plain)].flatMap(({ segment, isWordLike }) =>
			isWordLike ? Array.from(segment).slice(0, LETTERS).join("") : [],
		);
	};
	const texts = files.map(({ text }) => termsOf(text));
	const documents = texts.map(countOf);
	const lengths = texts.map(({ length }) => length);
	const usual = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
	const having = countOf(documents.flatMap((counts) => [...counts.keys()]));
	const rankings = queries.map(({ text }) => {
		const asked = [...countOf(termsOf(text))].flatMap(([term, times]) => {
			const many = having.get(term);
			return many ? [{ term, weight: times * Math.log(1 + (files.length - many + 0.5) / (many + 0.5)) }] : [];
		});
		const scores = documents.map((counts, index) =>
			asked.reduce((sum, { term, weight }) => {
				const count = counts.get(term) ?? 0;
				const norm = K1 * (1 - B + (B * (lengths[index] ?? 0)) / usual);
				return sum + (weight * count * (K1 + 1)) / (count + norm);
			}, 0),
		);
		const found = [...scores.keys()].filter((index) => (scores[index] ?? 0) > 0);
		found.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
		return found.slice(0, DEPTH).map((index) => files[index]?.id ?? "");
	});
	return judgeRankings(collection, rankings);
}

function countOf(terms: readonly string[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
	return counts;
}
