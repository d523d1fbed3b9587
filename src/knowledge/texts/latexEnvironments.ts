import { type Line, only, splitLines } from "../passages/lines.ts";
import { squeeze } from "../passages/words.ts";
import type { LatexContext } from "./latexEvents.ts";
import { createGroups } from "./latexGroups.ts";
import { plainLatex } from "./latexScan.ts";
import { MATH, TABLES, UNSEEN, VERBATIM } from "./latexWords.ts";
import type { TextDocument } from "./textDocument.ts";

/** What is read, and where it is told. */
export interface LatexReading {
	readonly text: string;
	readonly document: TextDocument;
	readonly lineOf: (offset: number) => number;
	readonly context: LatexContext;
}

/** Reads an environment that is no running text; gives the offset after it, or nothing where it is. */
export function readEnvironment(reading: LatexReading, name: string, bodyAt: number): number | undefined {
	const { text, document, lineOf } = reading;
	if (name === "abstract") document.heading(2, "Abstract", only(lineOf(bodyAt)));
	const start = afterOptions(text, name, bodyAt);
	if (!VERBATIM.test(name) && !MATH.test(name) && !TABLES.test(name)) return start;
	const closing = text.indexOf(`\\end{${name}}`, start);
	// One that is never closed goes on to the end.
	const end = closing < 0 ? text.length : closing;
	if (TABLES.test(name)) document.literal(rowsOf(reading, start, end));
	else if (!UNSEEN.test(name)) {
		const written = text.slice(start, end).replace(/\\label\{[^{}\n]{0,200}\}/g, "");
		document.literal(splitLines(written, lineOf(start)));
	}
	return end + name.length + "\\end{}".length;
}

/** What stands in brackets and braces behind the name tells how it looks. */
function afterOptions(text: string, name: string, bodyAt: number): number {
	if (name === "document" || name === "abstract" || MATH.test(name)) return bodyAt;
	const near = text.slice(bodyAt, bodyAt + 6000);
	return bodyAt + createGroups(near).afterAll(0);
}

/** The rows of a table, each where it begins. */
function rowsOf({ text, lineOf, context }: LatexReading, start: number, end: number): Line[] {
	const rows: Line[] = [];
	const tell = (from: number, to: number) => {
		const cells = text
			.slice(from, to)
			.split(/(?<!\\)&/)
			.map((cell) => squeeze(plainLatex(cell, context)));
		const lead = /^(?:\s|%.*\n|\\[a-z]*(?:rule|line)\b)*/.exec(text.slice(from, to))?.[0].length ?? 0;
		if (cells.some((cell) => cell !== ""))
			rows.push({ text: cells.join(" | "), lines: { start: lineOf(from + lead), end: lineOf(to) } });
	};
	const breaks = /\\\\(?:\[[^\]\n]{0,20}\])?|\\tabularnewline\b/g;
	breaks.lastIndex = start;
	let from = start;
	for (let found = breaks.exec(text); found && found.index < end; found = breaks.exec(text)) {
		tell(from, found.index);
		from = found.index + found[0].length;
	}
	tell(from, end);
	return rows;
}
