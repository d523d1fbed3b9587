import { wordList } from "../../base/words/wordList.ts";
import type { LineRange } from "../../core/knowledge/citation.ts";
import { only, squeeze } from "../passages/lines.ts";
import type { Block } from "../passages/passages.ts";
import { createSections, type Section } from "../passages/sections.ts";
import { createReadableRows } from "./readableRows.ts";
import type { Tag } from "./walkHtml.ts";

export type ReadableText = ReturnType<typeof createReadableText>;

const SILENT = new Set(wordList("title head script style template noscript svg math nav iframe object"));

const HEADING = /^h[1-6]$/;

const LAYOUTS: ReadonlyMap<string, Layout> = new Map([
	...["ul", "ol", "dl"].map((name): [string, Layout] => [name, "list"]),
	["table", "table"],
	["pre", "code"],
]);

const BREAKING = new Set(
	wordList(`
	address article aside blockquote body br caption dd details dialog div dt fieldset figcaption figure
	footer form header hr legend li main option p section summary tbody tfoot thead tr
`),
);

const CELLS = new Set(["td", "th"]);

/** Prose flows over lines; items and rows take one line each; code stays as it is. */
type Layout = "prose" | "list" | "table" | "code";

/** Text between two tags. */
interface Run {
	readonly text: string;
	readonly line: number;
	/** Whether a statement holds it too. */
	readonly isValue: boolean;
	/** Whether it is in an element that statements are made of. */
	readonly isInItem: boolean;
}

const CELL_MARK = " | ";

/** Fewer words than this around an item's values only label them: the resource shows them better. */
const NEWS_WORDS = 5;

interface News {
	/** Text that no statement holds. */
	news: string;
	isInItem: boolean;
}

interface Piece extends News {
	text: string;
	readonly start: number;
	end: number;
}

/** Readable text of a page, except blocks that repeat its linked data. */
export function createReadableText() {
	const rows = createReadableRows();
	const page = createPageText(rows.take);
	const hidden: Tag[] = [];
	const values: Tag[] = [];
	const items: Tag[] = [];
	return {
		open(tag: Tag, isValue: boolean): void {
			if (isValue) values.push(tag);
			if ("itemscope" in tag.attributes || "typeof" in tag.attributes) items.push(tag);
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
		end: (): readonly Section[] => page.end(),
	};
}

interface Heading {
	text: string;
	lines?: LineRange;
	/** Whether statements may hold it too. */
	isTold: boolean;
}

function readHeading(heading: Heading, { text, line, isValue, isInItem }: Run): void {
	heading.text += text;
	heading.isTold ||= isValue || isInItem;
	if (text.trim() !== "") heading.lines ??= only(line);
}

function enter(
	sections: ReturnType<typeof createSections>,
	level: number,
	{ text, lines = only(1), isTold }: Heading,
): void {
	const name = squeeze(text);
	sections.enter(level, name, isTold ? undefined : { text: name, lines }, name === "" ? undefined : lines);
}

function createPageText(takeRows: () => Partial<Block>) {
	const sections = createSections();
	const block = createBlockText();
	const layouts: Layout[] = [];
	let heading: Heading | undefined;
	return { open, close, text, end };

	function open(name: string) {
		const layout = LAYOUTS.get(name);
		if (layout) {
			breakOuter();
			layouts.push(layout);
		} else if (HEADING.test(name)) {
			endBlock();
			heading = { text: "", isTold: false };
		} else if (CELLS.has(name)) block.breakCell();
		else breakAt(name);
	}

	function close(name: string) {
		if (LAYOUTS.has(name)) {
			if (layouts.length === 1) endBlock();
			layouts.pop();
			breakOuter();
		} else if (HEADING.test(name) && heading !== undefined) {
			enter(sections, Number(name.slice(1)), heading);
			heading = undefined;
		} else breakAt(name);
	}

	function text(run: Run) {
		if (heading) readHeading(heading, run);
		else {
			if (run.text.trim() !== "") sections.tell();
			block.add(run, layouts.at(0) ?? "prose");
		}
	}

	function breakAt(name: string) {
		if (BREAKING.has(name)) breakOuter();
	}

	/** Content of a list belongs to the outermost one. */
	function breakOuter() {
		if (layouts.length > 0) block.breakItem();
		else endBlock();
	}

	function endBlock() {
		const ended = block.take(layouts.at(0) ?? "prose");
		const rows = takeRows();
		if (ended) sections.add({ ...ended, ...rows });
	}

	function end() {
		endBlock();
		return sections.all;
	}
}

function createBlockText() {
	let pieces: Piece[] = [];
	let isBroken = true;
	return {
		add(run: Run, layout: Layout): void {
			for (const [index, text] of run.text.split(/\r\n|\r|\n/).entries())
				addPart({ ...run, text, line: run.line + index }, layout);
		},
		breakItem(): void {
			isBroken = true;
		},
		breakCell(): void {
			const piece = pieces.at(-1);
			if (piece && !isBroken && !piece.text.endsWith(CELL_MARK)) piece.text += CELL_MARK;
		},
		/** Returns the block, if it has text, and begins the next one. */
		take(layout: Layout): Block | undefined {
			const lines = tellable(pieces, layout)
				.map(({ text, start, end }) => ({ text: trimmers[layout](text), lines: { start, end } }))
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
			pieces.push({ ...toPiece(part), start: part.line, end: part.line });
			isBroken = false;
		}
	}
}

const trimmers: Record<Layout, (text: string) => string> = {
	prose: squeeze,
	list: squeeze,
	table: squeeze,
	code: (text) => text.trimEnd(),
};

/** Items count one by one, a paragraph as a whole: half a sentence says nothing. */
function tellable(pieces: readonly Piece[], layout: Layout): readonly Piece[] {
	if (isOfItems(layout)) return pieces.filter(isNews);
	return isNews(joinPieces(pieces)) ? pieces : [];
}

function isOfItems(layout: Layout): boolean {
	return layout === "list" || layout === "table";
}

function toPiece({ text, isValue, isInItem }: Run) {
	return { text, news: isValue ? "" : text, isInItem: isInItem || isValue };
}

function append(piece: Piece, part: Run): void {
	const { text, news, isInItem } = toPiece(part);
	const glue = piece.end === part.line ? "" : " ";
	piece.text += glue + text;
	piece.news += ` ${news}`;
	piece.isInItem ||= isInItem;
	if (text.trim() !== "") piece.end = part.line;
}

/** Whether the text says more than the statements. */
function isNews({ news, isInItem }: News): boolean {
	return !isInItem || (news.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) >= NEWS_WORDS;
}

function joinPieces(pieces: readonly Piece[]): News {
	return {
		news: pieces.map(({ news }) => news).join(" "),
		isInItem: pieces.some(({ isInItem }) => isInItem),
	};
}
