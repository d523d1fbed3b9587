import { batchesOf } from "../../base/values.ts";
import { wordMap } from "../../base/words/wordList.ts";
import type { LineRange } from "../../core/knowledge/citation.ts";
import type { ParsedDocument } from "../../core/knowledge/document.ts";

import { createSections, cutSections, MAX_TITLE } from "../passages/sections.ts";
import {
	fileName,
	isBlank,
	type Line,
	lineWhere,
	READABLE,
	type Source,
	shorten,
	span,
	splitLines,
	squeeze,
} from "../passages/source.ts";
import { documentAbout, type Fact, type Link } from "../resources/documentFacts.ts";
import { type InlineRule, LEVELS, type Markup } from "./markups.ts";

/** Reads sections, lists, tables and literal blocks. Titles, authors, dates and links become statements. */
export function readLightMarkup(markup: Markup, { uri, text }: Source): ParsedDocument {
	const lines = splitLines(withTexts(text));
	const document = createMarkupDocument(markup);
	for (let at = 0; at < lines.length; )
		at =
			readUnderlined(lines, at, document) ??
			readLiteral(lines, at, document) ??
			readLine(lines, at, document);
	return document.finish(uri);
}

/** Definitions of texts, with the marks around a name where the text is used. */
const DEFINED: readonly (readonly [definition: RegExp, start: string, end: string])[] = [
	[/^:([\w-]{1,60}):[^\S\n]+(.{1,300})$/gm, "{", "}"],
	[/^[ \t]*\.\. \|([^|\n]{1,100})\|[ \t]+replace::[^\S\n]*(.{1,300})$/gm, "|", "|"],
	[/\\(?:(?:re)?newcommand\*?\s*\{?|def\s*)\\([a-zA-Z]{1,60})\}?\{([^{}#\n]{1,200})\}/g, "\\", ""],
];
const USED = /\{[\w-]{1,60}\}|(?<!\.\. )\|[^|\n]{1,100}\||(?<!\{)\\[a-zA-Z]{1,60}/g;

function withTexts(text: string): string {
	const texts = new Map<string, string>();
	for (const [definition, start, end] of DEFINED)
		for (const [, name, value = ""] of text.matchAll(definition)) texts.set(`${start}${name}${end}`, value);
	const told = text.replace(HEADER, (header) => header.replace(NAMED, ":$&"));
	return texts.size === 0 ? told : told.replace(USED, (used) => texts.get(used) ?? used);
}

/** Lines like `Title: …` and `Author: …` above the text, as in enhancement proposals. */
const HEADER = /^(?:[A-Z][\w-]{0,30}: .{1,300}\n){2,}/;

/** Number of lines whose markup is parsed together, because markup may span lines. */
const TOGETHER = 100;

const ITEM = /^\s*(?:[-*+•]|\(?(?:\d{1,4}|#|[a-zA-Z])[.)])\s+\S/;
const TABLE_ROW = /^\s*(?:\||\+[-=+]{2,}|={2,}\s+=)|\\\\\s*(?:\\\w+\s*)?$/;

type MarkupDocument = ReturnType<typeof createMarkupDocument>;

function createMarkupDocument(markup: Markup) {
	const sections = createSections();
	const values: Fact[] = [];
	const links: Link[] = [];
	const paragraph: Line[] = [];
	const styles: string[] = [];
	const endParagraph = () => {
		const lines = paragraph.splice(0);
		const plain = batchesOf(lines, TOGETHER).flatMap((run) => plainLines(run, markup.inline, links));
		const told = [...plain].filter(({ text }) => READABLE.test(text));
		const other = told.some(({ text }) => ITEM.test(text)) ? "list" : "prose";
		const kind = lines.some(({ text }) => TABLE_ROW.test(text)) ? "table" : other;
		const rows = kind === "table" ? told.map((line) => ({ ...line, text: squeeze(line.text) })) : told;
		if (rows.length > 0) sections.add({ kind, lines: rows });
	};
	const state = (property: string, value: string, lines: LineRange): string => {
		const told = squeeze(plainLines([{ text: value, lines }], markup.inline, [])[0]?.text ?? "");
		const isNamed = property === "name" && values.some((each) => each.property === "name");
		if (told !== "" && !isNamed) values.push({ property, value: shorten(told, MAX_TITLE), lines });
		return told;
	};
	return {
		markup,
		state,
		endParagraph,
		add: (line: Line) => void paragraph.push(line),
		literal: (lines: readonly Line[]): void => {
			endParagraph();
			const first = lines.findIndex(({ text }) => !isBlank(text));
			const last = lines.findLastIndex(({ text }) => !isBlank(text));
			if (first >= 0) sections.add({ kind: "lines", lines: lines.slice(first, last + 1) });
		},
		/** Adds a heading. The first heading names a document without a title. */
		heading: (level: number, { text, lines }: Line): void => {
			endParagraph();
			const name = state("name", text, lines);
			sections.enter(level, name, { text: name, lines });
		},
		/** Level of a heading style. Styles get levels in order of first use. */
		levelOf: (style: string): number => {
			if (!styles.includes(style)) styles.push(style);
			return styles.indexOf(style) + 1;
		},
		finish: (uri: string): ParsedDocument => {
			endParagraph();
			const title = String(values.find(({ property }) => property === "name")?.value ?? fileName(uri));
			const facts = { type: "TextDigitalDocument", values, links: leading(links, uri), linksToFiles: true };
			return { ...documentAbout(uri, title, facts, cutSections(title, sections.all)), problems: [] };
		},
	};
}

/** Links to other files. Page names without an extension get the document's extension. */
function leading(links: readonly Link[], uri: string): Link[] {
	const [ending = ""] = /\.\w+$/.exec(uri) ?? [];
	return links
		.filter(({ href }) => href !== "" && !/^[#/~]|_$/.test(href))
		.map(({ href, line }) => ({ href: /[.:]/.test(href) ? href : `${href}${ending}`, line }));
}

const ROW = /^([!-/:-@[-`{-~])\1{2,}\s*$/;

/** Reads a title with a row of marks below and possibly above it. Each kind of row is a level. */
function readUnderlined(lines: readonly Line[], at: number, document: MarkupDocument): number | undefined {
	const [first, second, third] = lines.slice(at, at + 3);
	const isOver = first !== undefined && ROW.test(first.text) && first.text === third?.text;
	const [title, under] = isOver ? [second, third] : [first, second];
	if (!title || !under || !isTitle(title.text, under.text) || (!isOver && /^\s/.test(title.text)))
		return undefined;
	const level = document.levelOf(under.text.charAt(0).repeat(isOver ? 2 : 1));
	document.heading(level, { text: title.text, lines: span((first ?? title).lines, under.lines) });
	return at + (isOver ? 3 : 2);
}

function isTitle(title: string, under: string): boolean {
	const isWide = under.trimEnd().length >= Math.min(title.trim().length - 1, 60);
	return ROW.test(under) && isWide && READABLE.test(title) && !/^(?:[.*+|[=-]|\s*$)/.test(title);
}

function readLiteral(lines: readonly Line[], at: number, document: MarkupDocument): number | undefined {
	const { markup } = document;
	const first = lines[at];
	const groups = first && markup.literal.exec(first.text)?.groups;
	if (!groups) return undefined;
	const { indent, mark = "", silent, text } = groups;
	if (text) document.add({ ...first, text });
	const isEnd = (line: string) =>
		indent === undefined
			? markup.ends?.(line, mark) === true
			: !isBlank(line) && !line.startsWith(`${indent} `);
	const end = lineWhere(lines, at + 1, isEnd);
	if (silent === undefined) document.literal(lines.slice(at + 1, end));
	else for (const line of lines.slice(at, end)) readField(line, document);
	return indent === undefined ? end + 1 : end;
}

function readLine(lines: readonly Line[], at: number, document: MarkupDocument): number {
	const { markup } = document;
	const line = lines[at];
	const { name, marks = "=", title } = markup.heading?.exec(line?.text ?? "")?.groups ?? {};
	if (line && title !== undefined)
		document.heading(name ? LEVELS.indexOf(name) + 1 : marks.length, {
			...line,
			text: title.replace(/\s=+\s*$/, ""),
		});
	else if (!line || isBlank(line.text) || readField(line, document) || markup.silent.test(line.text))
		document.endParagraph();
	else document.add(line);
	return at + 1;
}

/** Properties of schema.org by field name. */
const PROPERTIES = wordMap(`
	title=name doctitle=name author=author authors=author date=datePublished revdate=dateModified
	version=version revnumber=version revision=version description=description abstract=abstract
	keywords=keywords filetags=keywords lang=inLanguage language=inLanguage organization=publisher
`);

const NAMED = new RegExp(`^(?:${[...PROPERTIES.keys()].join("|")}):`, "gim");

/** Matches `:author: Ada`, `#+AUTHOR: Ada` or `\author{Ada}`. */
const FIELD = new RegExp(
	String.raw`^\s*(?::|#\+|\\)(${[...PROPERTIES.keys()].join("|")})(?::\s+(?=\S)|(?:\[[^\]]{0,300}\])?\{)(.*\S)`,
	"i",
);

const LONGEST_FIELD = 2000;
/** Matches affiliations after authors (LaTeX), and weekdays after dates (Org). */
const BESIDE = /\\(?:thanks|inst|\\).*|^[<[](?=\d)|(?<=-\d\d) .*[>\]]$/g;

function readField({ text, lines }: Line, document: MarkupDocument): boolean {
	const [, name = "", written = ""] = FIELD.exec(text.slice(0, LONGEST_FIELD)) ?? [];
	const property = PROPERTIES.get(name.toLowerCase());
	if (property === undefined) return false;
	const value = written.replace(/\}$/, "");
	const values = property === "author" ? value.split(/;|\\and\b/) : [value];
	for (const each of values) document.state(property, each.replace(BESIDE, ""), lines);
	return true;
}

/** Maximum length of a line whose markup is parsed. Longer lines are data. */
const LONGEST = 20_000;

/** Removes inline markup. Keeps line breaks. */
function plainLines(lines: readonly Line[], rules: readonly InlineRule[], links: Link[]): readonly Line[] {
	if (lines.some(({ text }) => text.length > LONGEST)) return lines;
	const breaksIn = (text: string) => text.split("\n").length - 1;
	let told = lines.map(({ text }) => text).join("\n");
	for (const [pattern, instead] of rules) {
		let [plain, from, line] = ["", 0, 0];
		for (const { 0: whole, index, groups: { text = "", href = "" } = {} } of told.matchAll(pattern)) {
			const before = told.slice(from, index);
			line += breaksIn(before);
			links.push({ href, line: lines[line]?.lines.start ?? 1 });
			const words = instead?.replace("$text", () => text) ?? (text || href);
			plain += before + words + "\n".repeat(Math.max(0, breaksIn(whole) - breaksIn(words)));
			from = index + whole.length;
			line += breaksIn(whole);
		}
		told = plain + told.slice(from);
	}
	const texts = told.normalize("NFC").split("\n");
	return lines.map((line, index) => ({ ...line, text: texts[index] ?? "" }));
}
