import { firstIndex } from "../values.ts";

/** Breaks ties of equal scores, so that the order does not depend on the index's history. */
export type ComesBefore = (row: number, other: number) => boolean;

/** Keeps the best matches sorted. Insertion is rare: few rows beat the last of a full list. */
export function createBestMatches(limit: number, comesBefore: ComesBefore) {
	const rows = new Float64Array(limit);
	const scores = new Float64Array(limit);
	let size = 0;
	let threshold = limit > 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
	return {
		get threshold() {
			return threshold;
		},
		offer(row: number, score: number): void {
			if (score < threshold || (size === limit && isBetter(limit - 1, row, score))) return;
			// After all better rows, and after rows of equal score that come first.
			const place = firstIndex(size, (at) => !isBetter(at, row, score));
			if (place === limit) return;
			const end = Math.min(size, limit - 1);
			rows.copyWithin(place + 1, place, end);
			scores.copyWithin(place + 1, place, end);
			rows[place] = row;
			scores[place] = score;
			size = end + 1;
			if (size === limit) threshold = scores[limit - 1] ?? 0;
		},
		/** Best first, independent of the order of the offers. */
		matches: () => Array.from(rows.subarray(0, size), (row, place) => ({ row, score: scores[place] ?? 0 })),
	};

	function isBetter(place: number, row: number, score: number): boolean {
		const other = scores[place] ?? 0;
		return other > score || (other === score && comesBefore(rows[place] ?? 0, row));
	}
}
