/** Runs `work` on at most `most` items at once and keeps the items' order. The first error aborts all running work. */
export async function inParallel<Item, Result>(
	items: readonly Item[],
	most: number,
	work: (item: Item, signal: AbortSignal) => Promise<Result>,
	signal: AbortSignal,
): Promise<Result[]> {
	const ending = new AbortController();
	const either = AbortSignal.any([signal, ending.signal]);
	const results = new Array<Result>(items.length);
	const queue = items.entries();
	const lane = async () => {
		for (const [index, item] of queue) results[index] = await work(item, either);
	};
	try {
		await Promise.all(Array.from({ length: Math.min(most, items.length) }, lane));
	} finally {
		ending.abort();
	}
	return results;
}
