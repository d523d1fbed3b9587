import type { Block } from "../passages.ts";
import { squeeze } from "../words.ts";

/** How running text is laid out: over its lines, as items of one line each, or as it stands. */
export type Layout = "prose" | "items" | "preformatted";

/** Builds one block of a page's text out of its runs. */
export interface BlockText {
	add(text: string, line: number, layout: Layout): void;
	/** What follows is another item. */
	breakItem(): void;
	/** What follows is another cell of the same row. */
	breakCell(): void;
	/** The block, if there is any text in it; the next one begins. */
	take(layout: Layout): Block | undefined;
}

const CELL_MARK = " | ";

interface Piece {
	text: string;
	readonly start: number;
	end: number;
}

export function createBlockText(): BlockText {
	let pieces: Piece[] = [];
	let isBroken = true;
	return {
		add(text, line, layout) {
			for (const [index, part] of text.split(/\r\n|\r|\n/).entries()) addPart(part, line + index, layout);
		},
		breakItem() {
			isBroken = true;
		},
		breakCell() {
			const piece = pieces.at(-1);
			if (piece && !isBroken && !piece.text.endsWith(CELL_MARK)) piece.text += CELL_MARK;
		},
		take(layout) {
			const toLine = layout === "preformatted" ? (text: string) => text.trimEnd() : squeeze;
			const lines = pieces
				.map(({ text, start, end }) => ({ text: toLine(text), lines: { start, end } }))
				.filter((line) => line.text !== "");
			pieces = [];
			isBroken = true;
			return lines.length > 0 ? { kind: layout === "prose" ? "prose" : "lines", lines } : undefined;
		},
	};

	function addPart(part: string, line: number, layout: Layout) {
		const last = isBroken ? undefined : pieces.at(-1);
		if (last && (layout === "items" || last.end === line)) append(last, part, line);
		else if (part.trim() !== "") {
			pieces.push({ text: part, start: line, end: line });
			isBroken = false;
		}
	}
}

function append(piece: Piece, part: string, line: number): void {
	piece.text += piece.end === line ? part : ` ${part}`;
	if (part.trim() !== "") piece.end = line;
}
