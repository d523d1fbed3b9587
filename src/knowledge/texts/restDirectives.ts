import { type Line, shift, span } from "../passages/lines.ts";
import { rowText } from "../passages/tableRows.ts";
import { tableIn } from "./delimited.ts";
import type { Names } from "./restInline.ts";
import { isBlank, lineWhere, type TextDocument } from "./textDocument.ts";

interface Inside {
	readonly document: TextDocument;
	readonly names: Names;
	readInside(lines: readonly Line[]): void;
}

/** Directives with verbatim content. */
const LITERAL =
	/^(?:code|code-block|sourcecode|literalinclude|parsed-literal|highlight|math|prompt|doctest|testcode|productionlist|graphviz|mermaid|raw)$/;
/** Directives without text. */
const SILENT =
	/^(?:contents|toctree|index|highlight|default-role|role|sectnum|header|footer|meta|tabularcolumns|currentmodule|module|only|if|raw|target-notes|default-domain|replace|unicode|date|testsetup|autosummary)$/;
const ADMONITION =
	/^(?:note|warning|tip|hint|important|attention|caution|danger|error|seealso|todo|deprecated|versionadded|versionchanged)$/;

const DIRECTIVE = /^(\s*)\.\. (?:\|[^|]{1,100}\|\s+)?([\w:+.-]{1,60})::(?:\s+(.*))?$/;
const MARKUP = /^(\s*)\.\.(?:\s|$)/;
const OPTION = /^\s*:[\w-]{1,60}:(?:\s|$)/;

/** Maximum depth of nested blocks. */
const DEEPEST = 30;

/** `.. name:: words` with indented content; also comments, footnotes and targets. */
export function readDirective(lines: readonly Line[], at: number, inside: Inside): number | undefined {
	const first = lines[at];
	const markup = first && MARKUP.exec(first.text);
	if (!first || !markup) return undefined;
	const depth = (markup[1] ?? "").length;
	const end = bodyEnd(lines, at + 1, depth);
	const body = dedented(lines.slice(at + 1, end), depth);
	const [, , name, words = ""] = DIRECTIVE.exec(first.text) ?? [];
	if (name === undefined) readNote(first, body, inside);
	else tell({ name: name.replace(/^.*:/, ""), words, first, body }, inside, depth);
	return end;
}

function bodyEnd(lines: readonly Line[], from: number, depth: number): number {
	let end = lineWhere(lines, from, (text) => !isBlank(text) && indentOf(text) <= depth);
	while (end > from && isBlank(lines[end - 1]?.text ?? "")) end--;
	return end;
}

interface Directive {
	readonly name: string;
	readonly words: string;
	readonly first: Line;
	readonly body: readonly Line[];
}

function tell(directive: Directive, inside: Inside, depth: number): void {
	const { name, words, first, body } = directive;
	const { document } = inside;
	const start = lineWhere(body, 0, (text) => !OPTION.test(text));
	const content = body.slice(start);
	if (/^(?:include|literalinclude)$/.test(name)) document.link(words.trim(), first.lines.start);
	if (/^(?:image|figure)$/.test(name)) addAlternative(body.slice(0, start), document);
	if (name === "toctree") linkPages(content, document);
	if (SILENT.test(name)) return;
	if (/^(?:csv|list)-table$/.test(name)) tellTable(directive, content, document);
	else if (LITERAL.test(name)) document.literal(content);
	else tellInside(directive, content, depth < DEEPEST ? inside : { ...inside, readInside: document.literal });
}

function tellInside(
	{ name, words, first }: Directive,
	content: readonly Line[],
	{ document, readInside }: Inside,
): void {
	const said = saidBy(name, words);
	if (said !== "") document.add("prose", [{ ...first, text: said }]);
	readInside(content);
}

/** The words of a directive are text, except file names. */
function saidBy(name: string, words: string): string {
	if (/^(?:image|figure|include)$/.test(name)) return "";
	const label = ADMONITION.test(name) ? name.charAt(0).toUpperCase() + name.slice(1) : "";
	if (label === "") return words;
	return words === "" ? `${label}:` : `${label}: ${words}`;
}

function addAlternative(options: readonly Line[], document: TextDocument): void {
	for (const option of options) {
		const [, words] = /^\s*:alt:\s+(.+)$/.exec(option.text) ?? [];
		if (words !== undefined) document.add("prose", [{ ...option, text: words }]);
	}
}

function linkPages(content: readonly Line[], document: TextDocument): void {
	for (const { text, lines } of content) {
		const target = /<([^<>]{1,300})>\s*$/.exec(text)?.[1] ?? text.trim();
		if (/^[\w./-]+$/.test(target) && !target.startsWith("/"))
			document.link(/\.\w+$/.test(target) ? target : `${target}.rst`, lines.start);
	}
}

function tellTable(
	{ name, words, first }: Directive,
	content: readonly Line[],
	document: TextDocument,
): void {
	if (words !== "") document.add("prose", [{ ...first, text: words }]);
	document.add("table", name === "csv-table" ? rowsOfCsv(content) : rowsOfLists(content));
}

function rowsOfCsv(content: readonly Line[]): Line[] {
	const by = (content[0]?.lines.start ?? 1) - 1;
	const rows = tableIn(content.map((line) => line.text).join("\n"), ",");
	return rows.map(({ row, lines }) => ({ text: rowText(row, undefined), lines: shift(lines, by) }));
}

function rowsOfLists(content: readonly Line[]): Line[] {
	const rows: Line[] = [];
	for (const { text, lines } of content.filter((line) => !isBlank(line.text))) {
		const cell = text.replace(/^\s*(?:\* )?\s*- ?/, "").trim();
		const last = rows.at(-1);
		const glue = /^\s*- ?/.test(text) ? " | " : " ";
		if (/^\s*\* /.test(text) || !last) rows.push({ text: cell, lines });
		else rows[rows.length - 1] = { text: last.text + glue + cell, lines: span(last.lines, lines) };
	}
	return rows;
}

/** Footnotes and citations are text; targets are known already, and comments say nothing. */
function readNote(first: Line, body: readonly Line[], { document }: Inside): void {
	const [, name = "", words = ""] = /^\s*\.\. \[([#*]?[\w.-]{0,60})\]\s*(.*)$/.exec(first.text) ?? [];
	if (name === "" && words === "") return;
	document.add("prose", [{ ...first, text: `(${name}) ${words}` }, ...body]);
}

function dedented(lines: readonly Line[], depth: number): Line[] {
	const indents = lines.filter(({ text }) => !isBlank(text)).map(({ text }) => indentOf(text));
	const least = indents.reduce((min, indent) => Math.min(min, indent), Number.POSITIVE_INFINITY);
	const by = Number.isFinite(least) ? least : depth;
	return lines.map((line) => ({ ...line, text: line.text.slice(by) }));
}

export function indentOf(text: string): number {
	return text.length - text.trimStart().length;
}
