import {
	type DocumentPart,
	type ExtractedText,
	type ParsedDocument,
	type Problem,
	problemAt,
} from "../../core/knowledge/document.ts";
import { fileName } from "../passages/format.ts";
import { isBlank, type Line, only, shorten, squeeze } from "../passages/lines.ts";
import type { Block, BlockRow } from "../passages/passages.ts";
import { createSections, cutSections, MAX_TITLE } from "../passages/sections.ts";
import { toItem } from "../records/listItems.ts";
import { type SheetTable, withSheetRecords } from "../records/tableRecords.ts";
import { withTextRecords } from "../records/textRecords.ts";
import { type DocumentFacts, documentAbout, type Link } from "../resources/documentFacts.ts";

/** A page, slide, sheet, chapter or part of a mail. */
interface NewPart {
	readonly name: string;
	readonly first?: number;
	readonly columns?: string;
	/** Whether it continues under the headings of the part before. */
	readonly goesOn?: boolean;
}

export type Extract = ReturnType<typeof createExtract>;

/** Characters of one file; more is a database or a bomb. */
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
		/** From the next line. */
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
		/** A heading that is not a line of the text. */
		section: (name: string): void => sections.enter(1, squeeze(name)),
		/** Lines that belong together; without any text, they only count. */
		add: (kind: Block["kind"], texts: readonly string[], cells?: Cells): void => {
			const written = texts.flatMap((text) => lines.write(text) ?? []);
			if (written.some(({ text }) => !isBlank(text)))
				sections.add({ kind, lines: written, rows: rowsOf(written, cells) });
		},
		/** The rows must have been added as lines. */
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

/** Reason why a file is not read, as the end of "It is not in the index: …". Known by its name: each bundle has its own copy. */
export class Unreadable extends Error {
	override readonly name = "UnreadableFile";
}
