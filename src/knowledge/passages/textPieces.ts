import { decodeText } from "./decodeText.ts";

/** Bytes. */
const PIECE = 2_000_000;

/** Pieces end with a line; small files are one piece. */
export function* textPieces(bytes: Uint8Array): Generator<string> {
	const isWide = /^(?:255,254|254,255)/.test(bytes.subarray(0, 2).join());
	let from = 0;
	do {
		const isRest = isWide || bytes.length - from <= PIECE;
		const end = isRest ? bytes.length : bytes.indexOf(10, from + PIECE) + 1 || bytes.length;
		yield decodeText(bytes.subarray(from, end)) ?? "";
		from = end;
	} while (from < bytes.length);
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
