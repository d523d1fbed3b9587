/** The results of a step for some items, in the order of the items; later ones are begun before they are asked for. */
export interface ReadAhead<Result> {
	/** The next result. It is asked for as often as there are items. */
	next(): Promise<Result>;
	/** Resolves when all steps are over that have begun. */
	settle(): Promise<void>;
}

/** So many steps are under way at a time; the first begins when its result is asked for. */
export function createReadAhead<Item, Result>(
	items: readonly Item[],
	step: (item: Item) => Promise<Result>,
	most: number,
): ReadAhead<Result> {
	const begun: Promise<Result>[] = [];
	let count = 0;
	return {
		next: async () => {
			for (const item of items.slice(count, count + most - begun.length)) begun.push(begin(item));
			const [result] = begun.splice(0, 1);
			if (result === undefined) throw new Error("There are no more items.");
			return result;
		},
		settle: async () => {
			await Promise.allSettled(begun);
		},
	};

	function begin(item: Item): Promise<Result> {
		count++;
		const result = step(item);
		// An error is told of when its turn comes; until then it is not unhandled.
		result.catch(() => undefined);
		return result;
	}
}
