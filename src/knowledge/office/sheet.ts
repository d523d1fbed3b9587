import { runsOf } from "../../base/values.ts";
import { isBlank, squeeze } from "../passages/lines.ts";
import {
	cellsOf,
	type Header,
	headerOf,
	type NumberedRow,
	type Row,
	rowText,
} from "../passages/tableRows.ts";
import type { Extract } from "./extract.ts";

export interface Sheet {
	readonly name: string;
	/** By row number, from 1, in order; empty rows may be missing. */
	readonly rows: ReadonlyMap<number, Row>;
}

/** Per file; larger sheets of numbers are not texts to search. */
export const MAX_CELLS = 2_000_000;
/** Empty rows to keep; larger gaps begin another part. */
const MOST_EMPTY = 20;
const MAX_NAME = 60;
/** Characters of rows that are found together. */
const BLOCK = 900;

/** One line per row, found together with its column names. Returns line numbers by row number. */
export function addSheet(extract: Extract, { name, rows }: Sheet, index: number): Map<number, number> {
	const filled = [...rows].filter(([, row]) => cellsOf(row).length > 0);
	const header = headerOf(filled);
	const isNamed = squeeze(name) !== "" && name.length <= MAX_NAME;
	const part = { name: isNamed ? name : `Sheet${index + 1}`, columns: columnsOf(filled) };
	const lines = new Map<number, number>();
	for (const run of runsOf(filled, (run, [number]) => number - (run.at(-1)?.[0] ?? 0) <= MOST_EMPTY)) {
		extract.begin({ ...part, first: run[0]?.[0] ?? 1 });
		extract.section(name);
		for (const block of blocksOf(run, header)) {
			const texts = block.map(({ text }) => text);
			for (const [at, { number }] of block.entries()) lines.set(number, extract.lines.next + at);
			extract.add("table", texts);
		}
	}
	const below = filled.filter(([number]) => header && number > header.number);
	const located = below.map(([number, row]) => ({ row, line: lines.get(number) ?? 1 }));
	if (header) extract.table({ name, header: header.names, rows: located });
	return lines;
}

/** Groups rows to be found together, including the empty ones between them. */
function blocksOf(run: readonly NumberedRow[], header: Header | undefined) {
	const rows = run.flatMap(([number, row], index) => {
		const [last = number] = run[index - 1] ?? [];
		const text = rowText(row, number === header?.number ? undefined : header?.names);
		const empty = Array.from({ length: Math.max(0, number - last - 1) }, (_, at) => last + 1 + at);
		return [...empty.map((each) => ({ number: each, text: "" })), { number, text }];
	});
	const lengthOf = (block: Readonly<typeof rows>) => block.reduce((sum, row) => sum + row.text.length, 0);
	return runsOf(rows, (block, { text }) => text === "" || lengthOf(block) <= BLOCK);
}

function columnsOf(rows: readonly NumberedRow[]): string {
	let [first, last] = [Number.POSITIVE_INFINITY, 0];
	for (const [column, cell] of rows.flatMap(([, row]) => [...row])) {
		if (isBlank(cell)) continue;
		first = Math.min(first, column);
		last = Math.max(last, column);
	}
	return `${columnName(Math.min(first, last))}:${columnName(last)}`;
}

/** `A` for 0, `AB` for 27. */
function columnName(column: number): string {
	const letter = String.fromCharCode(65 + (column % 26));
	return column < 26 ? letter : columnName(Math.floor(column / 26) - 1) + letter;
}

/** Column (from 0) and row of `AB12`. */
export function cellAt(reference: string): { readonly column: number; readonly row: number } | undefined {
	const [, letters = "", row = ""] = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/.exec(reference) ?? [];
	if (letters === "") return undefined;
	const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
	return { column, row: Number(row) };
}
