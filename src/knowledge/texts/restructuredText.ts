import { wordMap } from "../../base/words/wordList.ts";
import type { ParsedDocument } from "../../core/knowledge/document.ts";
import type { Source } from "../passages/format.ts";
import { type Line, span, splitLines, squeeze } from "../passages/lines.ts";
import { indentOf, readDirective } from "./restDirectives.ts";
import { type Names, namesIn, restRules } from "./restInline.ts";
import {
	type BlockReader,
	createTextDocument,
	isBlank,
	lineWhere,
	readBlocks,
	type TextDocument,
} from "./textDocument.ts";

/** Sections, lists, tables, literal blocks and links; the fields at the top are statements. */
export function readRestructuredText({ uri, text }: Source): ParsedDocument {
	const lines = splitLines(text.replaceAll("\t", "    "));
	const names = namesIn(lines);
	const document = createTextDocument(restRules(names));
	readBlocks(lines, readersFor(document, names));
	return document.finish(uri);
}

const PROPERTIES = wordMap(`
	author=author authors=author date=datePublished version=version revision=version organization=publisher
	copyright=license abstract=abstract description=description keywords=keywords language=inLanguage
`);

function readersFor(document: TextDocument, names: Names): BlockReader[] {
	const levels: string[] = [];
	const readers: BlockReader[] = [
		(lines, at) => readTitle(lines, at, { document, levels }),
		(lines, at) => readRestTable(lines, at, document),
		(lines, at) =>
			readDirective(lines, at, { document, names, readInside: (body) => readBlocks(body, readers) }),
		(lines, at) => readField(lines, at, document, levels.length <= 1),
		(lines, at) => readParagraph(lines, at, document),
	];
	return readers;
}

/** A row of one punctuation mark. */
const ROW = /^([!-/:-@[-`{-~])\1{2,}\s*$/;

interface Titles {
	readonly document: TextDocument;
	/** Marks under and over titles, outermost level first. */
	readonly levels: string[];
}

/** Title with a row of marks under it, and maybe over it. */
function readTitle(lines: readonly Line[], at: number, titles: Titles): number | undefined {
	const first = lines[at];
	if (!first || !ROW.test(first.text)) return addTitle(lines, at, titles);
	// A single row separates paragraphs.
	return isBlank(lines[at + 1]?.text ?? "") ? at + 1 : addTitle(lines, at + 1, titles, first);
}

function addTitle(
	lines: readonly Line[],
	at: number,
	{ document, levels }: Titles,
	over?: Line,
): number | undefined {
	const [title, under] = [lines[at], lines[at + 1]];
	if (!title || !under || !isTitle(title.text, under.text, over?.text)) return undefined;
	const mark = under.text.charAt(0);
	const style = over ? `${mark}${mark}` : mark;
	if (levels.length === 0 && (over || isOnly(lines, at + 2, under.text)))
		document.title(title.text, title.lines);
	if (!levels.includes(style)) levels.push(style);
	document.heading(
		Math.min(6, levels.indexOf(style) + 1),
		title.text,
		span((over ?? title).lines, under.lines),
	);
	return at + 2;
}

function isTitle(title: string, under: string, over: string | undefined): boolean {
	if (!ROW.test(under) || isBlank(title) || ROW.test(title)) return false;
	const isWide = under.trimEnd().length >= Math.min(title.trim().length, 4);
	return isWide && (over === undefined ? !/^\s/.test(title) : over.charAt(0) === under.charAt(0));
}

/** A title is the document's if its style is unique. */
function isOnly(lines: readonly Line[], from: number, row: string): boolean {
	const mark = row.charAt(0).repeat(3);
	const others = lines.slice(from).filter(({ text }) => text.startsWith(mark) && ROW.test(text));
	return others.length === 0;
}

/** `:Author: Name` is a statement at the top, and a line elsewhere. */
function readField(
	lines: readonly Line[],
	at: number,
	document: TextDocument,
	isTop: boolean,
): number | undefined {
	const line = lines[at];
	const [, name = "", value = ""] = /^:((?![\s:])[^:\n`]{1,80}):(?:\s+(.*))?$/.exec(line?.text ?? "") ?? [];
	if (!line || name === "") return undefined;
	const end = lineWhere(lines, at + 1, (text) => !/^\s+\S/.test(text));
	const more = lines.slice(at + 1, end).map(({ text }) => text.trim());
	const whole = [value, ...more].join(" ").trim();
	const property = isTop ? PROPERTIES.get(name.toLowerCase()) : undefined;
	const lineRange = span(line.lines, lines[end - 1]?.lines ?? line.lines);
	if (property && whole !== "") document.state(property, whole, lineRange);
	if (whole !== "") document.add("lines", [{ text: `${name}: ${whole}`, lines: lineRange }]);
	return end;
}

const ITEM = /^\s*(?:[-*+•]|\(?(?:\d{1,4}|#|[a-zA-Z])[.)])\s+\S/;

/** Up to a blank line. A final `::` makes the indented lines below literal. */
function readParagraph(lines: readonly Line[], at: number, document: TextDocument): number {
	const end = Math.max(at + 1, lineWhere(lines, at, isBlank));
	const own = lines.slice(at, end);
	const last = own.at(-1);
	if (!last) return end;
	const isLiteral = last.text.trimEnd().endsWith("::");
	const text = last.text.replace(/\s*::\s*$/, (mark) => (/^\s/.test(mark) ? "" : ":"));
	const told = isLiteral ? [...own.slice(0, -1), { ...last, text: text === ":" ? "" : text }] : own;
	const isRun = told.some((line) => ITEM.test(line.text) || /^\s*\|\s/.test(line.text));
	document.add(isRun || isDefinition(told) ? "list" : "prose", told.map(withoutMark));
	if (!isLiteral) return end;
	const depth = indentOf(own[0]?.text ?? "");
	const after = lineWhere(lines, end, (line) => !isBlank(line) && indentOf(line) <= depth);
	document.literal(lines.slice(end, after));
	return Math.max(end, after);
}

function isDefinition([first, second]: readonly Line[]): boolean {
	return first !== undefined && second !== undefined && indentOf(second.text) > indentOf(first.text);
}

/** Removes marks of line blocks, and numbers automatic items. */
function withoutMark(line: Line): Line {
	const text = line.text.replace(/^(\s*)\| /, "$1").replace(/^(\s*)#\.(?=\s)/, "$11.");
	return { text, lines: line.lines };
}

const GRID = /^\s*\+(?:[-=]+\+)+\s*$/;
const SIMPLE = /^\s*={2,}(?:\s+={2,})+\s*$/;

/** Grid or simple table; one line per row. */
function readRestTable(lines: readonly Line[], at: number, document: TextDocument): number | undefined {
	const first = lines[at]?.text ?? "";
	if (GRID.test(first)) return readGrid(lines, at, document);
	return SIMPLE.test(first) ? readSimple(lines, at, document) : undefined;
}

function readGrid(lines: readonly Line[], at: number, document: TextDocument): number {
	const end = lineWhere(lines, at, (text) => !/^\s*[+|]/.test(text));
	const rows: Line[][] = [[]];
	for (const line of lines.slice(at, end)) {
		// A border across only some columns does not separate rows.
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

/** Index after the last border, which a blank line follows. */
function simpleEnd(lines: readonly Line[], at: number): number {
	let next = at;
	for (let borders = 0; next < lines.length; next++) {
		if (SIMPLE.test(lines[next]?.text ?? "") && ++borders > 1 && isBlank(lines[next + 1]?.text ?? "")) break;
	}
	return Math.min(lines.length, next + 1);
}

/** A line with an empty first column continues the row above. */
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

function joined(row: readonly Line[], cut: (text: string) => string[]): Line[] {
	const [first, last] = [row[0], row.at(-1)];
	if (!first || !last) return [];
	const cells: string[] = [];
	for (const { text } of row)
		for (const [index, cell] of cut(text).entries()) cells[index] = `${cells[index] ?? ""} ${cell.trim()}`;
	return [{ text: cells.map(squeeze).join(" | "), lines: span(first.lines, last.lines) }];
}
