/** Which of two equally good rows comes first: always the same one, whatever the history of the index. */
export type ComesBefore = (row: number, other: number) => boolean;

/** Keeps a short sorted list: once it is full, few of many rows are still better than its last. */
export function createBestMatches(limit: number, comesBefore: ComesBefore) {
	const rows = new Float64Array(limit);
	const scores = new Float64Array(limit);
	let size = 0;
	let threshold = limit > 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
	return {
		/** A score below this would not be taken. */
		get threshold() {
			return threshold;
		},
		offer(row: number, score: number): void {
			if (score < threshold || (size === limit && isBetter(limit - 1, row, score))) return;
			const place = placeOf(row, score);
			if (place === limit) return;
			const end = Math.min(size, limit - 1);
			rows.copyWithin(place + 1, place, end);
			scores.copyWithin(place + 1, place, end);
			rows[place] = row;
			scores[place] = score;
			size = end + 1;
			if (size === limit) threshold = scores[limit - 1] ?? 0;
		},
		/** Best first, whatever the order in which they were offered. */
		matches: () => Array.from(rows.subarray(0, size), (row, place) => ({ row, score: scores[place] ?? 0 })),
	};

	/** Behind all that are better, and those as good that come before it. */
	function placeOf(row: number, score: number): number {
		let [low, high] = [0, size];
		while (low < high) {
			const middle = (low + high) >> 1;
			if (isBetter(middle, row, score)) low = middle + 1;
			else high = middle;
		}
		return low;
	}

	function isBetter(place: number, row: number, score: number): boolean {
		const other = scores[place] ?? 0;
		return other > score || (other === score && comesBefore(rows[place] ?? 0, row));
	}
}
