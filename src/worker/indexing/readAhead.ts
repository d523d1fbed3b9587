/** The results of a step for some items, in the order of the items; later ones are begun before they are asked for. */
export interface ReadAhead<Result> {
	/** The next result, to be called once per item. The next call releases the result before. */
	next(): Promise<Result>;
	/** Resolves when all steps are over that have begun. */
	settle(): Promise<void>;
}

interface ReadAheadOptions<Item> {
	/** So many steps are under way, or wait to be asked for, at a time. */
	readonly most: number;
	/** What an item takes of the room for all that are begun. */
	readonly weightOf: (item: Item) => number;
	/** What is heavier alone than all the room is begun alone. */
	readonly room: number;
}

/** The first step begins with the first call of `next`. */
export function createReadAhead<Item, Result>(
	items: readonly Item[],
	step: (item: Item) => Promise<Result>,
	{ most, weightOf, room }: ReadAheadOptions<Item>,
): ReadAhead<Result> {
	const begun: { readonly result: Promise<Result>; readonly weight: number }[] = [];
	let count = 0;
	let weight = 0;
	let isHanded = false;
	return {
		next: async () => {
			if (isHanded) weight -= begun.shift()?.weight ?? 0;
			isHanded = true;
			while (hasRoom()) begin(items[count++] as Item);
			const [first] = begun;
			if (!first) throw new Error("There are no more items.");
			return first.result;
		},
		settle: async () => {
			await Promise.allSettled(begun.map(({ result }) => result));
		},
	};

	function hasRoom(): boolean {
		const item = items[count];
		if (item === undefined || begun.length >= most) return false;
		return begun.length === 0 || weight + weightOf(item) <= room;
	}

	function begin(item: Item): void {
		const result = step(item);
		// The error is thrown when the item's turn comes; until then it must not count as unhandled.
		result.catch(() => undefined);
		begun.push({ result, weight: weightOf(item) });
		weight += weightOf(item);
	}
}
