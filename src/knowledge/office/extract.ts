import type { DocumentPart, ExtractedText, ParsedDocument, Problem } from "../../core/knowledge/document.ts";
import { fileName } from "../passages/fileName.ts";
import { type Line, only } from "../passages/lines.ts";
import { createOutline } from "../passages/outline.ts";
import type { Block, BlockRow } from "../passages/passages.ts";
import { cutSections, type Section } from "../passages/sections.ts";
import { shorten, squeeze } from "../passages/words.ts";
import { toItem } from "../records/listItems.ts";
import { type SheetTable, withSheetRecords } from "../records/sheetRecords.ts";
import { withTextRecords } from "../records/textRecords.ts";
import { type DocumentFacts, factsOf } from "../resources/documentFacts.ts";
import { resourcesOf } from "../resources/resources.ts";
import { verbalize } from "../resources/verbalize.ts";

/** A page, slide, sheet, chapter or part of a mail that begins. */
interface NewPart {
	readonly name: string;
	/** The row that a sheet begins with. */
	readonly first?: number;
	readonly columns?: string;
	/** Whether it stands under the headings of the part before. */
	readonly goesOn?: boolean;
}

/** Gathers what a file that is no text says, as the lines of a text. */
export interface Extract {
	/** What follows belongs to this part, and is cited as such. */
	begin(part: NewPart): void;
	heading(level: number, text: string): void;
	/** What follows stands under a name that is no line of the text. */
	section(name: string): void;
	/** Lines that belong together; without any text, they are only counted. */
	add(kind: Block["kind"], texts: readonly string[], cells?: readonly (readonly string[])[]): void;
	/** A line that is found under other words than it is shown with. */
	addAs(lines: readonly FoundLine[], kind: Block["kind"], cells?: readonly (readonly string[])[]): void;
	/** The rows of a sheet, whose lines were added. */
	table(table: SheetTable): void;
	/** Tells a person what is missing. */
	problem(message: string): void;
	/** The line that comes next. */
	readonly next: number;
	/** Whether nothing that can be read was added. */
	readonly isEmpty: boolean;
	finish(uri: string, facts: DocumentFacts): ParsedDocument;
}

/** Characters of one file: what says more is a database or a bomb. */
const MAX_TEXT = 40_000_000;
const MAX_LINES = 1_000_000;
const MAX_TITLE = 200;

type OpenSection = Section & { readonly blocks: Block[] };

/** A line as it is shown, and the words under which it is found. */
interface FoundLine {
	readonly shown: string;
	readonly found: string;
}

export function createExtract(): Extract {
	const lines = createLines();
	const problems: Problem[] = [];
	const sections: OpenSection[] = [{ path: [], blocks: [] }];
	let outline = createOutline();
	const open = (heading?: Line) => sections.push({ path: outline.path(), heading, blocks: [] });
	const problem = (message: string) => {
		problems.push({ severity: "warning", message, lines: only(Math.max(1, lines.next - 1)) });
	};
	const tables: SheetTable[] = [];
	const addAs: Extract["addAs"] = (added, kind, cells) => {
		const written = added.flatMap((line) => writeAs(line, lines.write));
		if (written.some(({ text }) => text.trim() !== ""))
			sections.at(-1)?.blocks.push({ kind, lines: written, rows: rowsOf(written, cells) });
	};
	return {
		get next() {
			return lines.next;
		},
		get isEmpty() {
			return lines.isEmpty;
		},
		begin: ({ goesOn = false, ...part }) => {
			lines.begin(part);
			if (!goesOn) outline = createOutline();
			open();
		},
		heading: (level, text) => {
			const name = squeeze(text);
			const heading = name === "" ? undefined : lines.write(name);
			if (!heading) return;
			outline.enter(Math.max(1, Math.min(6, level)), name);
			open(heading);
		},
		section: (name) => {
			outline.enter(1, squeeze(name));
			open();
		},
		add: (kind, texts, cells) => addAs(texts.map(asShown), kind, cells),
		table: (table) => tables.push(table),
		addAs,
		problem,
		finish: (uri, facts) => {
			if (lines.isFull) problem(TOO_LONG);
			const document = { ...documentOf(uri, facts, sections), problems, extracted: lines.end() };
			return tables.length > 0
				? withSheetRecords(document, uri, tables)
				: withTextRecords(document, { uri, sections });
		},
	};
}

function asShown(text: string): FoundLine {
	return { shown: text, found: text };
}

/** The cells with the lines that were written; without those that had no room. */
function rowsOf(
	lines: readonly Line[],
	cells: readonly (readonly string[])[] | undefined,
): BlockRow[] | undefined {
	return cells?.flatMap((row, index) => {
		const line = lines[index];
		return line
			? [row.length > 1 ? { cells: row, lines: line.lines } : toItem(row[0] ?? "", line.lines, 0)]
			: [];
	});
}

function writeAs({ shown, found }: FoundLine, write: (text: string) => Line | undefined): Line[] {
	const line = write(shown);
	return line ? [{ ...line, text: found === shown ? line.text : found }] : [];
}

function documentOf(uri: string, facts: DocumentFacts, sections: readonly Section[]) {
	const title = titleOf(facts, uri);
	const quads = factsOf(uri, facts);
	const resources = resourcesOf(quads).map((each) => (each.id === uri ? { ...each, label: title } : each));
	return {
		title,
		quads,
		resources,
		passages: [...verbalize(resources, quads), ...cutSections(title, sections)],
	};
}

function createLines() {
	const texts: string[] = [];
	const parts: (DocumentPart & { lines: number })[] = [];
	let length = 0;
	let isEmpty = true;
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
			return isEmpty;
		},
		get isFull() {
			return length > MAX_TEXT || texts.length >= MAX_LINES;
		},
		begin(part: Omit<NewPart, "goesOn">): void {
			endPart();
			parts.push({ ...part, line: texts.length + 1, lines: 0 });
		},
		write(text: string): Line | undefined {
			length += text.length + 1;
			if (length > MAX_TEXT || texts.length >= MAX_LINES) return undefined;
			const line = text.replace(LINE_BREAKS, " ").replaceAll("\0", "\ufffd");
			texts.push(line);
			isEmpty &&= line.trim() === "";
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

function titleOf({ title = "" }: DocumentFacts, uri: string): string {
	return shorten(squeeze(title), MAX_TITLE) || fileName(uri);
}
