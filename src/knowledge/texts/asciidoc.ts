import { wordMap } from "../../base/words/wordList.ts";
import type { ParsedDocument } from "../../core/knowledge/document.ts";
import type { Source } from "../passages/format.ts";
import { type Line, span, splitLines, squeeze } from "../passages/lines.ts";
import { type Attributes, asciidocRules } from "./asciidocInline.ts";
import {
	type BlockReader,
	createTextDocument,
	isBlank,
	lineWhere,
	readBlocks,
	type TextDocument,
} from "./textDocument.ts";

const FENCE = /^[|,:!]={3,}\s*$/;

/** Cell specifiers: repetition, span, alignment and style. */
const CELL =
	/(?:(?<=^|\s)(?:(\d{1,3})\*)?(?:\d{0,3}(?:\.\d{1,3})?\+)?[<^>]?(?:\.[<^>])?[aehlmsdv]?)?(?<!\\)\|/g;

/** Sections, lists, tables, listings and links; the header's author, date and attributes are statements. */
export function readAsciidoc({ uri, text }: Source): ParsedDocument {
	const attributes: Attributes = new Map();
	const document = createTextDocument(asciidocRules(attributes));
	const lines = splitLines(text);
	const header = readHeader(lines, document, attributes);
	readBlocks(lines.slice(header), readersFor(document, attributes));
	return document.finish(uri);
}

const PROPERTIES = wordMap(`
	author=author authors=author revdate=dateModified date=dateModified revnumber=version
	description=description keywords=keywords lang=inLanguage organization=publisher orgname=publisher
`);

const COMMENT = /^\/\/(?!\/)/;

const ATTRIBUTE = /^:(!?[\w][\w-]*!?):(?:[^\S\n]+(.*))?$/;

const TITLE = /^[=#][^\S\n]+(\S.*)$/;

const AUTHOR = /^[\p{L}][^<>:|]{0,100}(?:<[^<>]{1,200}>)?(?:;.*)?$/u;

const REVISION = /^(?:v?(\d[\w.-]*)(?=,|$|:))?,?\s*(\d{4}-\d\d-\d\d|[\p{L}\d][^:]{3,40})?(?::.*)?$/u;

/** Returns the index of the line after the header. */
function readHeader(lines: readonly Line[], document: TextDocument, attributes: Attributes): number {
	let at = 0;
	const isHeaderLine = (text: string) => COMMENT.test(text) || ATTRIBUTE.test(text);
	const skip = () => {
		for (let line = lines[at]; line && isHeaderLine(line.text); line = lines[at])
			at = readAttribute(lines, at, document, attributes) ?? at + 1;
	};
	at = lineWhere(lines, at, (text) => !isBlank(text));
	skip();
	const title = lines[at];
	const name = TITLE.exec(title?.text ?? "")?.[1];
	if (!title || name === undefined) return at;
	document.title(name, title.lines);
	document.heading(1, name, title.lines);
	at++;
	skip();
	const author = lines[at];
	if (author && !isBlank(author.text) && AUTHOR.test(author.text)) {
		for (const each of author.text.split(";"))
			document.state("author", each.replace(/<[^<>]*>/, "").replaceAll("_", " "), author.lines);
		at++;
		const revision = lines[at];
		if (revision && !isBlank(revision.text) && readRevision(revision, document)) at++;
	}
	skip();
	return at;
}

function readRevision({ text, lines }: Line, document: TextDocument): boolean {
	const match = /\d/.test(text) ? REVISION.exec(text) : undefined;
	const [, version, date] = match ?? [];
	if (version !== undefined) document.state("version", version, lines);
	if (date !== undefined) document.state("dateModified", date.trim(), lines);
	return version !== undefined || date !== undefined;
}

/** `:name: value`; a trailing backslash continues the value. */
function readAttribute(
	lines: readonly Line[],
	at: number,
	document: TextDocument,
	attributes: Attributes,
): number | undefined {
	const first = lines[at];
	const [, name = "", start = ""] = ATTRIBUTE.exec(first?.text ?? "") ?? [];
	if (!first || name === "") return undefined;
	let value = start;
	let next = at + 1;
	while (/(?:^|\s)\\$/.test(value) && next < lines.length && next - at < 50)
		value = `${value.replace(/\\$/, "")}${(lines[next++]?.text ?? "").trim()}`;
	const property = PROPERTIES.get(name.toLowerCase());
	if (property && value.trim() !== "") document.state(property, value, first.lines);
	if (name.toLowerCase() === "doctitle") document.title(value, first.lines);
	attributes.set(name.toLowerCase(), value.trim().slice(0, 200));
	return next;
}

/** Attributes, or an anchor in double brackets, above a block. */
const OPTIONS = /^\[(\[?[^\]\n]{0,500})\]{1,2}\s*$/;

const BLOCK_TITLE = /^\.([^\s.].*)$/;

function readersFor(document: TextDocument, attributes: Attributes): BlockReader[] {
	let options = "";
	return [
		(lines, at) => readDelimited(lines, at, document),
		(_, at, { text }) => (COMMENT.test(text) ? at + 1 : undefined),
		(lines, at) => readAttribute(lines, at, document, attributes),
		(lines, at) => readHeading(lines, at, document),
		(_, at, { text }) => {
			const [, said] = OPTIONS.exec(text) ?? [];
			if (said === undefined) return undefined;
			options = said;
			return at + 1;
		},
		(lines, at) => {
			const next = readAsciidocTable(lines, at, { document, options });
			if (next !== undefined) options = "";
			return next;
		},
		(_, at, line) => readMacro(line, document) && at + 1,
		(_, at, line) => {
			const [, title] = BLOCK_TITLE.exec(line.text) ?? [];
			if (title === undefined) return undefined;
			document.add("prose", [{ ...line, text: title }]);
			return at + 1;
		},
		(lines, at) => readParagraph(lines, at, document),
	];
}

/** Delimiters of verbatim blocks, and of blocks that contain others. */
const VERBATIM = /^(?:-{4,}|\.{4,}|\+{4,}|`{3,}.*|\/{4,})$/;

const HOLDING = /^(?:={4,}|\*{4,}|_{4,}|--|~{4,})$/;

function readDelimited(lines: readonly Line[], at: number, document: TextDocument): number | undefined {
	const mark = (lines[at]?.text ?? "").trimEnd();
	if (HOLDING.test(mark)) return at + 1;
	if (!VERBATIM.test(mark)) return undefined;
	const closing = mark.startsWith("`") ? (/^`+/.exec(mark)?.[0] ?? mark) : mark;
	const end = lineWhere(lines, at + 1, (text) => text.trimEnd() === closing);
	if (!mark.startsWith("//")) document.literal(lines.slice(at + 1, end));
	return end + 1;
}

/** `== Title`, or an underlined title. */
function readHeading(lines: readonly Line[], at: number, document: TextDocument): number | undefined {
	const line = lines[at];
	if (!line) return undefined;
	const [, marks = "", title = ""] = /^(={1,6}|#{1,6})[^\S\n]+(\S.*?)(?:\s+\1)?$/.exec(line.text) ?? [];
	if (marks !== "") {
		document.heading(marks.length, title, line.lines);
		return at + 1;
	}
	const under = lines[at + 1];
	const level = under ? "=-~^+".indexOf(under.text.charAt(0)) + 1 : 0;
	if (!under || level === 0 || !isUnderlined(line.text, under.text.trimEnd())) return undefined;
	document.heading(level, line.text, span(line.lines, under.lines));
	return at + 2;
}

function isUnderlined(title: string, marks: string): boolean {
	const isRow = marks.length > 2 && marks === marks.charAt(0).repeat(marks.length);
	return isRow && /^[\p{L}\p{N}]/u.test(title) && Math.abs(title.trimEnd().length - marks.length) <= 2;
}

/** Block macros such as `include::` and `image::`, breaks and list continuations. */
function readMacro({ text, lines }: Line, document: TextDocument): true | undefined {
	const [, name, target = "", words = ""] = /^(\w+)::([^\s[]*)\[(.{0,2000})\]\s*$/.exec(text) ?? [];
	if (name === "include") document.link(target, lines.start);
	const alternative = name === "image" || name === "video" ? words.replace(/,.*|^"|"$/g, "") : "";
	if (alternative !== "") document.add("prose", [{ text: alternative, lines }]);
	return name !== undefined || /^(?:'{3,}|<<<|\*\s?\*\s?\*|-\s-\s-|\+)\s*$/.test(text) ? true : undefined;
}

const ITEM = /^\s*(?:[*-]|\*{2,6}|\.{1,5}|\d{1,4}\.|<(?:\d{1,3}|\.)>|[a-zA-Z]\.)\s+\S/;

const TERM = /^\s*\S.{0,200}?(?:::+|;;)(?:\s|$)/;

/** Up to a blank line; list items stay together. */
function readParagraph(lines: readonly Line[], at: number, document: TextDocument): number {
	const isList = (text: string) => ITEM.test(text) || TERM.test(text);
	const ends = (text: string) =>
		isBlank(text) ||
		VERBATIM.test(text.trimEnd()) ||
		HOLDING.test(text) ||
		OPTIONS.test(text) ||
		/^[|,:!]===/.test(text);
	const end = Math.max(at + 1, lineWhere(lines, at, ends));
	const own = lines.slice(at, end).filter(({ text }) => !COMMENT.test(text) && text.trim() !== "+");
	const [first] = own;
	if (!first) return end;
	if (/^\s/.test(first.text) && !isList(first.text)) document.literal(own);
	else if (own.some(({ text }) => isList(text))) document.add("list", own.map(itemOf));
	else document.add("prose", own);
	return end;
}

/** Replaces list marks by common ones. */
function itemOf(line: Line): Line {
	const text = line.text
		.replace(
			/^\s*(\*{1,6}|-)\s+(?:\[[ *x]\]\s+)?/,
			(_, marks: string) => `${"  ".repeat(marks.length - 1)}- `,
		)
		.replace(/^\s*(\.{1,5})\s+/, (_, marks: string) => `${"  ".repeat(marks.length - 1)}1. `)
		.replace(/^(\s*\S.{0,200}?)(?:::+|;;)(?=\s|$)/, "$1:");
	return { ...line, text };
}

/** One line per row. */
function readAsciidocTable(
	lines: readonly Line[],
	at: number,
	{ document, options }: { readonly document: TextDocument; readonly options: string },
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

/** Number of columns in `cols="1,3*2"`. */
function columnsIn(options: string): number | undefined {
	const [, quoted, single] = /\bcols\s*=\s*(?:"([^"]{1,300})"|(\d{1,3}\*?))/.exec(options) ?? [];
	const told = quoted ?? single;
	if (told === undefined) return undefined;
	const columns = told
		.split(/[,;]/)
		.reduce((sum, each) => sum + Number(/^\s*(\d{1,3})\*/.exec(each)?.[1] ?? 1), 0);
	return columns > 0 && columns < 1000 ? columns : undefined;
}

/** Number of cells on the first line that has any. */
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

/** The text after a mark, repeated as often as it says. */
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
