interface ReadAheadOptions<Item> {
	/** Maximum number of items whose step is running or whose result is waiting. */
	readonly most: number;
	readonly weightOf: (item: Item) => number;
	/** Maximum total weight of started items. A heavier item runs alone. */
	readonly room: number;
}

/** Runs a step for items ahead of demand, from the first `next` on; results come as they arrive. */
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
		/** Returns a finished result, preferably the earliest. Call it once per item, which frees the last one. */
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
		// `next` throws the error; until then, the rejection must not count as unhandled.
		done.catch(() => undefined);
		begun.set(at, done);
		weight += weightOf(item);
	}
}
