import { Parser } from "htmlparser2";
import { wordList } from "../../base/wordList.ts";
import { createFlow, type Piece } from "./flow.ts";

const SILENT = new Set(["script", "style", "head", "title", "template", "svg", "math"]);
const BLOCKS = new Set(
	wordList(`
	p div h1 h2 h3 h4 h5 h6 li dt dd blockquote pre section article header footer aside nav figure figcaption caption
	address hr form fieldset body
`),
);

/** The headings, paragraphs, items and tables of a page of a book, or of a mail. */
export function htmlPieces(html: string): readonly Piece[] {
	const flow = createFlow();
	const silent: string[] = [];
	let text = "";
	const flush = (name = "") => {
		const level = /^h[1-6]$/.test(name) ? Number(name.slice(1)) : undefined;
		const said = text;
		text = "";
		if (said.trim() === "") return;
		flow.openParagraph();
		flow.text(said);
		flow.closeParagraph(level !== undefined ? { level } : name === "li" ? { mark: "- " } : {});
	};
	const parser = new Parser({
		onopentag: (name, attributes) => {
			if (SILENT.has(name)) silent.push(name);
			if (BLOCKS.has(name) || name === "table" || name === "td" || name === "th") flush();
			if (name === "table") flow.openTable();
			if (name === "br") text += "\n";
			if (name === "a" && attributes["href"]) flow.link(attributes["href"]);
		},
		ontext: (more) => {
			if (silent.length === 0) text += more.replace(/\s+/g, " ");
		},
		onclosetag: (name) => {
			if (silent.at(-1) === name) silent.pop();
			if (BLOCKS.has(name)) flush(name);
			if (name === "td" || name === "th") endCell();
			if (name === "tr") flow.closeRow();
			if (name === "table") {
				flush();
				flow.closeTable();
			}
		},
	});
	parser.end(html);
	flush();
	return flow.end();

	function endCell(): void {
		flush();
		flow.closeCell();
	}
}
