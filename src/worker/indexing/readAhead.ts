interface ReadAheadOptions<Item> {
	/** So many steps are under way, or wait to be asked for, at a time. */
	readonly most: number;
	/** What an item takes of the room for all that are begun. */
	readonly weightOf: (item: Item) => number;
	/** What is heavier alone than all the room is begun alone. */
	readonly room: number;
}

/** The results of a step for some items, as they come; later ones are begun before they are asked for, the first with the first call of `next`. */
export function createReadAhead<Item, Result>(
	items: readonly Item[],
	step: (item: Item) => Promise<Result>,
	{ most, weightOf, room }: ReadAheadOptions<Item>,
) {
	const begun = new Map<
		number,
		Promise<{ readonly at: number; readonly item: Item; readonly result: Result }>
	>();
	let count = 0;
	let weight = 0;
	let handed: Item | undefined;
	return {
		/** What is over, the earliest item if there are several, to be called once per item. The next call releases the result before. */
		next: async () => {
			if (handed !== undefined) weight -= weightOf(handed);
			handed = undefined;
			while (hasRoom()) begin(items[count] as Item, count++);
			if (begun.size === 0) throw new Error("There are no more items.");
			const done = await Promise.race(begun.values());
			begun.delete(done.at);
			handed = done.item;
			return done;
		},
		settle: async () => {
			await Promise.allSettled(begun.values());
		},
	};

	function hasRoom(): boolean {
		const item = items[count];
		if (item === undefined || begun.size >= most) return false;
		return begun.size === 0 || weight + weightOf(item) <= room;
	}

	function begin(item: Item, at: number): void {
		const done = step(item).then((result) => ({ at, item, result }));
		// The error is thrown when the item's turn comes; until then it must not count as unhandled.
		done.catch(() => undefined);
		begun.set(at, done);
		weight += weightOf(item);
	}
}
