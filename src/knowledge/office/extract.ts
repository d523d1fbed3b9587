import { runsOf } from "../../base/values.ts";
import {
	type DocumentPart,
	type ExtractedText,
	type ParsedDocument,
	type Problem,
	problemAt,
} from "../../core/knowledge/document.ts";
import type { Block, BlockRow } from "../passages/passages.ts";
import { createSections, cutSections, MAX_TITLE } from "../passages/sections.ts";
import { fileName, isBlank, type Line, only, shorten, squeeze } from "../passages/source.ts";
import {
	cellsOf,
	type Header,
	headerOf,
	type NumberedRow,
	type Row,
	rowText,
} from "../passages/tableRows.ts";
import { toItem } from "../records/listItems.ts";
import { type SheetTable, withSheetRecords } from "../records/tableRecords.ts";
import { withTextRecords } from "../records/textRecords.ts";
import { type DocumentFacts, documentAbout, type Link } from "../resources/documentFacts.ts";

interface NewPart {
	readonly name: string;
	readonly first?: number;
	readonly columns?: string;
	/** Whether the part continues under the headings of the previous part. */
	readonly goesOn?: boolean;
}

export type Extract = ReturnType<typeof createExtract>;

/** Maximum number of characters of one file. Larger files are databases or bombs. */
const MAX_TEXT = 40_000_000;
const MAX_LINES = 1_000_000;

type Cells = readonly (readonly string[])[];

export function createExtract() {
	const lines = createLines();
	const problems: Problem[] = [];
	const sections = createSections();
	const problem = (message: string): void => {
		problems.push(problemAt(Math.max(1, lines.next - 1), message, "warning"));
	};
	const tables: SheetTable[] = [];
	const links: Link[] = [];
	return {
		lines,
		/** Adds a link that begins on the next line. */
		link: (href: string): void => void links.push({ href, line: lines.next }),
		begin: ({ goesOn = false, ...part }: NewPart): void => {
			lines.begin(part);
			if (!goesOn) sections.endHeadings();
			sections.open();
		},
		heading: (level: number, text: string): void => {
			const name = squeeze(text);
			const heading = name === "" ? undefined : lines.write(name);
			if (heading) sections.enter(Math.max(1, Math.min(6, level)), name, heading);
		},
		/** Begins a section whose heading is not a line of the text. */
		section: (name: string): void => sections.enter(1, squeeze(name)),
		/** Adds lines as one block. Blank lines only advance the line number. */
		add: (kind: Block["kind"], texts: readonly string[], cells?: Cells): void => {
			const written = texts.flatMap((text) => lines.write(text) ?? []);
			if (written.some(({ text }) => !isBlank(text)))
				sections.add({ kind, lines: written, rows: rowsOf(written, cells) });
		},
		/** Adds a table whose rows have already been added as lines. */
		table: (table: SheetTable): void => void tables.push(table),
		problem,
		finish: (uri: string, facts: DocumentFacts): ParsedDocument => {
			if (lines.isEmpty) throw new Unreadable("it has no text");
			if (lines.isFull) problem(TOO_LONG);
			const title = shorten(squeeze(facts.title ?? ""), MAX_TITLE) || fileName(uri);
			const about = documentAbout(uri, title, { ...facts, links }, cutSections(title, sections.all));
			const document = { ...about, problems, extracted: lines.end() };
			return tables.length > 0
				? withSheetRecords(document, uri, tables)
				: withTextRecords(document, { uri, sections: sections.all });
		},
	};
}

function rowsOf(lines: readonly Line[], cells: Cells | undefined): BlockRow[] | undefined {
	return cells?.slice(0, lines.length).map((row, index) => {
		const own = lines[index]?.lines ?? only(1);
		return row.length > 1 ? { cells: row, lines: own } : toItem(row[0] ?? "", own, 0);
	});
}

function createLines() {
	const texts: string[] = [];
	const parts: (DocumentPart & { lines: number })[] = [];
	let length = 0;
	const endPart = () => {
		const part = parts.at(-1);
		if (!part) return;
		if (texts.length < part.line) texts.push("");
		part.lines = texts.length - part.line + 1;
	};
	return {
		get next() {
			return texts.length + 1;
		},
		get isEmpty() {
			return texts.every(isBlank);
		},
		get isFull() {
			return length > MAX_TEXT || texts.length >= MAX_LINES;
		},
		begin(part: NewPart): void {
			endPart();
			parts.push({ ...part, line: texts.length + 1, lines: 0 });
		},
		write(text: string): Line | undefined {
			length += text.length + 1;
			if (length > MAX_TEXT || texts.length >= MAX_LINES) return undefined;
			const line = text.replace(LINE_BREAKS, " ").replaceAll("\0", "\ufffd");
			texts.push(line);
			return { text: line, lines: only(texts.length) };
		},
		end(): ExtractedText {
			endPart();
			return { text: texts.join("\n"), parts };
		},
	};
}

const LINE_BREAKS = /[\r\n\u2028\u2029\f\v]+/g;

const TOO_LONG =
	"This file is too large: only the first part of it is in the index. Split it into smaller files.";

/** Reason why a file is not read, which completes “It is not in the index: …”. Each bundle has a copy of this class. */
export class Unreadable extends Error {
	override readonly name = "UnreadableFile";
}

export interface Sheet {
	readonly name: string;
	/** Rows by number, from 1, in order; empty rows may be missing. */
	readonly rows: ReadonlyMap<number, Row>;
}

/** Maximum number of cells per file. Larger sheets of numbers are not searchable text. */
export const MAX_CELLS = 2_000_000;
/** Maximum number of consecutive empty rows. A larger gap begins another part. */
const MOST_EMPTY = 20;
const MAX_NAME = 60;
/** Maximum number of characters of rows in one block. */
const BLOCK = 900;

/** Adds one line per row, with column names. */
export function addSheet(extract: Extract, { name, rows }: Sheet, index: number): void {
	const filled = [...rows].filter(([, row]) => cellsOf(row).length > 0);
	const header = headerOf(filled);
	const isNamed = squeeze(name) !== "" && name.length <= MAX_NAME;
	const part = { name: isNamed ? name : `Sheet${index + 1}`, columns: columnsOf(filled) };
	const lines = new Map<number, number>();
	for (const run of runsOf(filled, (run, [number]) => number - (run.at(-1)?.[0] ?? 0) <= MOST_EMPTY)) {
		extract.begin({ ...part, first: run[0]?.[0] ?? 1 });
		extract.section(name);
		for (const block of blocksOf(run, header)) {
			for (const [at, { number }] of block.entries()) lines.set(number, extract.lines.next + at);
			const texts = block.map(({ text }) => text);
			extract.add("table", texts);
		}
	}
	const below = filled.filter(([number]) => header && number > header.number);
	const located = below.map(([number, row]) => ({ row, line: lines.get(number) ?? 1 }));
	if (header) extract.table({ name, header: header.names, rows: located });
}

/** Groups rows into blocks of limited length. Blocks include the empty rows between their rows. */
function blocksOf(run: readonly NumberedRow[], header: Header | undefined) {
	const rows = run.flatMap(([number, row], index) => {
		const [last = number] = run[index - 1] ?? [];
		const text = rowText(row, number === header?.number ? undefined : header?.names);
		const length = Math.max(0, number - last - 1);
		const empty = Array.from({ length }, (_, at) => ({ number: last + 1 + at, text: "" }));
		return [...empty, { number, text }];
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

/** Letters of a column: `A` for 0, `AB` for 27. */
function columnName(column: number): string {
	const letter = String.fromCharCode(65 + (column % 26));
	return column < 26 ? letter : columnName(Math.floor(column / 26) - 1) + letter;
}
