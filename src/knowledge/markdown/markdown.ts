import type { Token } from "markdown-it";
import createMarkdownIt from "markdown-it";
import { isNaming } from "../../base/rdf/naming.ts";
import { SCHEMA } from "../../base/rdf/vocabulary.ts";
import type { LineRange } from "../../core/knowledge/citation.ts";
import type { ParsedDocument } from "../../core/knowledge/document.ts";
import { literal, type Quad, quad } from "../../core/knowledge/rdf.ts";
import { type Block, type BlockRow, toBlocks } from "../passages/passages.ts";
import { createSections, cutSections, MAX_TITLE, type Section } from "../passages/sections.ts";
import {
	fileName,
	fileStem,
	type Line,
	only,
	type Source,
	shorten,
	splitLines,
	squeeze,
} from "../passages/source.ts";
import { addReadableText } from "../readable/readableText.ts";
import { toItem } from "../records/listItems.ts";
import { createRecords } from "../records/records.ts";
import { withTextRecords } from "../records/textRecords.ts";
import { addMembers } from "../records/treeRecords.ts";
import { resourcesOf } from "../resources/resources.ts";
import { verbalize } from "../resources/verbalize.ts";
import { type FrontMatter, readFrontMatter } from "./frontMatter.ts";
import {
	FRONT_MATTER_KEYS,
	type MarkdownContent,
	markdownFacts,
	subjectOf,
	withoutLinks,
} from "./markdownFacts.ts";
import { MAX_TEXT, plainMarkdown } from "./plainMarkdown.ts";

/** First line of a paragraph that only imports components into a page of MDX. */
const MODULE_IMPORT = /^import\s.*\bfrom\s+["'][^"']+["'];?\s*$/;

const LONGEST_CAPTION = 24;

/** A list item that consists of a link within the document. */
const OWN_LINK = /^\s*(?:[-*+]|\d{1,9}[.)])\s+\[[^\]]+\]\(#[^)\s]*\)\s*$/;

export function parseMarkdown({ uri, text }: Source): ParsedDocument {
	const frontMatter = readFrontMatter(text);
	const lines = splitLines(text).slice(frontMatter.lineCount);
	const isLong = text.length > MAX_MARKDOWN;
	const tokens = isLong ? [] : parser.parse(lines.map((line) => line.text).join("\n"), {});
	const content = { uri, frontMatter, tokens };
	const sections = isLong ? [{ path: [], blocks: toBlocks(lines, "lines") }] : sectionsOf(tokens, lines);
	const first = sections.find(({ path }) => path.length > 0);
	const title = titleOf(frontMatter) ?? first?.path[0] ?? fileName(uri);
	const facts = markdownFacts(content);
	const own = resourcesOf(facts).map((resource) => ({ ...resource, label: title }));
	const told = { title, resources: own, quads: facts, passages: [], problems: frontMatter.problems };
	const whole = withObjects(told, frontMatter, uri);
	const texts = cutSections(title, sections);
	const verbalized = verbalize(whole.resources, tellingQuads(whole.quads, texts.length > 0));
	const document = { ...whole, passages: [...verbalized, ...texts] };
	const hasOwnKey = facts.some(({ predicate }) => predicate.value.startsWith(FRONT_MATTER_KEYS));
	const isRecord = hasOwnKey || whole.quads.length > facts.length;
	return withTextRecords(withName(document, content, first), {
		uri,
		sections,
		plain: plainMarkdown,
		isRecord,
	});
}

/** Names a note by title, first heading or file name, unless a statement names the note. */
function withName(
	document: ParsedDocument,
	{ frontMatter, uri }: MarkdownContent,
	first: Section | undefined,
) {
	const subject = subjectOf(frontMatter, uri);
	const { quads, resources } = document;
	if (quads.some((each) => each.subject.value === subject.value && isNaming(each.predicate.value)))
		return document;
	const name = literal(titleOf(frontMatter) ?? first?.path[0] ?? fileStem(uri));
	const lines = first?.heading?.lines ?? first?.headingLines ?? only(1);
	const stated = [quad(subject, `${SCHEMA}name`, name, lines)];
	const told = resources.length > 0 ? resources : resourcesOf(stated);
	return { ...document, quads: [...quads, ...stated], resources: told };
}

/** Omits the title of a document with text if the title is the only statement. */
export function tellingQuads(quads: readonly Quad[], hasText: boolean): readonly Quad[] {
	const telling = withoutLinks(quads);
	const isTitle = telling.every(({ predicate }) => predicate.value === `${SCHEMA}name`);
	return hasText && isTitle ? [] : telling;
}

export function titleOf({ values }: FrontMatter): string | undefined {
	const named = values.find(({ key }) => key === "title") ?? values.find(({ key }) => key === "name");
	return named && shorten(squeeze(named.text), MAX_TITLE);
}

function sectionsOf(tokens: readonly Token[], lines: readonly Line[]): Section[] {
	const sections = createSections();
	for (const [index, token] of tokens.entries())
		if (token.level === 0 && token.nesting >= 0) addToken(token, { tokens, index, lines }, sections);
	return sections.all;
}

/** The HTML that begins at a token. Empty lines divide it into several tokens. */
function htmlAt({ tokens, index, lines }: Within): string {
	const isHtml = (at: number) => tokens[at]?.type === "html_block";
	if (isHtml(index - 1)) return "";
	let last = index;
	while (isHtml(last + 1)) last++;
	const ownLines = lines.slice(tokens[index]?.map?.[0], tokens[last]?.map?.[1]);
	return ownLines.map(({ text }) => text).join("\n");
}

function addToken(token: Token, within: Within, sections: ReturnType<typeof createSections>): void {
	const [start, end] = token.map ?? [0, 0];
	const { text = "", lines = only(1) } = within.lines[start] ?? {};
	if (isHeading(token)) {
		const heading = headingText(within.tokens[within.index + 1]);
		sections.enter(Number(token.tag.slice(1)), heading, { text: heading, lines });
	} else if (token.type === "html_block") addReadableText(htmlAt(within), lines.start, sections);
	else if (end > start && !MODULE_IMPORT.test(text)) {
		const block = blockOf(token, within.lines.slice(start, end));
		add(block, within, sections.all.at(-1)?.blocks ?? []);
	}
}

/** Splits the last block, a list, at tables within list items. */
function splitAtTables(blocks: Block[], { tokens, index, lines }: Within): void {
	for (let at = index + 1; (tokens[at]?.level ?? 0) > 0; at++) {
		const [start, end] = tokens[at]?.map ?? [0, 0];
		const list = blocks.at(-1);
		const from = list?.lines.indexOf(lines[start] as Line) ?? -1;
		if (tokens[at]?.type !== "table_open" || !list || from < 0) continue;
		const table = list.lines.slice(from, from + end - start);
		const rest = { kind: list.kind, lines: list.lines.slice(from + table.length) };
		blocks.splice(-1, 1, { ...list, lines: list.lines.slice(0, from) });
		const plain = table.map((line) => ({ ...line, text: line.text.trimStart() }));
		blocks.push({ kind: "table", lines: plain, rows: rowsAt(tokens, at, lines) });
		if (rest.lines.some(({ text }) => text.trim() !== "")) blocks.push(rest);
	}
}

interface Within {
	readonly tokens: readonly Token[];
	readonly index: number;
	readonly lines: readonly Line[];
}

/** Adds a block. Skips a table of contents and its caption. */
function add(block: Block, within: Within, blocks: Block[]): void {
	if (!isContents(block)) {
		blocks.push({ ...block, rows: rowsAt(within.tokens, within.index, within.lines) });
		if (block.kind === "list") splitAtTables(blocks, within);
		return;
	}
	const [line, ...others] = blocks.at(-1)?.lines ?? [];
	if (line && others.length === 0 && line.text.trim().length <= LONGEST_CAPTION) blocks.pop();
}

function isContents({ lines }: Block): boolean {
	let links = 0;
	// Fast, because nearly every block fails at its first line.
	for (const { text } of lines) {
		if (OWN_LINK.test(text)) links++;
		else if (text.trim() !== "") return false;
	}
	return links > 1;
}

function isHeading(token: Token): boolean {
	return token.type === "heading_open" && token.level === 0;
}

function headingText(inline: Token | undefined): string {
	const { children, content = "" } = inline ?? {};
	const words = children?.length ? children.map((part) => part.content).join("") : content;
	return squeeze(words.replace(/<\/?\w[^<>]*>/g, ""));
}

const FORMS: Readonly<Record<string, Block["kind"]>> = {
	paragraph_open: "prose",
	bullet_list_open: "list",
	ordered_list_open: "list",
	table_open: "table",
	fence: "code",
	code_block: "code",
};

/** Fence of an admonition, such as `:::tip`, before the title or text of the admonition. */
const ADMONITION = /^\s*:{3,}\s*(?:\{?[\w-]+\}?)?\s*/;

function blockOf(token: Token, lines: readonly Line[]): Block {
	const kind = FORMS[token.type] ?? "lines";
	const told =
		kind === "prose" ? lines.map((line) => ({ ...line, text: line.text.replace(ADMONITION, "") })) : lines;
	const last = told.findLastIndex(({ text }) => text.trim() !== "");
	return {
		kind,
		lines: told.slice(
			told.findIndex(({ text }) => text.trim() !== ""),
			last + 1,
		),
	};
}

function withObjects(document: ParsedDocument, frontMatter: FrontMatter, uri: string): ParsedDocument {
	const records = createRecords();
	const subject = subjectOf(frontMatter, uri);
	addMembers(subject, frontMatter.objects, records);
	const stated = records.addTo(document);
	const parts = stated.quads.slice(document.quads.length).flatMap(({ subject: whole, object, lines }) => {
		const isPart = whole.value === subject.value && object.termType === "NamedNode";
		return isPart ? [quad(object, `${SCHEMA}isPartOf`, subject, lines)] : [];
	});
	return { ...stated, quads: [...stated.quads, ...parts] };
}

/** Maximum number of characters to parse, because tokens take much memory. A longer file is plain text. */
const MAX_MARKDOWN = 4_000_000;

/** Matches headings that may contain markup. */
const MARKUP = /[\n\\`~*_[&]|<[^\s<>]+[:@]/;

/** Matches paragraphs that may contain links, except links by reference. */
const LINK = /\]\(|<[^\s<>]+[:@]|\[\\?\[|&/;

const parser = createMarkdownIt({ html: true });
// Inline tags are not needed, and malformed tags take quadratic time.
parser.inline.ruler.disable("html_inline");
// Headings need all markup, paragraphs only links.
parser.core.ruler.at("inline", ({ tokens, env }) => {
	for (const [index, token] of tokens.entries()) {
		if (token.type !== "inline") continue;
		token.children ??= [];
		const isHeading = tokens[index - 1]?.type === "heading_open";
		const mayLink = LINK.test(token.content) || (env.references !== undefined && token.content.includes("["));
		if (isHeading ? MARKUP.test(token.content) : mayLink)
			parser.inline.parse(token.content, parser, env, token.children);
	}
});

function rowsAt(tokens: readonly Token[], index: number, lines: readonly Line[]): BlockRow[] | undefined {
	const type = tokens[index]?.type ?? "";
	const linesOf = ({ map }: Token): LineRange => {
		const [at, end] = map ?? [0, 1];
		const { start } = lines[at]?.lines ?? only(1);
		return { start, end: start + Math.max(1, end - at) - 1 };
	};
	if (type === "table_open") return tableRows(tokens, index, linesOf);
	return type.endsWith("_list_open") ? items(tokens, index, linesOf) : undefined;
}

type LinesOf = (token: Token) => LineRange;

function tableRows(tokens: readonly Token[], index: number, linesOf: LinesOf): BlockRow[] {
	const rows: { readonly cells: string[]; readonly lines: LineRange; headers: number }[] = [];
	for (let at = index + 1; at < tokens.length && tokens[at]?.type !== "table_close"; at++) {
		const token = tokens[at];
		const row = rows.at(-1);
		if (token?.type === "tr_open") rows.push({ cells: [], lines: linesOf(token), headers: 0 });
		else if (token?.type === "th_open" && row) row.headers++;
		else if (token?.type === "inline" && row) row.cells.push(shorten(token.content, MAX_TEXT));
	}
	return rows;
}

function items(tokens: readonly Token[], index: number, linesOf: LinesOf): BlockRow[] {
	const rows: BlockRow[] = [];
	let depth = 0;
	for (let at = index; at < tokens.length; at++) {
		const token = tokens[at];
		if (token?.type.includes("_list_")) depth += token.nesting;
		if (depth === 0) break;
		const [next, text] = tokens.slice(at + 1, at + 3);
		if (token?.type === "list_item_open" && next?.type === "paragraph_open" && text)
			rows.push(toItem(shorten(text.content, MAX_TEXT), linesOf(text), depth - 1));
	}
	return rows;
}
