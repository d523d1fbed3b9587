import type { Line } from "../passages/lines.ts";
import { span } from "../passages/lines.ts";
import { squeeze } from "../passages/words.ts";
import { lineWhere, type TextDocument } from "./textDocument.ts";

/** Where a table is told, and what stands in the brackets above it. */
interface TableContext {
	readonly document: TextDocument;
	readonly options: string;
}

const FENCE = /^[|,:!]={3,}\s*$/;

/** What may stand before the mark of a cell: how often it is repeated, what it spans, how it looks. */
const CELL =
	/(?:(?<=^|\s)(?:(\d{1,3})\*)?(?:\d{0,3}(?:\.\d{1,3})?\+)?[<^>]?(?:\.[<^>])?[aehlmsdv]?)?(?<!\\)\|/g;

/** A table between its fences, a line for each row. */
export function readAsciidocTable(
	lines: readonly Line[],
	at: number,
	{ document, options }: TableContext,
): number | undefined {
	const fence = (lines[at]?.text ?? "").trimEnd();
	if (!FENCE.test(fence)) return undefined;
	const end = lineWhere(lines, at + 1, (text) => text.trimEnd() === fence);
	const body = lines.slice(at + 1, end);
	const isPlain = !fence.startsWith("|") || /format\s*=\s*"?[ct]sv/.test(options);
	if (isPlain) document.add("table", body);
	else document.add("table", rowsOf(cellsIn(body), columnsIn(options) ?? widthOf(body)));
	return end + 1;
}

/** The number of columns that `cols="1,3*2"` tells. */
function columnsIn(options: string): number | undefined {
	const [, quoted, single] = /\bcols\s*=\s*(?:"([^"]{1,300})"|(\d{1,3}\*?))/.exec(options) ?? [];
	const told = quoted ?? single;
	if (told === undefined) return undefined;
	const columns = told
		.split(/[,;]/)
		.reduce((sum, each) => sum + Number(/^\s*(\d{1,3})\*/.exec(each)?.[1] ?? 1), 0);
	return columns > 0 && columns < 1000 ? columns : undefined;
}

/** As many as cells stand on the first line that has any. */
function widthOf(lines: readonly Line[]): number {
	const first = lines.find(({ text }) => text.includes("|"));
	return Math.max(1, first ? cellsIn([first]).length : 1);
}

function cellsIn(lines: readonly Line[]): Line[] {
	const cells: Line[] = [];
	for (const line of lines) {
		const marks = [...line.text.matchAll(CELL)];
		const before = line.text.slice(0, marks[0]?.index ?? line.text.length).trim();
		const last = cells.at(-1);
		if (last && before !== "")
			cells[cells.length - 1] = { text: `${last.text} ${before}`, lines: span(last.lines, line.lines) };
		cells.push(...marks.flatMap((mark, index) => cellAt(line, mark, marks[index + 1]?.index)));
	}
	return cells;
}

/** What stands behind a mark, as often as it says. */
function cellAt(line: Line, { 0: mark, 1: times, index }: RegExpExecArray, end: number | undefined): Line[] {
	const text = line.text.slice(index + mark.length, end);
	return Array.from({ length: Math.min(50, Number(times ?? 1)) }, () => ({ ...line, text }));
}

function rowsOf(cells: readonly Line[], width: number): Line[] {
	const rows: Line[] = [];
	for (let from = 0; from < cells.length; from += width) {
		const row = cells.slice(from, from + width);
		const [first, last] = [row[0], row.at(-1)];
		if (!first || !last) break;
		const text = row.map((cell) => squeeze(cell.text.replaceAll("\\|", "|"))).join(" | ");
		rows.push({ text, lines: span(first.lines, last.lines) });
	}
	return rows;
}
