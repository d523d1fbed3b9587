import { type Line, span } from "../passages/lines.ts";
import { squeeze } from "../passages/words.ts";
import { isBlank, lineWhere, type TextDocument } from "./textDocument.ts";

const GRID = /^\s*\+(?:[-=]+\+)+\s*$/;
const SIMPLE = /^\s*={2,}(?:\s+={2,})+\s*$/;

/** A table drawn with lines, or one with a row of `=` over its columns; a line for each row. */
export function readRestTable(
	lines: readonly Line[],
	at: number,
	document: TextDocument,
): number | undefined {
	const first = lines[at]?.text ?? "";
	if (GRID.test(first)) return readGrid(lines, at, document);
	return SIMPLE.test(first) ? readSimple(lines, at, document) : undefined;
}

function readGrid(lines: readonly Line[], at: number, document: TextDocument): number {
	const end = lineWhere(lines, at, (text) => !/^\s*[+|]/.test(text));
	const rows: Line[][] = [[]];
	for (const line of lines.slice(at, end)) {
		// A line that goes through only some of the columns parts no rows.
		if (GRID.test(line.text)) rows.push([]);
		else rows.at(-1)?.push(line);
	}
	const told = rows.flatMap((row) =>
		joined(row, (text) =>
			text
				.trim()
				.replace(/^\||\|$/g, "")
				.split(/[|+]/),
		),
	);
	document.add("table", told);
	return end;
}

function readSimple(lines: readonly Line[], at: number, document: TextDocument): number {
	const columns = [...(lines[at]?.text ?? "").matchAll(/=+/g)].map(({ index }) => index);
	const cut = (text: string) => columns.map((from, index) => text.slice(from, columns[index + 1]));
	const end = simpleEnd(lines, at);
	const rows: Line[] = [];
	for (const line of lines.slice(at, end)) if (!/^[\s=-]*$/.test(line.text)) addRow(rows, line, cut);
	document.add("table", rows);
	return end;
}

/** Behind the last row of `=`, below which nothing stands. */
function simpleEnd(lines: readonly Line[], at: number): number {
	let next = at;
	for (let borders = 0; next < lines.length; next++) {
		if (SIMPLE.test(lines[next]?.text ?? "") && ++borders > 1 && isBlank(lines[next + 1]?.text ?? "")) break;
	}
	return Math.min(lines.length, next + 1);
}

/** A line whose first column is empty goes on with the row above. */
function addRow(rows: Line[], line: Line, cut: (text: string) => string[]): void {
	const cells = cut(line.text).map(squeeze);
	const last = rows.at(-1);
	const isMore = cells[0] === "" && last !== undefined;
	if (isMore)
		rows[rows.length - 1] = {
			text: `${last.text} ${cells.filter((cell) => cell !== "").join(" ")}`,
			lines: span(last.lines, line.lines),
		};
	else rows.push({ text: cells.join(" | "), lines: line.lines });
}

/** The lines of a row as one. */
function joined(row: readonly Line[], cut: (text: string) => string[]): Line[] {
	const [first, last] = [row[0], row.at(-1)];
	if (!first || !last) return [];
	const cells: string[] = [];
	for (const { text } of row)
		for (const [index, cell] of cut(text).entries()) cells[index] = `${cells[index] ?? ""} ${cell.trim()}`;
	return [{ text: cells.map(squeeze).join(" | "), lines: span(first.lines, last.lines) }];
}
