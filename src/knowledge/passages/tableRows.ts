import { shorten, squeeze } from "./source.ts";

/** Cells by column, counted from 0. */
export type Row = ReadonlyMap<number, string>;

/** A row and its number, counted from 1. */
export type NumberedRow = readonly [number, Row];

export type Header = NonNullable<ReturnType<typeof headerOf>>;

const HEADER_WITHIN = 20;
const MAX_HEADER = 80;
/** Maximum length of a header cell if most cells in the next row are values. */
const MAX_LONG_HEADER = 200;
const MAX_CELL = 2000;
export const CELL_MARK = " | ";

export function rowText(row: Row, names: Row | undefined): string {
	const cells = [...row].filter(([, cell]) => cell.trim() !== "").sort(([a], [b]) => a - b);
	const told = cells.map(([column, cell]) => {
		const value = shorten(squeeze(cell), MAX_CELL);
		const name = shorten(squeeze(names?.get(column) ?? ""), MAX_HEADER);
		return name === "" ? value : `${name}: ${value}`;
	});
	return told.join(CELL_MARK);
}

/** The first wide row, if it names columns; otherwise `undefined`. */
export function headerOf(rows: readonly NumberedRow[]) {
	const width = Math.max(0, ...rows.slice(0, 200).map(([, row]) => cellsOf(row).length));
	if (rows.length < 2 || width < 2) return undefined;
	const isWide = ([, row]: NumberedRow) => cellsOf(row).length >= Math.max(2, width * 0.6);
	const at = rows.slice(0, HEADER_WITHIN).findIndex(isWide);
	const [header, below] = at < 0 ? [] : rows.slice(at, at + 2);
	if (!header || !below || !nameColumns(cellsOf(header[1]), cellsOf(below[1]))) return undefined;
	return { number: header[0], names: header[1] };
}

function nameColumns(cells: readonly string[], below: readonly string[]): boolean {
	const most = below.filter(isValue).length > below.length / 2 ? MAX_LONG_HEADER : MAX_HEADER;
	return cells.every((cell) => cell.length <= most && !isValue(cell)) && new Set(cells).size === cells.length;
}

export function cellsOf(row: Row): string[] {
	return [...row.values()].map((cell) => cell.trim()).filter((cell) => cell !== "");
}

/** Whether a cell is a number, date or time. Years do not count, because they name columns in tables over time. */
function isValue(cell: string): boolean {
	return /^[-+$€£(]?[\d.,\s]+%?\)?$|^\d{4}-\d\d-\d\d/.test(cell) && !/^(?:19|20)\d\d$/.test(cell);
}
