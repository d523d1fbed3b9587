/** Lines of a source file: 1-based, both ends included. */
export interface LineRange {
	readonly start: number;
	readonly end: number;
}

/** Lines that are cited at most, unless the text that they are cited for has more: somebody will read through them. */
export const MOST_LINES = 60;

export function heightOf({ start, end }: LineRange): number {
	return end - start + 1;
}
