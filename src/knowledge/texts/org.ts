import { wordMap } from "../../base/words/wordList.ts";
import type { ParsedDocument } from "../../core/knowledge/document.ts";
import type { Source } from "../passages/format.ts";
import { type Line, splitLines, squeeze } from "../passages/lines.ts";
import { between, type InlineRule } from "./inline.ts";
import {
	type BlockReader,
	createTextDocument,
	isBlank,
	lineWhere,
	readBlocks,
	type TextDocument,
} from "./textDocument.ts";

/** Headlines, lists, tables, blocks and links; the keywords at the top are statements. */
export function readOrg({ uri, text }: Source): ParsedDocument {
	const document = createTextDocument(RULES);
	const readers = [readHeadline, readBlock, readDrawer, readKeyword, readTable, readFixed, readParagraph];
	readBlocks(
		splitLines(text),
		readers.map((read) => (lines, at, line) => read(lines, at, line, document)),
	);
	return document.finish(uri);
}

const PROPERTIES = wordMap(`
	author=author date=datePublished description=description subtitle=alternativeHeadline keywords=keywords
	filetags=keywords language=inLanguage category=articleSection
`);

type Read = (...block: [...Parameters<BlockReader>, document: TextDocument]) => number | undefined;

const HEADLINE = /^(\*{1,30})\s+(\S.*)$/;
const STATE = /^(?:TODO|DONE|NEXT|WAITING|HOLD|CANCELLED|CANCELED|STARTED)\s+(?=\S)/;

const readHeadline: Read = (_, at, line, document) => {
	const [, stars = "", words = ""] = HEADLINE.exec(line.text) ?? [];
	if (stars === "") return undefined;
	const title = words
		.replace(STATE, "")
		.replace(/^\[#\w\]\s*/, "")
		.replace(/^COMMENT\s+/, "")
		.replace(/\s+:[\p{L}\p{N}_@#%:]{1,200}:\s*$/u, "");
	const [state = ""] = STATE.exec(words) ?? [];
	const tags = /\s:([\p{L}\p{N}_@#%:]{1,200}):\s*$/u.exec(words)?.[1]?.replaceAll(":", ", ") ?? "";
	document.heading(Math.min(6, stars.length), title, line.lines);
	// States and tags of headlines are searchable too.
	const said = [state.trim(), tags].filter((each) => each !== "").join(" · ");
	if (said !== "") document.literal([{ ...line, text: said }]);
	return at + 1;
};

const LITERAL = /^(?:src|example|export)$/i;

const readBlock: Read = (lines, at, line, document) => {
	const [, name] = /^\s*#\+begin_(\w{1,40})/i.exec(line.text) ?? [];
	if (name === undefined) return /^\s*#\+end_\w/i.test(line.text) ? at + 1 : undefined;
	const isSilent = /^(?:comment|export)$/i.test(name);
	if (!LITERAL.test(name) && !isSilent) return at + 1;
	const closing = `#+end_${name.toLowerCase()}`;
	const end = lineWhere(lines, at + 1, (text) => text.trim().toLowerCase().startsWith(closing));
	// An unclosed block extends to the end and is always kept.
	if (!isSilent || end === lines.length) document.literal(lines.slice(at + 1, end));
	return end + 1;
};

/** Keeps a headline's properties, but not its logbook. */
const readDrawer: Read = (lines, at, { text: mark }, document) => {
	const [, name] = /^\s*:([\w-]{1,40}):\s*$/.exec(mark) ?? [];
	if (name === undefined) return undefined;
	const near = lines.slice(at + 1, at + 60);
	const height = near.findIndex(({ text }) => /^\s*:end:\s*$/i.test(text));
	if (height < 0) return at + 1;
	const told = near.slice(0, height).flatMap((line) => {
		const [, key = "", value = ""] = /^\s*:([\w+-]{1,60}):\s+(\S.*)$/.exec(line.text) ?? [];
		return key === "" || /^(?:custom_)?id$/i.test(key) ? [] : [{ ...line, text: `${key}: ${value}` }];
	});
	if (name.toLowerCase() === "properties") document.add("lines", told);
	return at + height + 2;
};

const readKeyword: Read = (_, at, line, document) => {
	if (/^\s*#(?:\s|$)/.test(line.text)) return at + 1;
	const [, name = "", value = ""] =
		/^\s*#\+([\w-]{1,40})(?:\[[^\]]{0,200}\])?:\s*(.*)$/.exec(line.text) ?? [];
	if (name === "") return undefined;
	const key = name.toLowerCase();
	const property = PROPERTIES.get(key);
	if (value === "") return at + 1;
	if (key === "title") document.title(value, line.lines);
	else if (key === "include") document.link(value.replace(/^"([^"]*)".*$/, "$1"), line.lines.start);
	else if (key === "caption") document.add("prose", [{ ...line, text: value }]);
	else if (property) document.state(property, statedAs(key, value), line.lines);
	return at + 1;
};

function statedAs(key: string, value: string): string {
	if (key === "filetags")
		return value
			.split(":")
			.filter((tag) => tag.trim() !== "")
			.join(", ");
	return key === "date" ? value.replace(/^[<[](\d{4}-\d\d-\d\d)[^>\]]*[>\]]$/, "$1") : value;
}

const readTable: Read = (lines, at, line, document) => {
	if (!/^\s*\|/.test(line.text)) return undefined;
	const end = lineWhere(lines, at, (text) => !/^\s*\|/.test(text));
	const rows = lines.slice(at, end).filter(({ text }) => !/^\s*\|-/.test(text));
	const cells = rows.map((row) => ({ ...row, text: cellsIn(row.text) }));
	document.add("table", cells);
	return end;
};

function cellsIn(text: string): string {
	return text
		.trim()
		.replace(/^\||\|$/g, "")
		.split("|")
		.map(squeeze)
		.join(" | ");
}

const readFixed: Read = (lines, at, first, document) => {
	const isFixed = (text: string) => /^\s*:(?:\s|$)/.test(text);
	if (!isFixed(first.text)) return undefined;
	const end = lineWhere(lines, at, (text) => !isFixed(text));
	document.literal(lines.slice(at, end).map((line) => ({ ...line, text: line.text.replace(/^\s*: ?/, "") })));
	return end;
};

const ITEM = /^\s*(?:[-+]|\s\*|\d{1,4}[.)])\s+\S/;

const readParagraph: Read = (lines, at, _, document) => {
	const ends = (text: string) =>
		isBlank(text) || HEADLINE.test(text) || /^\s*(?:#\+|\||:[\w-]{1,40}:\s*$|:\s)/.test(text);
	const end = Math.max(at + 1, lineWhere(lines, at, ends));
	const own = lines.slice(at, end);
	const isList = own.some(({ text }) => ITEM.test(text));
	document.add(isList ? "list" : "prose", isList ? own.map(itemOf) : own);
	return end;
};

function itemOf(line: Line): Line {
	const text = line.text
		.replace(/^(\s*)(?:\+|\*)(?=\s)/, "$1-")
		.replace(/^(\s*(?:-|\d{1,4}[.)])\s+)\[[ xX-]\]\s+/, "$1")
		.replace(/^(\s*-\s+\S.{0,200}?)\s+::(?=\s|$)/, "$1:");
	return { ...line, text };
}

const RULES: readonly InlineRule[] = [
	[
		/\[\[([^[\]]{1,1000})\](?:\[([^[\]]{1,500})\])?\]/g,
		(target = "", words) => ({ text: words ?? target, href: hrefOf(target) }),
	],
	[/<((?:https?|ftp):\/\/[^\s<>]{1,1000})>/g, (href = "") => ({ text: href, href })],
	[
		/(?<![\w/"(<])((?:https?|ftp):\/\/[^\s<>"[\]]{1,1000}[^\s<>"[\].,;:!?)'])/g,
		(href = "") => ({ text: href, href }),
	],
	[/\[fn:([\w-]{0,60}):([^[\]]{1,1000})\]/g, (_, words = "") => ` (${words})`],
	[/\[fn:([\w-]{1,60})\]/g, (name = "") => `(${name})`],
	[/<<<?([^<>\n]{1,200})>>>?/g, (words = "") => words],
	[/@@[\w-]{1,30}:[^@\n]{0,300}@@/g, () => ""],
	...["*", "/", "_", "+", "=", "~"].map((mark) => between(mark)),
	[/\\\\\s*$/gm, () => ""],
];

/** `undefined` for links within the file. */
function hrefOf(target: string): string | undefined {
	if (/^(?:https?|ftp):/.test(target)) return target;
	const [, path] = /^(?:file:|(?=\.{0,2}\/))(.{1,1000}?)(?:::.*)?$/.exec(target) ?? [];
	return path === undefined || /^[~/]/.test(path) ? undefined : path;
}
