import type { ParsedDocument } from "../../core/knowledge/document.ts";
import type { LineRange } from "../../core/knowledge/source.ts";
import type { Source } from "../passages/format.ts";
import { createLineIndex, type Line, only } from "../passages/lines.ts";
import { squeeze } from "../passages/words.ts";
import { type LatexReading, readEnvironment } from "./latexEnvironments.ts";
import type { LatexContext, LatexEvents } from "./latexEvents.ts";
import { plainLatex, scanLatex } from "./latexScan.ts";
import { LEVELS, LISTS } from "./latexWords.ts";
import { createTextDocument, type TextDocument } from "./textDocument.ts";

/** LaTeX: sections, lists, tables, listings, formulas as written, and links; title, authors and date as statements. */
export function readLatex({ uri, text }: Source): ParsedDocument {
	const whole = text.replace(/\r\n?/g, "\n");
	const document = createTextDocument([]);
	const context: LatexContext = { macros: macrosIn(whole), depth: 0 };
	const events = createWriter({ text: whole, document, lineOf: createLineIndex(whole), context });
	scanLatex(whole, events, context);
	events.paragraphEnd(whole.length);
	return document.finish(uri);
}

/** Names of their own that stand for words. */
function macrosIn(text: string): Map<string, string> {
	const declared =
		/\\(?:(?:re|provide)?newcommand\*?\s*\{?|def\s*)\\([a-zA-Z]{1,60})\}?\{([^{}#\n]{1,200})\}/g;
	return new Map(
		[...text.slice(0, 200_000).matchAll(declared)].map(([, name = "", words = ""]) => [name, words]),
	);
}

/** Gathers the words of paragraphs, each line of them where it stands. */
function createWriter(reading: LatexReading): LatexEvents {
	const { text, document, lineOf, context } = reading;
	const paragraph: Line[] = [];
	let lists = 0;
	// What stands before the document itself is no text of it.
	let isBody = !text.includes("\\begin{document}");
	const write = (words: string, at: number) => {
		if (!isBody) return;
		const lines = only(lineOf(at));
		const last = paragraph.at(-1);
		if (last?.lines.end === lines.end) paragraph[paragraph.length - 1] = { ...last, text: last.text + words };
		else paragraph.push({ text: words, lines });
	};
	const paragraphEnd = () => {
		document.add(
			lists > 0 ? "list" : "prose",
			paragraph.splice(0).map((line) => ({ ...line, text: squeeze(line.text) })),
		);
	};
	return {
		text: write,
		paragraphEnd,
		link: (href, at) => document.link(href, lineOf(at)),
		command: (name, argument, at) => {
			if (name === "item")
				paragraph.push({ text: argument === "" ? "- " : `- ${argument}: `, lines: only(lineOf(at)) });
			else if (name === "bibitem") paragraph.push({ text: `(${argument}) `, lines: only(lineOf(at)) });
			else if (name === "caption") write(` ${plainLatex(argument, context)} `, at);
			else {
				paragraphEnd();
				tell(reading, { name, argument, lines: only(lineOf(at)) });
			}
		},
		environment: (name, bodyAt) => {
			if (name === "document") isBody = true;
			if (LISTS.test(name)) lists++;
			return isBody ? readEnvironment(reading, name, bodyAt) : undefined;
		},
		environmentEnd: (name) => {
			paragraphEnd();
			if (LISTS.test(name)) lists = Math.max(0, lists - 1);
		},
	};
}

interface Told {
	readonly name: string;
	readonly argument: string;
	readonly lines: LineRange;
}

function tell({ document, context }: LatexReading, { name, argument, lines }: Told): void {
	const wordsOf = (written: string) => squeeze(plainLatex(written, context));
	const level = LEVELS.get(name);
	if (level !== undefined) document.heading(level, wordsOf(argument), lines);
	else if (name === "title") document.title(wordsOf(argument), lines);
	else if (name === "subtitle") document.state("alternativeHeadline", wordsOf(argument), lines);
	else if (name === "author")
		tellAuthors(
			argument.split(/\\and\b/).map((each) => wordsOf(firstLine(each))),
			lines,
			document,
		);
	else if (name === "date") document.state("datePublished", wordsOf(argument), lines);
	else if (name === "keywords") document.state("keywords", wordsOf(argument), lines);
	else if (name === "hypersetup") tellProperties(argument, lines, document);
}

/** Below a name stands where a person works. */
function firstLine(author: string): string {
	return author.split("\\\\")[0] ?? "";
}

function tellAuthors(authors: readonly string[], lines: LineRange, document: TextDocument): void {
	for (const author of authors) document.state("author", author, lines);
}

function tellProperties(options: string, lines: LineRange, document: TextDocument): void {
	for (const [, key = "", value = ""] of options.matchAll(
		/\bpdf(title|author|keywords|subject|lang)\s*=\s*\{([^{}]{1,500})\}/g,
	)) {
		if (key === "title") document.title(value, lines);
		else document.state(PDF_PROPERTIES.get(key) ?? key, value, lines);
	}
}

const PDF_PROPERTIES: ReadonlyMap<string, string> = new Map([
	["author", "author"],
	["keywords", "keywords"],
	["subject", "about"],
	["lang", "inLanguage"],
]);
