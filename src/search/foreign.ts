import { LANGUAGES, type Language } from "../base/language/languages.ts";
import { markOf } from "./analyzer.ts";
import type { InvertedIndex } from "./invertedIndex.ts";

/** Whether the passage of a row is surely in another language than this one. */
export function createForeignness(language: Language, words: InvertedIndex): (row: number) => boolean {
	const others = LANGUAGES.filter((other) => other !== language);
	const lists = others.flatMap((other) => words.postingsOf(markOf(other))?.rows ?? []);
	return (row) => lists.some((rows) => hasRow(rows, row));
}

/** Whether a row is among these, which are in ascending order. */
function hasRow(rows: Uint32Array, row: number): boolean {
	let [from, to] = [0, rows.length];
	while (from < to) {
		const middle = (from + to) >> 1;
		if ((rows[middle] as number) < row) from = middle + 1;
		else to = middle;
	}
	return rows[from] === row;
}
