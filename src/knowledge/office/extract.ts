import type { DocumentPart, ParsedDocument, Problem } from "../../core/knowledge/document.ts";
import type { LineRange } from "../../core/knowledge/source.ts";
import { fileName } from "../passages/fileName.ts";
import { type Line, only } from "../passages/lines.ts";
import { createOutline } from "../passages/outline.ts";
import type { Block } from "../passages/passages.ts";
import { cutSections, type Section } from "../passages/sections.ts";
import { shorten, squeeze } from "../passages/words.ts";
import { resourcesOf } from "../resources/resources.ts";
import { verbalize } from "../resources/verbalize.ts";
import { type DocumentFacts, factsOf } from "./facts.ts";

/** A page, slide, sheet, chapter or part of a mail that begins. */
export interface NewPart {
	readonly name: string;
	/** The row that a sheet begins with. */
	readonly first?: number;
	readonly columns?: string;
	/** Whether it stands under the headings of the part before. */
	readonly goesOn?: boolean;
}

/** Gathers what a file that is no text says, as the lines of a text. */
export interface Extract {
	/** What follows belongs to this part, and is cited as such. */
	begin(part: NewPart): void;
	heading(level: number, text: string): void;
	/** What follows stands under a name that is no line of the text. */
	section(name: string): void;
	/** Lines that belong together; without any text, they are only counted. */
	add(kind: Block["kind"], texts: readonly string[]): void;
	/** A line that is found under other words than it is shown with. */
	addAs(lines: readonly { readonly shown: string; readonly found: string }[]): void;
	/** Tells a person what is missing. */
	problem(message: string): void;
	/** The line that comes next. */
	readonly next: number;
	/** Whether nothing that can be read was added. */
	readonly isEmpty: boolean;
	finish(uri: string, facts: DocumentFacts): ParsedDocument;
}

/** Characters of one file: what says more is a database or a bomb. */
const MAX_TEXT = 40_000_000;
const MAX_LINES = 1_000_000;
const MAX_TITLE = 200;

type OpenSection = Section & { readonly blocks: Block[] };

export function createExtract(): Extract {
	const texts: string[] = [];
	const parts: (DocumentPart & { lines: number })[] = [];
	const problems: Problem[] = [];
	let outline = createOutline();
	let sections: OpenSection[] = [{ path: [], blocks: [] }];
	let length = 0;
	let isReadable = false;
	const write = (text: string): Line | undefined => {
		length += text.length + 1;
		if (length > MAX_TEXT || texts.length >= MAX_LINES) return undefined;
		const line = text.replace(/[\r\n\u2028\u2029\f\v]+/g, " ").replaceAll("\0", "\ufffd");
		texts.push(line);
		isReadable ||= /\S/.test(line);
		return { text: line, lines: only(texts.length) };
	};
	const endPart = () => {
		const part = parts.at(-1);
		if (!part) return;
		if (texts.length < part.line) texts.push("");
		part.lines = texts.length - part.line + 1;
	};
	const extract: Extract = {
		get next() {
			return texts.length + 1;
		},
		get isEmpty() {
			return !isReadable;
		},
		begin: ({ goesOn = false, ...part }) => {
			endPart();
			parts.push({ ...part, line: texts.length + 1, lines: 0 });
			if (!goesOn) outline = createOutline();
			sections.push({ path: outline.path(), blocks: [] });
		},
		heading: (level, text) => {
			const name = squeeze(text);
			const heading = name === "" ? undefined : write(name);
			if (!heading) return;
			outline.enter(Math.max(1, Math.min(6, level)), name);
			sections.push({ path: outline.path(), heading, blocks: [] });
		},
		section: (name) => {
			outline.enter(1, squeeze(name));
			sections.push({ path: outline.path(), blocks: [] });
		},
		add: (kind, added) => addLines(added.map((text) => ({ shown: text, found: text })), kind),
		addAs: (lines) => addLines(lines, "lines"),
		problem: (message) => {
			problems.push({ severity: "warning", message, lines: only(Math.max(1, texts.length)) });
		},
		finish: (uri, facts) => {
			endPart();
			if (length > MAX_TEXT || texts.length >= MAX_LINES) extract.problem(TOO_LONG);
			const title = titleOf(facts, uri);
			const quads = factsOf(uri, facts);
			const resources = resourcesOf(quads).map((each) => (each.id === uri ? { ...each, label: title } : each));
			const passages = [...verbalize(resources, quads), ...cutSections(title, sections)];
			sections = [];
			return { title, resources, quads, passages, problems, extracted: { text: texts.join("\n"), parts } };
		},
	};
	return extract;

	function addLines(added: readonly { readonly shown: string; readonly found: string }[], kind: Block["kind"]) {
		const lines = added.flatMap(({ shown, found }) => {
			const line = write(shown);
			return line ? [{ ...line, text: found === shown ? line.text : found }] : [];
		});
		if (lines.some(({ text }) => text.trim() !== "")) sections.at(-1)?.blocks.push({ kind, lines });
	}
}

const TOO_LONG = "This file says too much: only the first part of it is in the index. Split it into smaller files.";

function titleOf({ title = "" }: DocumentFacts, uri: string): string {
	return shorten(squeeze(title), MAX_TITLE) || fileName(uri);
}

/** Where facts stand that the text itself does not tell. */
export const FIRST_LINE: LineRange = only(1);
