import type { Weighable } from "../../base/words/relevance.ts";
import { wordsOf } from "../../base/words/relevance.ts";
import type { MessageRow } from "./messageRows.ts";

export type WeighedRow = MessageRow & Weighable;

/** The pieces that are in no table yet. */
export interface MessageTail {
	readonly size: number;
	/** The rows of every session are in the order of its journal. */
	rows(): readonly WeighedRow[];
	add(rows: readonly MessageRow[]): void;
	/** Keeps the rows for which this holds. */
	keep(isWanted: (row: MessageRow) => boolean): void;
}

export function createMessageTail(): MessageTail {
	let rows: WeighedRow[] = [];
	return {
		get size() {
			return rows.length;
		},
		rows: () => rows,
		add: (added) => {
			rows = [...rows, ...added.map(weigh)];
		},
		keep: (isWanted) => {
			rows = rows.filter(isWanted);
		},
	};
}

export function weigh(row: MessageRow): WeighedRow {
	return { ...row, words: wordsOf(row.text) };
}
