import { wordMap } from "../../base/words/wordList.ts";
import type { LineRange } from "../../core/knowledge/citation.ts";
import type { ParsedDocument } from "../../core/knowledge/document.ts";
import type { Source } from "../passages/format.ts";
import { type Line, only, splitLines, squeeze } from "../passages/lines.ts";
import { rewriteLatex } from "./latexRewrite.ts";
import { AND, CELL, createTokens, isToken, ROW, readable, type Tokens } from "./latexTokens.ts";
import { LEVELS, LISTS, TABLES } from "./latexWords.ts";
import { createTextDocument, isBlank, type TextDocument } from "./textDocument.ts";

/** Sections, lists, tables, listings, formulas as written, and links; title, authors and date are statements. */
export function readLatex({ uri, text }: Source): ParsedDocument {
	const document = createTextDocument([]);
	const writer = createWriter(document, !text.includes("\\begin{document}"));
	const tokens = createTokens();
	const rewritten = rewriteLatex(text.replace(/\r\n?/g, "\n"), tokens, {
		...writer,
		link: document.link,
		tell: (name, argument, lines) => tell({ name, argument, lines }, tokens, document),
	});
	for (const line of splitLines(rewritten)) {
		if (isBlank(line.text)) writer.paragraphEnd();
		else for (const piece of line.text.split(PIECES)) readPiece(piece, line.lines, tokens, writer);
	}
	writer.environmentEnd("");
	return document.finish(uri);
}

const PIECES = new RegExp(`([${ROW}${CELL}]|[\\u{F0000}-\\u{10FFFF}])`, "u");

function readPiece(piece: string, lines: LineRange, tokens: Tokens, writer: LatexWriter): void {
	const meant = isToken(piece) ? tokens.meaningOf(piece) : piece;
	if (typeof meant === "function") meant(lines);
	else if (meant === ROW || meant === CELL) writer.separate(meant, lines);
	else if (meant !== "") writer.write(isToken(piece) ? meant : readable(meant), lines);
}

type LatexWriter = ReturnType<typeof createWriter>;

/** Gathers paragraphs and table rows with their lines. */
function createWriter(document: TextDocument, hasNoPreamble: boolean) {
	const paragraph: Line[] = [];
	let rows: ReturnType<typeof createRows> | undefined;
	let lists = 0;
	// The preamble is not printed.
	let isBody = hasNoPreamble;
	const write = (words: string, lines: LineRange) => {
		if (!isBody) return;
		if (rows) rows.write(words, lines);
		else append(paragraph, words, lines);
	};
	const paragraphEnd = () => {
		const lines = paragraph.splice(0).map((line) => ({ ...line, text: squeeze(line.text) }));
		document.add(lists > 0 ? "list" : "prose", lines);
	};
	return {
		write,
		separate: (mark: string, lines: LineRange) => {
			if (rows && mark === ROW) rows.end(lines);
			else write(rows ? mark : readable(mark), lines);
		},
		paragraphEnd,
		/** Begins a new line even if the source does not. */
		item: (words: string, lines: LineRange) => void paragraph.push({ text: words, lines }),
		literal: (lines: readonly Line[]) => {
			paragraphEnd();
			if (isBody) document.literal(lines);
		},
		environment: (name: string, lines: LineRange) => {
			paragraphEnd();
			if (name === "document") isBody = true;
			if (name === "abstract") document.heading(2, "Abstract", lines);
			if (LISTS.test(name)) lists++;
			if (isBody && TABLES.test(name)) rows ??= createRows();
		},
		/** An empty name is the end of the text. */
		environmentEnd: (name: string, lines?: LineRange) => {
			if (rows && (name === "" || TABLES.test(name))) {
				document.literal(rows.end(lines));
				rows = undefined;
			}
			paragraphEnd();
			if (LISTS.test(name)) lists = Math.max(0, lists - 1);
		},
	};
}

function append(paragraph: Line[], words: string, lines: LineRange): void {
	const last = paragraph.at(-1);
	if (last?.lines.end === lines.end) paragraph.splice(-1, 1, { ...last, text: last.text + words });
	else if (!isBlank(words)) paragraph.push({ text: words, lines });
}

/** Each row begins on the line of its first words. */
function createRows() {
	const rows: Line[] = [];
	const row: Line[] = [];
	return {
		write: (words: string, lines: LineRange) => append(row, words, lines),
		end: ({ end }: LineRange = row.at(-1)?.lines ?? only(1)) => {
			const text = row.map((line) => line.text).join(" ");
			const cells = text.split(CELL).map(squeeze);
			const [first] = row.splice(0);
			if (first && cells.some((cell) => cell !== ""))
				rows.push({ text: cells.join(" | "), lines: { ...first.lines, end } });
			return rows;
		},
	};
}

interface Told {
	readonly name: string;
	readonly argument: string;
	readonly lines: LineRange;
}

function tell({ name, argument, lines }: Told, tokens: Tokens, document: TextDocument): void {
	const level = LEVELS.get(name);
	const property = PROPERTIES.get(name);
	const words = squeeze(tokens.textOf(argument, lines));
	if (level !== undefined) document.heading(level, words, lines);
	else if (name === "author")
		for (const author of argument.split(AND)) {
			// Lines below a name are affiliations.
			const [person = ""] = author.split(ROW);
			document.state("author", squeeze(tokens.textOf(person, lines)), lines);
		}
	else if (property) document.state(property, words, lines);
	else document.title(words, lines);
}

const PROPERTIES = wordMap(`
	subtitle=alternativeHeadline date=datePublished keywords=keywords pdfauthor=author pdfkeywords=keywords
	pdfsubject=about pdflang=inLanguage
`);
