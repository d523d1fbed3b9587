import type { Block } from "../passages/passages.ts";
import { squeeze } from "../passages/words.ts";

/** How running text is laid out: over its lines, as items or rows of one line each, or as it stands. */
export type Layout = "prose" | "list" | "table" | "code";

/** Builds one block of a page's text out of its runs. */
export interface BlockText {
	add(run: Run, layout: Layout): void;
	/** What follows is another item. */
	breakItem(): void;
	/** What follows is another cell of the same row. */
	breakCell(): void;
	/** The block, if there is any text in it; the next one begins. */
	take(layout: Layout): Block | undefined;
}

/** Text without a tag in it. */
export interface Run {
	readonly text: string;
	/** Where it begins. */
	readonly line: number;
	/** Whether a statement holds it too. */
	readonly isValue: boolean;
	/** Whether it stands in an element that statements are made of. */
	readonly isInItem: boolean;
}

const CELL_MARK = " | ";

/** Fewer words than this in an item, around its values, only label them: the resource tells it better. */
const NEWS_WORDS = 5;

interface Piece {
	text: string;
	/** What no statement holds. */
	news: string;
	isInItem: boolean;
	readonly start: number;
	end: number;
}

export function createBlockText(): BlockText {
	let pieces: Piece[] = [];
	let isBroken = true;
	return {
		add(run, layout) {
			for (const [index, text] of run.text.split(/\r\n|\r|\n/).entries())
				addPart({ ...run, text, line: run.line + index }, layout);
		},
		breakItem() {
			isBroken = true;
		},
		breakCell() {
			const piece = pieces.at(-1);
			if (piece && !isBroken && !piece.text.endsWith(CELL_MARK)) piece.text += CELL_MARK;
		},
		take(layout) {
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

/** Items count one by one, a paragraph as a whole: half of a sentence would tell nothing. */
function tellable(pieces: readonly Piece[], layout: Layout): readonly Piece[] {
	if (isOfItems(layout)) return pieces.filter(isNews);
	return isNews(joinPieces(pieces)) ? pieces : [];
}

function isOfItems(layout: Layout): boolean {
	return layout === "list" || layout === "table";
}

function toPiece({ text, isValue, isInItem }: Run): Pick<Piece, "text" | "news" | "isInItem"> {
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

/** Whether a person learns something from it that the statements do not say. */
function isNews({ news, isInItem }: Pick<Piece, "news" | "isInItem">): boolean {
	return !isInItem || (news.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) >= NEWS_WORDS;
}

function joinPieces(pieces: readonly Piece[]): Pick<Piece, "news" | "isInItem"> {
	return {
		news: pieces.map(({ news }) => news).join(" "),
		isInItem: pieces.some(({ isInItem }) => isInItem),
	};
}
