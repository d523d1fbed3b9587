import type { LineRange } from "../../core/knowledge/citation.ts";
import type { ParsedDocument } from "../../core/knowledge/document.ts";
import { createTablePassages, documentOfText, runsUpTo } from "../passages/passages.ts";
import {
	countLines,
	fileName,
	fileStem,
	isBlank,
	LINE_END,
	type Line,
	type Source,
	squeeze,
} from "../passages/source.ts";
import { cellsOf, type Header, headerOf, type Row, rowText } from "../passages/tableRows.ts";
import { columnIri, createRecords, kindIri, unnamedColumn } from "../records/records.ts";
import { createTableRecords } from "../records/tableRecords.ts";

interface LocatedRow {
	/** Counted from 1, including empty rows. */
	readonly number: number;
	readonly row: Row;
	readonly lines: LineRange;
}

const BLOCK = 900;
/** Maximum length of a cell in characters, which also limits the search for a closing quotation mark. */
const MAX_CELL = 20_000;
const MOST_COLUMNS = 5000;

export function readDelimited({ uri, text }: Source): ParsedDocument {
	const title = fileName(uri);
	const records = createRecords();
	const passages = createTablePassages(title);
	const separator = /\.tsv$/i.test(title) ? "\t" : separatorOf(text);
	let header: Header | undefined;
	let addRows: ReturnType<typeof createTableRecords> | undefined;
	for (const rows of rowsTogether(text, separator)) {
		const first = rows[0]?.lines.start ?? 1;
		if (!addRows) header = headerOf(rows.slice(0, 200).map(({ row, number }) => [number, row]));
		addRows ??= createTableRecords(records, formOf(uri, rows, header?.names));
		passages.add(first, () => {
			const blocks = runsUpTo(rows.map(tell), BLOCK + 1, ({ text }) => text.length + 1);
			return blocks.map((lines) => ({ kind: "table", lines }));
		});
		const below = header ? rows.filter(({ number }) => number > (header?.number ?? 0)) : rows;
		addRows(below.map(({ row, lines, number }) => ({ row, lines, subject: `${uri}#row=${number}` })));
	}
	return records.addTo(documentOfText(title, passages.passages, passages.problems()));

	function tell({ row, number, lines }: LocatedRow): Line {
		return { text: rowText(row, header && number > header.number ? header.names : undefined), lines };
	}
}

function formOf(uri: string, rows: readonly LocatedRow[], names: Row = new Map()) {
	const width = Math.max(names.size, ...rows.slice(0, 200).map(({ row }) => row.size));
	const columns = Array.from({ length: width }, (_, column): [number, string] => {
		return [column, columnIri(uri, squeeze(names.get(column) ?? "") || unnamedColumn(column))];
	});
	return { kind: kindIri(fileStem(uri)), properties: new Map(columns) };
}

/** Chooses the separator whose minimum number per line is highest in the first lines. */
function separatorOf(text: string): string {
	const first = text.slice(0, 20_000).split(LINE_END, 20);
	const lines = first.filter((line) => !isBlank(line));
	const counts = [",", ";", "\t", "|"].map((mark) => {
		const each = lines.map((line) => line.replace(/"[^"]*"/g, "").split(mark).length - 1);
		return { mark, least: Math.min(...each), first: each[0] ?? 0 };
	});
	const [best] = counts.sort((a, b) => b.least - a.least || b.first - a.first);
	return best && best.first > 0 ? best.mark : ",";
}

/** Number of rows processed together, to limit memory. */
const TOGETHER = 10_000;

function* rowsTogether(text: string, separator: string): Generator<LocatedRow[]> {
	const cell = cellPattern(separator);
	let rows: LocatedRow[] = [];
	let [at, line] = [0, 1];
	for (let number = 1; at < text.length; number++) {
		const { row, end, breaks } = readRow(text, at, separator, cell);
		if (cellsOf(row).length > 0) rows.push({ number, row, lines: { start: line, end: line + breaks } });
		line += breaks + 1;
		at = end + (text.startsWith("\r\n", end) ? 2 : 1);
		if (rows.length < TOGETHER) continue;
		yield rows;
		rows = [];
	}
	if (rows.length > 0) yield rows;
}

/** Matches a cell up to the next separator or line end. A doubled quotation mark in a quoted cell is escaped. */
function cellPattern(separator: string): RegExp {
	const plain = `[^${separator}\\r\\n]*`;
	return new RegExp(`"((?:[^"]|""){0,${MAX_CELL}})"(?!")(${plain})|${plain}`, "y");
}

function readRow(text: string, from: number, separator: string, cell: RegExp) {
	const row = new Map<number, string>();
	let [end, breaks] = [from - 1, 0];
	do {
		cell.lastIndex = end + 1;
		const [whole = "", quoted, rest] = cell.exec(text) ?? [];
		const value = quoted === undefined ? whole : quoted.replaceAll('""', '"') + rest;
		if (row.size < MOST_COLUMNS) row.set(row.size, value);
		if (quoted !== undefined) breaks += countLines(quoted) - 1;
		end = cell.lastIndex;
	} while (text.charAt(end) === separator);
	return { row, end, breaks };
}
