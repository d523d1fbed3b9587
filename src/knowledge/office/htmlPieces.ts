import { wordList } from "../../base/words/wordList.ts";
import { NestingParser } from "../html/walkHtml.ts";
import { createFlow, type ParagraphStyle, type Piece } from "./flow.ts";

const SILENT = new Set(["script", "style", "head", "title", "template", "svg", "math"]);
const BLOCKS = new Set(
	wordList(`
	p div h1 h2 h3 h4 h5 h6 li dt dd blockquote pre section article header footer aside nav figure figcaption caption
	address hr form fieldset body table td th tr
`),
);

export function htmlPieces(html: string): readonly Piece[] {
	const reader = createReader();
	const silent: string[] = [];
	let depth = 0;
	const parser = new NestingParser(() => depth, {
		onopentag: (name, attributes) => {
			depth++;
			if (SILENT.has(name)) silent.push(name);
			reader.open(name, attributes["href"]);
		},
		ontext: (text) => {
			if (silent.length === 0) reader.text(text.replace(/\s+/g, " "));
		},
		onclosetag: (name) => {
			depth--;
			if (silent.at(-1) === name) silent.pop();
			reader.close(name);
		},
	});
	parser.end(html);
	return reader.end();
}

function createReader() {
	const flow = createFlow();
	let text = "";
	const flush = (name = "") => {
		const said = text;
		text = "";
		if (said.trim() === "") return;
		flow.openParagraph();
		flow.text(said);
		flow.closeParagraph(styleOf(name));
	};
	const closings: Readonly<Record<string, () => void>> = {
		td: flow.closeCell,
		th: flow.closeCell,
		tr: flow.closeRow,
		table: flow.closeTable,
	};
	return {
		open(name: string, href: string | undefined): void {
			if (BLOCKS.has(name)) flush();
			if (name === "table") flow.openTable();
			if (name === "br") text += "\n";
			if (name === "a" && href) flow.link(href);
		},
		text(more: string): void {
			text += more;
		},
		close(name: string): void {
			if (BLOCKS.has(name)) flush(name);
			if (Object.hasOwn(closings, name)) closings[name]?.();
		},
		end(): readonly Piece[] {
			flush();
			return flow.end();
		},
	};
}

function styleOf(name: string): ParagraphStyle {
	if (/^h[1-6]$/.test(name)) return { level: Number(name.slice(1)) };
	return name === "li" ? { mark: "- " } : {};
}
