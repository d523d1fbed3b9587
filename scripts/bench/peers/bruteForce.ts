import type { Peer } from "./peer.ts";
import { TOP } from "./peer.ts";

/** The baseline in plain JavaScript: compares every vector. */
export const bruteForce: Peer = {
	name: "JavaScript scan",
	by: "vector",
	most: 1_000_000,
	open: ({ vectors, dimensions }) => ({
		count: () => vectors.length / dimensions,
		search: ({ vector }) => nearest(vectors, vector),
		close: () => undefined,
	}),
};

/** The indexes of the rows with the largest dot products, best first. */
export function nearest(vectors: Float32Array, query: Float32Array, top = TOP): number[] {
	const best: { row: number; score: number }[] = [];
	for (let row = 0, at = 0; at < vectors.length; row++) {
		let score = 0;
		for (let dimension = 0; dimension < query.length; dimension++, at++)
			score += (vectors[at] ?? 0) * (query[dimension] ?? 0);
		if (best.length === top && score <= (best.at(-1)?.score ?? 0)) continue;
		best.push({ row, score });
		best.sort((a, b) => b.score - a.score);
		best.length = Math.min(best.length, top);
	}
	return best.map(({ row }) => row);
}
