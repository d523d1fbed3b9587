import { LANGUAGES, type Language } from "../base/language/languages.ts";
import { markOf } from "./analyzer.ts";
import type { InvertedIndex } from "./invertedIndex.ts";

/** Whether the passage of a row is surely in another language than this one. */
export function isForeign(row: number, language: Language, words: InvertedIndex): boolean {
	return LANGUAGES.some((other) => other !== language && hasRow(words.postingsOf(markOf(other))?.rows, row));
}

/** Whether a row is among these, which are in ascending order. */
function hasRow(rows: Uint32Array | undefined, row: number): boolean {
	if (!rows) return false;
	let [from, to] = [0, rows.length];
	while (from < to) {
		const middle = (from + to) >> 1;
		if ((rows[middle] as number) < row) from = middle + 1;
		else to = middle;
	}
	return rows[from] === row;
}
