import { shorten, squeeze } from "../passages/words.ts";
import type { Extract } from "./extract.ts";

/** Cells of a row by their columns, from 0. */
export type Row = ReadonlyMap<number, string>;

/** A sheet, or a table of a file that is one. */
export interface Sheet {
	readonly name: string;
	/** By their numbers, from 1, in their order; empty ones may be left out. */
	readonly rows: ReadonlyMap<number, Row>;
}

/** Empty rows that are kept as such; where more are missing, another part begins. */
const MOST_EMPTY = 20;
/** Rows from the top in which a header is looked for. */
const HEADER_WITHIN = 20;
const MAX_NAME = 60;
const MAX_HEADER = 80;
const MAX_CELL = 2000;
const CELL_MARK = " | ";
/** Characters of rows that are found together. */
const BLOCK = 900;

/** Adds a sheet: a line for each row, which is found together with the names of its columns. Gives the lines of its rows. */
export function addSheet(extract: Extract, { name, rows }: Sheet, index: number): Map<number, number> {
	const filled = [...rows].filter(([, row]) => cellsOf(row).length > 0);
	const header = headerOf(filled);
	const isNamed = squeeze(name) !== "" && name.length <= MAX_NAME;
	const part = {
		name: isNamed ? name : `Sheet${index + 1}`,
		columns: columnsOf(filled.map(([, row]) => row)),
	};
	const lines = new Map<number, number>();
	for (const run of runsOf(filled)) {
		extract.begin({ ...part, first: run[0]?.[0] ?? 1 });
		extract.section(name);
		for (const block of blocksOf(run, header)) {
			for (const [at, { number }] of block.entries()) lines.set(number, extract.next + at);
			extract.addAs(block);
		}
	}
	return lines;
}

type NumberedRow = readonly [number, Row];

/** Rows that stand close enough together. */
function runsOf(rows: readonly NumberedRow[]): NumberedRow[][] {
	const runs: NumberedRow[][] = [];
	for (const row of rows) {
		const last = runs.at(-1)?.at(-1);
		if (last && row[0] - last[0] <= MOST_EMPTY) runs.at(-1)?.push(row);
		else runs.push([row]);
	}
	return runs;
}

/** Rows that are found together, with the empty ones between them. */
function blocksOf(run: readonly NumberedRow[], header: Header | undefined): Shown[][] {
	const blocks: Shown[][] = [[]];
	let last: number | undefined;
	for (const [number, row] of run) {
		const block = blocks.at(-1) ?? [];
		for (let empty = (last ?? number) + 1; empty < number; empty++)
			block.push({ number: empty, shown: "", found: "" });
		const text = textOf(row, number === header?.number ? undefined : header?.names);
		if (lengthOf(block) > BLOCK) blocks.push([{ number, shown: text, found: text }]);
		else block.push({ number, shown: text, found: text });
		last = number;
	}
	return blocks;
}

interface Shown {
	readonly number: number;
	readonly shown: string;
	readonly found: string;
}

interface Header {
	readonly number: number;
	readonly names: Row;
}

function lengthOf(block: readonly Shown[]): number {
	return block.reduce((sum, { found }) => sum + found.length, 0);
}

function textOf(row: Row, names: Row | undefined): string {
	const cells = [...row].filter(([, cell]) => cell.trim() !== "").sort(([a], [b]) => a - b);
	const told = cells.map(([column, cell]) => {
		const value = shorten(squeeze(cell), MAX_CELL);
		const name = shorten(squeeze(names?.get(column) ?? ""), MAX_HEADER);
		return name === "" ? value : `${name}: ${value}`;
	});
	return told.join(CELL_MARK);
}

/** The first row that names most columns, and over which stand none that are as wide. */
function headerOf(rows: readonly (readonly [number, Row])[]): Header | undefined {
	const width = Math.max(0, ...rows.slice(0, 200).map(([, row]) => cellsOf(row).length));
	if (rows.length < 2 || width < 2) return undefined;
	for (const [index, [number, row]] of rows.slice(0, HEADER_WITHIN).entries()) {
		const cells = cellsOf(row);
		if (cells.length < Math.max(2, width * 0.6)) continue;
		const isNamed = cells.every((cell) => cell.length <= MAX_HEADER && !isValue(cell));
		const next = rows[index + 1];
		return isNamed && next && new Set(cells).size === cells.length ? { number, names: row } : undefined;
	}
	return undefined;
}

function cellsOf(row: Row): string[] {
	return [...row.values()].map((cell) => cell.trim()).filter((cell) => cell !== "");
}

/** Numbers, dates and times are no names. Years are, in tables over time. */
function isValue(cell: string): boolean {
	return /^[-+$€£(]?[\d.,\s]+%?\)?$|^\d{4}-\d\d-\d\d/.test(cell) && !/^(?:19|20)\d\d$/.test(cell);
}

function columnsOf(rows: readonly Row[]): string {
	let [first, last] = [Number.POSITIVE_INFINITY, 0];
	for (const row of rows)
		for (const [column, cell] of row) {
			if (cell.trim() === "") continue;
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

/** The column and the row of `AB12`, the column from 0. */
export function cellAt(reference: string): { readonly column: number; readonly row: number } | undefined {
	const [, letters = "", row = ""] = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/.exec(reference) ?? [];
	if (letters === "") return undefined;
	const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
	return { column, row: Number(row) };
}
