import type { LineRange } from "../../core/knowledge/citation.ts";
import type { ParsedDocument } from "../../core/knowledge/document.ts";
import { createTablePassages, documentOfText, runsUpTo } from "../passages/passages.ts";
import {
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
	let rows: LocatedRow[] = [];
	let [at, line] = [0, 1];
	for (let number = 1; at < text.length; number++) {
		const { row, end, breaks } = readRow(text, at, separator);
		if (cellsOf(row).length > 0) rows.push({ number, row, lines: { start: line, end: line + breaks } });
		line += breaks + 1;
		at = end + (text.startsWith("\r\n", end) ? 2 : 1);
		if (rows.length < TOGETHER) continue;
		yield rows;
		rows = [];
	}
	if (rows.length > 0) yield rows;
}

function readRow(text: string, from: number, separator: string) {
	const row = new Map<number, string>();
	let [end, breaks] = [from - 1, 0];
	do {
		const cell = readCell(text, end + 1, separator);
		if (row.size < MOST_COLUMNS) row.set(row.size, cell.value);
		breaks += cell.breaks;
		end = cell.end;
	} while (text.charAt(end) === separator);
	return { row, end, breaks };
}

/** Reads a cell. `end` is the offset of the next separator or line end. */
function readCell(text: string, from: number, separator: string) {
	const closed = text.charAt(from) === '"' ? quotedEnd(text, from + 1) : undefined;
	const end = plainEnd(text, closed ?? from, separator);
	if (closed === undefined) return { value: text.slice(from, end), end, breaks: 0 };
	const value = text.slice(from + 1, closed - 1).replaceAll('""', '"');
	return { value: value + text.slice(closed, end), end, breaks: value.match(/\r\n|\r|\n/g)?.length ?? 0 };
}

/** Offset after the closing quotation mark. A doubled quotation mark is escaped. */
function quotedEnd(text: string, from: number): number | undefined {
	for (let at = from; at < text.length && at - from < MAX_CELL; at++) {
		if (text.charCodeAt(at) !== 34) continue;
		if (text.charCodeAt(at + 1) !== 34) return at + 1;
		at++;
	}
	return undefined;
}

function plainEnd(text: string, from: number, separator: string): number {
	let at = from;
	while (at < text.length) {
		const character = text.charAt(at);
		if (character === separator || character === "\n" || character === "\r") break;
		at++;
	}
	return at;
}
