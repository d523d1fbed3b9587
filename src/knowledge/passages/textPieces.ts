/** Characters. */
const PIECE = 2_000_000;

/** Pieces end with a line; small texts are one piece. */
export function* textPieces(text: string): Generator<string> {
	let from = 0;
	do {
		const isRest = text.length - from <= PIECE;
		const end = isRest ? text.length : text.indexOf("\n", from + PIECE) + 1 || text.length;
		yield text.slice(from, end);
		from = end;
	} while (from < text.length);
}

/** Groups items up to a total length; an item that `isApart` from the first of a run begins another. */
export function runsUpTo<Item>(
	items: readonly Item[],
	most: number,
	lengthOf: (item: Item) => number,
	isApart: (first: Item, item: Item) => boolean = () => false,
): Item[][] {
	const runs: Item[][] = [];
	let length = Number.POSITIVE_INFINITY;
	for (const item of items) {
		const [first = item] = runs.at(-1) ?? [];
		if (length + lengthOf(item) > most || isApart(first, item)) {
			runs.push([]);
			length = 0;
		}
		runs.at(-1)?.push(item);
		length += lengthOf(item);
	}
	return runs;
}
