import type { Descriptor } from "../core/knowledge/descriptor.ts";
import { createAnalyzer } from "./analyzer.ts";
import { idfOf } from "./bm25.ts";
import { createInvertedIndex, NO_POSTINGS } from "./invertedIndex.ts";
import { createVectorRows } from "./vectorRows.ts";

interface DescriptorQuery {
	readonly query: string;
	/** Unit vector from the index's embedder. If absent, only words count. */
	readonly vector?: Float32Array | undefined;
	/** Cosine of a text that is unrelated to the question. */
	readonly typicalCosine: number;
}

export type DescriptorIndex = ReturnType<typeof createDescriptorIndex>;

const MOST_SEARCHED_CHARACTERS = 4000;

const NEAREST = 100;

/** `dimensions` is 0 if there are no vectors. */
export function createDescriptorIndex(dimensions: number) {
	const rows = new Map<string, number>();
	const words = createInvertedIndex(NO_POSTINGS);
	const analyzer = createAnalyzer();
	const vectors = dimensions > 0 ? createVectorRows(dimensions) : undefined;
	return {
		get size() {
			return rows.size;
		},
		has: (hash: string) => rows.has(hash),
		/** A vector that is empty or has only zeros never matches. */
		add: (hash: string, descriptor: Descriptor, vector: Float32Array) => {
			words.add(rows.size, analyzer.termsOf(textOf(descriptor)).terms);
			vectors?.add(vector);
			rows.set(hash, rows.size);
		},
		/** The relevant contents, best first, with scores from 0 to 1. Contents outside of `hashes` only affect rarity. */
		match: (query: DescriptorQuery, hashes: Iterable<string>) => {
			const shown = [...hashes].filter((hash) => rows.has(hash));
			const mask = new Uint8Array(rows.size);
			for (const hash of shown) mask[rows.get(hash) ?? 0] = 1;
			const [inWords, near] = [wordShares(query, mask), cosines(query, mask)];
			const matches = shown.map((hash) => {
				const row = rows.get(hash) ?? 0;
				// Combines words and meaning as independent evidence, so that either may suffice.
				return { hash, score: 1 - (1 - (inWords[row] ?? 0)) * (1 - (near.get(row) ?? 0)) };
			});
			return matches
				.filter(({ score }) => score > 0)
				.sort((a, b) => b.score - a.score || (a.hash < b.hash ? -1 : 1));
		},
	};

	function wordShares({ query }: DescriptorQuery, mask: Uint8Array): Float32Array {
		const having = (term: string) =>
			(words.postingsOf(term) ?? NO_POSTINGS).rows.filter((row) => mask[row] === 1);
		const isKnown = (term: string) => having(term).length > 0;
		const { terms } = analyzer.queryTermsOf(query.slice(0, MOST_SEARCHED_CHARACTERS), isKnown);
		return sharesOfWords([...new Set(terms)].map(having), mask);
	}

	/** The excess of the cosine over `typicalCosine`, from 0 to 1, for the nearest rows. */
	function cosines({ vector, typicalCosine }: DescriptorQuery, mask: Uint8Array): Map<number, number> {
		if (!vectors || vector?.length !== dimensions) return new Map();
		const known = [...rows.keys()];
		const comesBefore = (row: number, other: number) => (known[row] ?? "") < (known[other] ?? "");
		const nearest = vectors.match(vector, { limit: NEAREST, mask, comesBefore });
		const above = (cosine: number) => Math.max(0, (cosine - typicalCosine) / (1 - typicalCosine));
		return new Map(nearest.map(({ row, score }) => [row, above(score)]));
	}
}

export function textOf({ purpose, applicability, evaluation }: Descriptor): string {
	return [purpose, applicability, evaluation].join("\n");
}

function sharesOfWords(rows: readonly Uint32Array[], mask: Uint8Array): Float32Array {
	const shares = new Float32Array(mask.length);
	const size = mask.reduce((sum, one) => sum + one, 0);
	let total = 0;
	for (const having of rows) {
		// A word that is in no descriptor counts as if it were in one.
		const weight = idfOf(Math.max(1, having.length), size);
		total += weight;
		for (const row of having) shares[row] = (shares[row] ?? 0) + weight;
	}
	return total > 0 ? shares.map((share) => share / total) : shares;
}
