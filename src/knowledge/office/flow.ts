import { squeeze } from "../passages/words.ts";
import type { Extract } from "./extract.ts";
import type { Link } from "./facts.ts";

/** What a text consists of, in its order. */
export type Piece =
	| { readonly kind: "heading"; readonly level: number; readonly text: string; readonly links: readonly string[] }
	| { readonly kind: "prose" | "lines"; readonly texts: readonly string[]; readonly links: readonly string[] };

/** How a paragraph is meant. */
export interface ParagraphStyle {
	/** Of a heading. */
	readonly level?: number | undefined;
	/** What stands before an item of a list. */
	readonly mark?: string | undefined;
}

/** Gathers running text with tables, from whatever tells it piece by piece. Paragraphs may stand in one another. */
export interface Flow {
	openParagraph(): void;
	text(text: string): void;
	link(href: string): void;
	closeParagraph(style?: ParagraphStyle): void;
	openTable(): void;
	closeCell(): void;
	closeRow(): void;
	closeTable(): void;
	/** All that was told; what is open ends. */
	end(): readonly Piece[];
}

const CELL_MARK = " | ";

export function createFlow(): Flow {
	const pieces: Piece[] = [];
	const open: string[] = [];
	let links: string[] = [];
	let depth = 0;
	let cell: string[] = [];
	let row: string[] = [];
	let rows: string[] = [];
	const push = (text: string, { level, mark }: ParagraphStyle) => {
		const lines = text.split("\n").map((line) => line.trim());
		if (level !== undefined && squeeze(text) !== "") pieces.push({ kind: "heading", level, text, links });
		else if (text.trim() !== "") pushTexts(mark ? [`${mark}${lines.join(" ")}`] : lines, mark !== undefined);
		links = [];
	};
	/** Items of a list stay together. */
	const pushTexts = (texts: readonly string[], isItem: boolean) => {
		const last = pieces.at(-1);
		if (isItem && last?.kind === "lines" && last.texts.at(-1)?.match(ITEM))
			pieces[pieces.length - 1] = {
				...last,
				texts: [...last.texts, ...texts],
				links: [...last.links, ...links],
			};
		else pieces.push({ kind: isItem ? "lines" : "prose", texts, links });
	};
	const flow: Flow = {
		openParagraph: () => open.push(""),
		text: (text) => {
			if (open.length === 0) open.push("");
			open[open.length - 1] += text;
		},
		link: (href) => links.push(href),
		closeParagraph: (style = {}) => {
			const text = open.pop() ?? "";
			if (depth > 0) cell.push(squeeze(text));
			else push(text, style);
		},
		openTable: () => {
			depth++;
		},
		closeCell: () => {
			if (depth === 1) row.push(cell.filter((text) => text !== "").join(" "));
			if (depth === 1) cell = [];
		},
		closeRow: () => {
			if (depth !== 1) return;
			if (cell.length > 0) flow.closeCell();
			if (row.some((text) => text !== "")) rows.push(row.join(CELL_MARK));
			row = [];
		},
		closeTable: () => {
			flow.closeRow();
			depth = Math.max(0, depth - 1);
			if (depth > 0 || rows.length === 0) return;
			pieces.push({ kind: "lines", texts: rows, links });
			rows = [];
			links = [];
		},
		end: () => {
			while (open.length > 0) flow.closeParagraph();
			while (depth > 0) flow.closeTable();
			return pieces;
		},
	};
	return flow;
}

const ITEM = /^\s*(?:[-•*]|\d+[.)]) /;

/** Adds the pieces to an extract, and says on which lines the links stand. */
export function tell(extract: Extract, pieces: readonly Piece[]): Link[] {
	return pieces.flatMap((piece) => {
		const line = extract.next;
		if (piece.kind === "heading") extract.heading(piece.level, piece.text);
		else extract.add(piece.kind, piece.texts);
		return piece.links.map((href) => ({ href, line }));
	});
}
