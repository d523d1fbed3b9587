import { countWords, wordSet } from "../../base/words/wordList.ts";
import type { LineRange } from "../../core/knowledge/citation.ts";
import type { Block } from "../passages/passages.ts";
import { LINE_END, type Line, only, squeeze } from "../passages/source.ts";
import { CELL_MARK } from "../passages/tableRows.ts";
import { createReadableRows } from "./readableRows.ts";
import { type Tag, walkHtml } from "./walkHtml.ts";

const SILENT = wordSet("title head script style template noscript svg math nav iframe object");

const HEADING = /^h[1-6]$/;

const LAYOUTS: ReadonlyMap<string, Layout> = new Map([
	...["ul", "ol", "dl"].map((name): [string, Layout] => [name, "list"]),
	["table", "table"],
	["pre", "code"],
]);

const BREAKING = wordSet(`
	address article aside blockquote body br caption dd details dialog div dt fieldset figcaption figure
	footer form header hr legend li main option p section summary tbody tfoot thead tr
`);

/** The definition of a term follows on the same line. */
const ENDING = new Set([...BREAKING].filter((name) => name !== "dt"));

/** Marks between the cells of a row, and between a term and its definition. */
const JOINS = new Map([
	["td", CELL_MARK],
	["th", CELL_MARK],
	["dd", ": "],
]);

/** Elements that begin a line in a list or table. Paragraphs within an item or cell continue its line. */
const ROWS = wordSet("caption dd dt li tr");

/** Prose flows over lines; an item or a row takes one line; code keeps its lines. */
type Layout = "prose" | "list" | "table" | "code";

interface Run {
	readonly text: string;
	readonly line: number;
	/** Whether the text is the value of a statement. */
	readonly isValue: boolean;
	readonly isInItem: boolean;
}

/** An item with fewer unstated words is omitted, because the item's resource shows the values better. */
const NEWS_WORDS = 5;

interface Piece {
	text: string;
	readonly runs: Run[];
	readonly start: number;
	end: number;
}

export interface Stated {
	readonly isValue: boolean;
	/** Whether statements describe the element. */
	readonly isItem: boolean;
}

export interface ReadableSink {
	enter(level: number, name: string, heading?: Line, headingLines?: LineRange): void;
	add(block: Block): void;
	/** Reports that the section has text, even if the text is only in statements. */
	tell(): void;
}

/** Extracts the readable text of a page, except blocks that repeat its linked data. */
export function createReadableText(to: ReadableSink) {
	const rows = createReadableRows();
	const page = createPageText(to, rows.take);
	const hidden: Tag[] = [];
	const values: Tag[] = [];
	const items: Tag[] = [];
	return {
		open(tag: Tag, { isValue, isItem }: Stated): void {
			if (isValue) values.push(tag);
			if (isItem) items.push(tag);
			if (SILENT.has(tag.name)) hidden.push(tag);
			if (hidden.length > 0) return;
			page.open(tag.name);
			rows.open(tag);
		},
		text(text: string, line: number): void {
			if (hidden.length > 0) return;
			const run = { text, line, isValue: values.length > 0, isInItem: items.length > 0 };
			page.text(run);
			if (!run.isValue && !run.isInItem) rows.text(text, line);
		},
		close(tag: Tag): void {
			if (values.at(-1) === tag) values.pop();
			if (items.at(-1) === tag) items.pop();
			if (hidden.at(-1) === tag) hidden.pop();
			else if (hidden.length === 0) {
				rows.close(tag.name);
				page.close(tag.name);
			}
		},
		end: page.end,
	};
}

/** Adds the readable text of HTML whose first line is line `first` of the file. */
export function addReadableText(html: string, first: number, to: ReadableSink): void {
	const readable = createReadableText(to);
	walkHtml(html, {
		open: (tag) => readable.open(tag, { isValue: false, isItem: false }),
		text: (text, line) => readable.text(text, first + line - 1),
		close: readable.close,
	});
	readable.end();
}

/** Generators of documentation end headings with this link to the heading. */
const PERMALINK = / ?¶$/;

/** Omits a heading whose text is also in statements. */
function enter(to: ReadableSink, level: number, heading: readonly Run[]): void {
	const text = squeeze(heading.map((run) => run.text).join("")).replace(PERMALINK, "");
	const lines = only(heading.find((run) => run.text.trim() !== "")?.line ?? 1);
	const isTold = heading.some(isStated);
	to.enter(level, text, isTold ? undefined : { text, lines }, text === "" ? undefined : lines);
}

function createPageText(to: ReadableSink, takeRows: () => Partial<Block>) {
	const block = createBlockText();
	const layouts: Layout[] = [];
	let heading: Run[] | undefined;
	return { open, close, text, end: endBlock };

	function open(name: string) {
		const layout = LAYOUTS.get(name);
		if (layout) {
			breakOuter();
			layouts.push(layout);
		} else if (HEADING.test(name)) {
			endBlock();
			heading = [];
		} else if (JOINS.has(name)) block.breakCell(JOINS.get(name) ?? "");
		else if (BREAKING.has(name)) breakOuter(name);
	}

	function close(name: string) {
		if (LAYOUTS.has(name)) {
			if (layouts.length === 1) endBlock();
			layouts.pop();
			breakOuter();
		} else if (HEADING.test(name) && heading !== undefined) {
			enter(to, Number(name.slice(1)), heading);
			heading = undefined;
		} else if (ENDING.has(name)) breakOuter(name);
	}

	function text(run: Run) {
		if (heading) heading.push(run);
		else {
			if (run.text.trim() !== "") to.tell();
			block.add(run, layouts.at(0) ?? "prose");
		}
	}

	/** Nested lists and tables continue the outermost block. */
	function breakOuter(name = "li") {
		if (layouts.length === 0) endBlock();
		else if (ROWS.has(name) || layouts.at(-1) === "code") block.breakItem();
		else block.breakCell(" ");
	}

	function endBlock() {
		const ended = block.take(layouts.at(0) ?? "prose");
		const rows = takeRows();
		if (ended) to.add({ ...ended, ...rows });
	}
}

function createBlockText() {
	let pieces: Piece[] = [];
	let isBroken = true;
	return {
		add(run: Run, layout: Layout): void {
			for (const [index, text] of run.text.split(LINE_END).entries())
				addPart({ ...run, text, line: run.line + index }, layout);
		},
		breakItem(): void {
			isBroken = true;
		},
		/** Separates the next text from the line so far, unless a new line begins. */
		breakCell(mark: string): void {
			const piece = pieces.at(-1);
			if (!piece || isBroken) return;
			const told = piece.text.trimEnd();
			piece.text = told.endsWith(mark.trim()) ? `${told} ` : told + mark;
		},
		take(layout: Layout): Block | undefined {
			const trimmed = (text: string) => (layout === "code" ? text.trimEnd() : squeeze(text));
			const lines = tellable(pieces, layout)
				.map(({ text, start, end }) => ({ text: trimmed(text), lines: { start, end } }))
				.filter((line) => line.text !== "");
			pieces = [];
			isBroken = true;
			return lines.length > 0 ? { kind: layout, lines } : undefined;
		},
	};

	function addPart(part: Run, layout: Layout) {
		const last = isBroken ? undefined : pieces.at(-1);
		if (last && (isOfItems(layout) || last.end === part.line)) append(last, part);
		else if (part.text.trim() !== "") {
			pieces.push({ text: part.text, runs: [part], start: part.line, end: part.line });
			isBroken = false;
		}
	}
}

/** Filters list items and table rows one by one. Keeps or drops a paragraph as a whole. */
function tellable(pieces: readonly Piece[], layout: Layout): readonly Piece[] {
	if (isOfItems(layout)) return pieces.filter(({ runs }) => isNews(runs));
	return isNews(pieces.flatMap(({ runs }) => runs)) ? pieces : [];
}

function isOfItems(layout: Layout): boolean {
	return layout === "list" || layout === "table";
}

function append(piece: Piece, part: Run): void {
	piece.text += (piece.end === part.line ? "" : " ") + part.text;
	piece.runs.push(part);
	if (part.text.trim() !== "") piece.end = part.line;
}

function isNews(runs: readonly Run[]): boolean {
	if (!runs.some(isStated)) return true;
	const unstated = runs.filter(({ isValue }) => !isValue).map(({ text }) => text);
	return countWords(unstated.join(" ")) >= NEWS_WORDS;
}

function isStated({ isValue, isInItem }: Run): boolean {
	return isValue || isInItem;
}
