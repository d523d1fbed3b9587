import type { ParsedDocument, Problem } from "../../core/knowledge/document.ts";
import type { LineRange } from "../../core/knowledge/source.ts";
import { fileName } from "../passages/fileName.ts";
import { type Line, only } from "../passages/lines.ts";
import { createOutline } from "../passages/outline.ts";
import type { Block } from "../passages/passages.ts";
import { cutSections, type Section } from "../passages/sections.ts";
import { shorten, squeeze } from "../passages/words.ts";
import { type Fact, factsOf, type Link } from "../resources/documentFacts.ts";
import { resourcesOf } from "../resources/resources.ts";
import { verbalize } from "../resources/verbalize.ts";
import { type InlineRule, readInline } from "./inline.ts";

/** Gathers what a text in a markup language says, on the lines where it says so. */
export interface TextDocument {
	/** What the whole is called, and where. */
	title(text: string, lines: LineRange): void;
	heading(level: number, text: string, lines: LineRange): void;
	/** Lines whose markup is read. */
	add(kind: Block["kind"], lines: readonly Line[]): void;
	/** Lines that stand as they are meant. */
	literal(lines: readonly Line[]): void;
	/** States a property of schema.org. */
	state(property: string, value: string, lines: LineRange): void;
	link(href: string, line: number): void;
	/** Words without their markup. */
	plain(text: string): string;
	problem(message: string, line: number): void;
	finish(uri: string): ParsedDocument;
}

/** Lines whose markup is read together: it may go over their ends. */
const TOGETHER = 100;
const MAX_TITLE = 200;

export function createTextDocument(rules: readonly InlineRule[]): TextDocument {
	const outline = createOutline();
	const sections: (Section & { readonly blocks: Block[] })[] = [{ path: [], blocks: [] }];
	const values: Fact[] = [];
	const links: Link[] = [];
	const problems: Problem[] = [];
	let name = "";
	const plain = (text: string) => squeeze(readInline(text, rules));
	const literal = (lines: readonly Line[], kind: Block["kind"] = "lines") => {
		const first = lines.findIndex(isTelling);
		if (first >= 0)
			sections.at(-1)?.blocks.push({ kind, lines: lines.slice(first, lines.findLastIndex(isTelling) + 1) });
	};
	return {
		title: (text, lines) => {
			if (name !== "") return;
			name = shorten(plain(text), MAX_TITLE);
			values.push({ property: "name", value: name, lines });
		},
		heading: (level, text, lines) => {
			const told = plain(text);
			name ||= shorten(told, MAX_TITLE);
			outline.enter(level, told);
			sections.push({ path: outline.path(), heading: { text: told, lines }, blocks: [] });
		},
		add: (kind, lines) => {
			const told = chunksOf(lines).flatMap((chunk) => unmarked(chunk, rules, links));
			literal(told, kind);
		},
		literal,
		state: (property, value, lines) => {
			values.push({ property, value: plain(value), lines });
		},
		link: (href, line) => links.push({ href, line }),
		plain,
		problem: (message, line) => problems.push({ severity: "warning", message, lines: only(line) }),
		finish: (uri) => {
			const title = name || fileName(uri);
			const quads = factsOf(uri, { type: "TextDigitalDocument", values, links, linksToFiles: true });
			const resources = resourcesOf(quads).map((each) => ({ ...each, label: title }));
			const passages = [...verbalize(resources, quads), ...cutSections(title, sections)];
			return { title, resources, quads, passages, problems };
		},
	};
}

function isTelling({ text }: Line): boolean {
	return text.trim() !== "";
}

function chunksOf(lines: readonly Line[]): (readonly Line[])[] {
	const starts = Array.from({ length: Math.ceil(lines.length / TOGETHER) }, (_, index) => index * TOGETHER);
	return starts.map((start) => lines.slice(start, start + TOGETHER));
}

function unmarked(lines: readonly Line[], rules: readonly InlineRule[], links: Link[]): Line[] {
	const text = lines.map((line) => line.text).join("\n");
	const onLink = (href: string, breaks: number) => {
		links.push({ href, line: lines[Math.min(breaks, lines.length - 1)]?.lines.start ?? 1 });
	};
	return readInline(text, rules, onLink)
		.split("\n")
		.flatMap((told, index) => {
			const line = lines[index];
			return line ? [{ ...line, text: told }] : [];
		});
}

/** Reads what begins on a line; gives the line after it, or nothing where it is something else. */
export type BlockReader = (lines: readonly Line[], at: number) => number | undefined;

/** Reads lines block by block, each by the first reader that knows it. */
export function readBlocks(lines: readonly Line[], readers: readonly BlockReader[]): void {
	for (let at = 0; at < lines.length; ) {
		let next: number | undefined;
		for (const read of readers) {
			next = read(lines, at);
			if (next !== undefined) break;
		}
		at = Math.max(at + 1, next ?? 0);
	}
}

/** The first line from `at` on that is so; their number where none is. */
export function lineWhere(lines: readonly Line[], at: number, is: (text: string) => boolean): number {
	let next = at;
	while (next < lines.length && !is(lines[next]?.text ?? "")) next++;
	return next;
}

export function isBlank(text: string): boolean {
	return text.trim() === "";
}
