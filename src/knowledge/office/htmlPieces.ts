import { createReadableText } from "../html/readableText.ts";
import { walkHtml } from "../html/walkHtml.ts";
import { squeeze } from "../passages/lines.ts";
import { CELL_MARK } from "../passages/tableRows.ts";
import type { Piece } from "./flow.ts";

/** Reads a chapter or a mail as a page; a paragraph is one line. */
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
