import type { SectionForm } from "../../core/knowledge/sectionForm.ts";
import { isBlank, squeeze } from "../passages/source.ts";
import { CELL_MARK } from "../passages/tableRows.ts";
import { createReadableText } from "../readable/readableText.ts";
import { walkHtml } from "../readable/walkHtml.ts";
import type { Extract } from "./extract.ts";

export interface Piece {
	readonly kind: "heading" | SectionForm;
	readonly level?: number | undefined;
	readonly texts: string[];
	/** Cells of table rows, or list items without markers. */
	readonly cells: string[][];
	readonly links: string[];
}

export interface ParagraphStyle {
	readonly level?: number | undefined;
	readonly mark?: string | undefined;
}

export function createFlow() {
	const pieces: Piece[] = [];
	const table = createTable();
	const open: string[] = [];
	let links: string[] = [];
	const push = (kind: Piece["kind"], cells: string[][], { level, mark = "" }: ParagraphStyle = {}) => {
		const texts = cells.map((row) => mark + row.join(CELL_MARK));
		addTo(pieces, { kind, level, texts, cells, links });
		links = [];
	};
	const pushParagraph = (text: string, style: ParagraphStyle) => {
		const cells = text.split("\n").flatMap((line) => (isBlank(line) ? [] : [[line.trim()]]));
		if (cells.length === 0) return;
		const whole = [[cells.join(" ")]];
		if (style.level !== undefined) push("heading", whole, style);
		else if (style.mark) push("list", whole, style);
		else push("prose", cells);
	};
	const closeTable = (): void => {
		const rows = table.close();
		if (rows.length > 0) push("table", rows);
	};
	const closeParagraph = (style: ParagraphStyle = {}): void => {
		const text = open.pop() ?? "";
		table.isOpen ? table.add(squeeze(text)) : pushParagraph(text, style);
	};
	return {
		openParagraph: (): void => void open.push(""),
		text: (text: string): void => {
			if (open.length === 0) open.push("");
			open[open.length - 1] += text;
		},
		link: (href: string | undefined): void => {
			if (href) links.push(href);
		},
		closeParagraph,
		openTable: table.open,
		closeCell: table.closeCell,
		closeRow: table.closeRow,
		closeTable,
		end: (): readonly Piece[] => {
			while (open.length > 0) closeParagraph();
			while (table.isOpen) closeTable();
			return pieces;
		},
	};
}

/** Appends list items to the preceding list. Modifies that list, because a copy per item would be quadratic. */
function addTo(pieces: Piece[], piece: Piece): void {
	const last = pieces.at(-1);
	if (piece.kind !== "list" || last?.kind !== "list") return void pieces.push(piece);
	last.texts.push(...piece.texts);
	last.cells.push(...piece.cells);
	for (const href of piece.links) last.links.push(href);
}

export function headingPiece(text: string): Piece {
	return { kind: "heading", level: 1, texts: [text], cells: [], links: [] };
}

/** Collects table rows. A nested table becomes text of the enclosing cell. */
function createTable() {
	let depth = 0;
	let cell: string[] = [];
	let row: string[] = [];
	let rows: string[][] = [];
	const closeCell = () => {
		if (depth !== 1) return;
		row.push(cell.filter((text) => text !== "").join(" "));
		cell = [];
	};
	const closeRow = () => {
		if (depth !== 1) return;
		if (cell.length > 0) closeCell();
		if (row.some((text) => text !== "")) rows.push(row);
		row = [];
	};
	return {
		get isOpen() {
			return depth > 0;
		},
		open: () => {
			depth++;
		},
		add: (text: string) => {
			cell.push(text);
		},
		closeCell,
		closeRow,
		close: (): string[][] => {
			closeRow();
			depth = Math.max(0, depth - 1);
			if (depth > 0) return [];
			const closed = rows;
			rows = [];
			return closed;
		},
	};
}

/** Adds a slide: title first, and notes last, without the links of the notes. */
export function tellSlide(extract: Extract, pieces: readonly Piece[], notes: readonly Piece[]): void {
	const title = pieces.find(({ kind }) => kind === "heading");
	tell(extract, title ? [title, ...pieces.filter((piece) => piece !== title)] : pieces);
	if (notes.length > 0) extract.add("prose", ["Notes:"]);
	const unlinked = notes.map((piece) => ({ ...piece, links: [] }));
	tell(extract, unlinked);
}

export function tell(extract: Extract, pieces: readonly Piece[]): void {
	for (const { kind, level = 1, texts, cells, links } of pieces) {
		for (const href of links) extract.link(href);
		if (kind === "heading") extract.heading(level, texts.join(" "));
		else extract.add(kind, texts, kind === "prose" ? undefined : cells);
	}
}

/** Reads the HTML of a chapter or mail. Each paragraph becomes one line. */
export function htmlPieces(html: string): readonly Piece[] {
	const pieces: Piece[] = [];
	let links: string[] = [];
	const push = (kind: Piece["kind"], texts: string[], more: Partial<Piece> = {}) => {
		pieces.push({ kind, texts, cells: [], links, ...more });
		links = [];
	};
	const page = createReadableText({
		enter: (level, text) => push("heading", [text], { level }),
		add: ({ kind, lines, rows, caption }) => {
			if (caption) push("prose", [caption]);
			const cells = rows?.map((row) => [...row.cells]);
			const texts = cells?.map((row) => row.join(kind === "table" ? CELL_MARK : ": "));
			const plain = lines.map(({ text }) => text);
			const flowing = kind === "prose" ? [squeeze(plain.join(" "))] : plain;
			push(kind, texts ?? flowing, { cells: cells ?? [] });
		},
		tell: () => undefined,
	});
	walkHtml(html, {
		open: (tag) => {
			const { href } = tag.attributes;
			page.open(tag, { isValue: false, isItem: false });
			if (tag.name === "a" && href) links.push(href);
		},
		text: page.text,
		close: page.close,
	});
	page.end();
	return pieces;
}
