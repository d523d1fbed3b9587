import type { LatexContext, LatexEvents } from "./latexEvents.ts";
import { createGroups, type Groups, skipSpace } from "./latexGroups.ts";
import { ACCENTS, LEVELS, REFERENCES, SILENT, SKIPPED, SYMBOLS } from "./latexWords.ts";

/** Arguments may be nested so deep. */
const DEEPEST = 12;

/** Commands that the document hears of. */
const TOLD = new Set([
	...["title", "subtitle", "author", "date", "keywords", "item", "caption", "bibitem", "hypersetup"],
	...LEVELS.keys(),
]);

const NAME = /\\(?:([a-zA-Z@]{1,60})\*?|([\s\S]))/y;
const RUN = /[^\\%{}$~\n]+/y;

interface Scan {
	readonly text: string;
	readonly events: LatexEvents;
	readonly context: LatexContext;
	readonly groups: Groups;
}

/** A command that begins at `at` and whose name ends at `end`; gives the offset after what it takes. */
interface Call {
	readonly name: string;
	readonly at: number;
	readonly end: number;
}

/** Reads LaTeX once from left to right. A command that is not known is left out, its arguments stay. */
export function scanLatex(text: string, events: LatexEvents, context: LatexContext): void {
	const scan: Scan = { text, events, context, groups: createGroups(text) };
	for (let at = 0; at < text.length; ) at = readNext(scan, at);
}

/** The words of an argument. */
export function plainLatex(text: string, context: LatexContext): string {
	if (!/[\\%{}$~`'\n-]/.test(text)) return text;
	if (context.depth > DEEPEST) return "";
	const told: string[] = [];
	const events = {
		text: (words: string) => told.push(words),
		lineEnd: () => told.push(" "),
		paragraphEnd: () => told.push(" "),
	};
	scanLatex(text, events, { ...context, depth: context.depth + 1 });
	return told.join("");
}

function readNext(scan: Scan, at: number): number {
	const { text, events } = scan;
	switch (text.charAt(at)) {
		case "\\":
			return readCommand(scan, at);
		case "%":
			return commentEnd(text, at);
		case "\n":
			return readLineEnd(scan, at);
		case "$":
			return readMath(scan, at);
		case "{":
		case "}":
			return at + 1;
		case "~":
			events.text(" ", at);
			return at + 1;
		default: {
			RUN.lastIndex = at;
			const run = RUN.exec(text)?.[0] ?? text.charAt(at);
			events.text(readable(run), at);
			return at + run.length;
		}
	}
}

/** Quotation marks and dashes as they are printed. */
function readable(run: string): string {
	if (!/[`'-]/.test(run)) return run;
	return run
		.replaceAll("``", "“")
		.replaceAll("''", "”")
		.replaceAll("---", "—")
		.replaceAll("--", "–")
		.replaceAll("`", "‘");
}

/** With the line end, and the spaces of the next line. */
function commentEnd(text: string, at: number): number {
	const end = text.indexOf("\n", at);
	if (end < 0) return text.length;
	const next = skipSpace(text, end + 1);
	// An empty line after a comment still ends the paragraph.
	return text.charAt(next) === "\n" ? end : next;
}

function readLineEnd({ text, events }: Scan, at: number): number {
	let next = skipSpace(text, at + 1);
	const isEnd = text.charAt(next) === "\n";
	if (!isEnd) {
		events.lineEnd?.(at);
		return next;
	}
	events.paragraphEnd(at);
	while (text.charAt(next) === "\n") next = skipSpace(text, next + 1);
	return next;
}

/** Formulas stay as they are written. */
function readMath({ text, events }: Scan, at: number): number {
	const marks = text.startsWith("$$", at) ? "$$" : "$";
	const near = text.slice(at + marks.length, at + 2000);
	const length = near.indexOf(marks);
	if (length < 0) return at + marks.length;
	const end = at + length + 2 * marks.length;
	let from = at;
	for (const line of text.slice(at, end).split("\n")) {
		if (from > at) events.lineEnd?.(from - 1);
		events.text(line, from);
		from += line.length + 1;
	}
	return end;
}

function readCommand(scan: Scan, at: number): number {
	NAME.lastIndex = at;
	const match = NAME.exec(scan.text);
	if (!match) return at + 1;
	const name = match[1] ?? match[2] ?? "";
	const call: Call = { name, at, end: at + match[0].length };
	const special = SPECIAL.get(name);
	if (special) return special(scan, call);
	if (ACCENTS.has(name)) return readAccent(scan, call);
	if (SYMBOLS.has(name) || scan.context.macros.has(name)) return readSymbol(scan, call);
	if (TOLD.has(name)) return tell(scan, call);
	if (REFERENCES.test(name)) return readReference(scan, call);
	return readSilent(scan, call);
}

/** What is not known is left out, its arguments stay. */
function readSilent(scan: Scan, { name, end }: Call): number {
	const { text, groups } = scan;
	if (SILENT.has(name)) return groups.afterAll(end);
	const skipped = SKIPPED.get(name);
	if (skipped !== undefined) return groupsAt(scan, groups.afterOption(end), skipped).end;
	return groups.afterOption(/\w/.test(name) ? skipSpace(text, end) : end);
}

type Special = (scan: Scan, call: Call) => number;

const NEW_LINE: Special = (scan, call) => scan.groups.afterOption(saying(" ", scan, call));

const DECLARATION: Special = ({ text, groups }, { end }) => {
	const name = /^\s*\\[a-zA-Z@]{1,60}/.exec(text.slice(end, end + 100))?.[0] ?? "";
	return groups.afterAll(end + name.length);
};

const SPECIAL: ReadonlyMap<string, Special> = new Map<string, Special>([
	["\\", NEW_LINE],
	["newline", NEW_LINE],
	["tabularnewline", NEW_LINE],
	["and", (scan, call) => saying("; ", scan, call)],
	[
		"par",
		({ events }, { at, end }) => {
			events.paragraphEnd(at);
			return end;
		},
	],
	["newcommand", DECLARATION],
	["renewcommand", DECLARATION],
	["providecommand", DECLARATION],
	["def", DECLARATION],
	["begin", begin],
	[
		"end",
		({ events, groups }, { at, end }) => {
			const group = groups.at(end);
			events.environmentEnd?.(group?.inner.trim() ?? "", at);
			return group?.end ?? end;
		},
	],
	["href", (scan, { at, end }) => link(scan, at, groupsAt(scan, end, 2))],
	["url", (scan, { at, end }) => link(scan, at, groupsAt(scan, end, 1))],
	["nolinkurl", (scan, { at, end }) => link(scan, at, groupsAt(scan, end, 1))],
	["input", (scan, call) => include(scan, call)],
	["include", (scan, call) => include(scan, call)],
	["subfile", (scan, call) => include(scan, call)],
	["footnote", note],
	["footnotetext", note],
	["thanks", ({ groups }, { end }) => groups.afterAll(end)],
	["verb", verbatim],
	["lstinline", verbatim],
]);

interface Arguments {
	readonly inners: readonly string[];
	readonly end: number;
}

function groupsAt({ groups }: Scan, from: number, most: number): Arguments {
	const inners: string[] = [];
	let end = from;
	for (let group = groups.at(end); group && inners.length < most; group = groups.at(end)) {
		inners.push(group.inner);
		end = group.end;
	}
	return { inners, end };
}

function saying(words: string, { events }: Scan, { at, end }: Call): number {
	events.text(words, at);
	return end;
}

/** An address without words stands for itself. */
function link({ events, context }: Scan, at: number, { inners, end }: Arguments): number {
	const [address = "", words] = inners;
	const href = address.replace(/\\([%#&_~])/g, "$1").trim();
	events.link?.(href, at);
	events.text(words === undefined ? href : plainLatex(words, context), at);
	return end;
}

function include({ events, groups }: Scan, { at, end }: Call): number {
	const group = groups.at(end);
	const path = group?.inner.trim() ?? "";
	if (path !== "") events.link?.(/\.\w+$/.test(path) ? path : `${path}.tex`, at);
	return group?.end ?? end;
}

function note({ events, groups, context }: Scan, { at, end }: Call): number {
	const group = groups.at(groups.afterOption(end));
	if (group) events.text(` (${plainLatex(group.inner, context)})`, at);
	return group?.end ?? end;
}

/** `\verb|text|`, between any two marks that are alike. */
function verbatim({ text, events, groups }: Scan, { at, end }: Call): number {
	const start = groups.afterOption(end);
	const mark = text.charAt(start) === "{" ? "}" : text.charAt(start);
	const length = text.slice(start + 1, start + 500).indexOf(mark);
	if (mark === "" || length < 0) return end;
	events.text(text.slice(start + 1, start + 1 + length).replaceAll("\n", " "), at);
	return start + length + 2;
}

function begin({ events, groups }: Scan, { at, end }: Call): number {
	const group = groups.at(end);
	if (!group) return end;
	events.paragraphEnd(at);
	return events.environment?.(group.inner.trim(), group.end) ?? group.end;
}

function readAccent({ text, events, groups, context }: Scan, { name, at, end }: Call): number {
	const start = skipSpace(text, end);
	const group = groups.at(start);
	const written =
		group?.inner ??
		(/^\\[ij]/.test(text.slice(start, start + 2)) ? text.slice(start, start + 2) : text.charAt(start));
	const [first = "", ...rest] = plainLatex(written, context).replace("ı", "i").replace("ȷ", "j");
	events.text(`${first}${ACCENTS.get(name) ?? ""}`.normalize("NFC") + rest.join(""), at);
	if (group) return group.end;
	return written.length > 1 ? skipSpace(text, start + 2) : start + 1;
}

function readSymbol({ text, events, context }: Scan, { name, at, end }: Call): number {
	const symbol = SYMBOLS.get(name) ?? plainLatex(context.macros.get(name) ?? "", context);
	events.text(symbol, at);
	// The space behind the name of a letter only ends the name.
	return /^[a-z]{1,2}$/i.test(name) ? skipSpace(text, end) : end;
}

function tell({ text, events, groups, context }: Scan, { name, at, end }: Call): number {
	const start = groups.afterOption(end);
	if (name === "item") {
		events.command?.(name, plainLatex(text.slice(end, start).replace(/^\s*\[|\]$/g, ""), context), at);
		return start;
	}
	const group = groups.at(start);
	events.command?.(name, group?.inner ?? "", at);
	return group?.end ?? start;
}

function readReference({ events, groups }: Scan, { at, end }: Call): number {
	const group = groups.at(groups.afterOption(groups.afterOption(end)));
	if (group) events.text(`(${group.inner})`, at);
	return group?.end ?? end;
}
