import type { LineRange } from "../../core/knowledge/citation.ts";
import type { ParsedDocument } from "../../core/knowledge/document.ts";
import { fileName } from "../passages/format.ts";
import { type Line, shorten, squeeze } from "../passages/lines.ts";
import type { Block } from "../passages/passages.ts";
import { createSections, cutSections } from "../passages/sections.ts";
import { documentAbout, type Fact, type Link } from "../resources/documentFacts.ts";
import { type InlineRule, readInline } from "./inline.ts";

/** Lines whose markup is read together, as it may span lines. */
const TOGETHER = 100;
const MAX_TITLE = 200;

export type TextDocument = ReturnType<typeof createTextDocument>;

export function createTextDocument(rules: readonly InlineRule[]) {
	const sections = createSections();
	const values: Fact[] = [];
	const links: Link[] = [];
	let name = "";
	const plain = (text: string) => squeeze(readInline(text, rules));
	/** Lines without markup. */
	const literal = (lines: readonly Line[], kind: Block["kind"] = "lines"): void => {
		const isTelling = ({ text }: Line) => !isBlank(text);
		const first = lines.findIndex(isTelling);
		if (first >= 0) sections.add({ kind, lines: lines.slice(first, lines.findLastIndex(isTelling) + 1) });
	};
	return {
		/** The first title counts. */
		title: (text: string, lines: LineRange): void => {
			if (name !== "") return;
			name = shorten(plain(text), MAX_TITLE);
			values.push({ property: "name", value: name, lines });
		},
		heading: (level: number, text: string, lines: LineRange): void => {
			const told = plain(text);
			name ||= shorten(told, MAX_TITLE);
			sections.enter(level, told, { text: told, lines });
		},
		/** Lines with markup. */
		add: (kind: Block["kind"], lines: readonly Line[]): void => {
			const told = chunksOf(lines).flatMap((chunk) => unmarked(chunk, rules, links));
			literal(told, kind);
		},
		literal,
		/** `property`: a term of schema.org. */
		state: (property: string, value: string, lines: LineRange): void => {
			values.push({ property, value: plain(value), lines });
		},
		link: (href: string, line: number): void => void links.push({ href, line }),
		finish: (uri: string): ParsedDocument => {
			const title = name || fileName(uri);
			const facts = { type: "TextDigitalDocument", values, links, linksToFiles: true };
			const texts = cutSections(title, sections.all);
			return { ...documentAbout(uri, title, { facts, texts }), problems: [] };
		},
	};
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

/** Reads a block at index `at`; returns the index after it, or `undefined` for another kind of block. */
export type BlockReader = (lines: readonly Line[], at: number, line: Line) => number | undefined;

/** The first reader that knows a block reads it. */
export function readBlocks(lines: readonly Line[], readers: readonly BlockReader[]): void {
	for (let at = 0; at < lines.length; ) at = Math.max(at + 1, readBlock(lines, at, readers) ?? 0);
}

function readBlock(lines: readonly Line[], at: number, readers: readonly BlockReader[]): number | undefined {
	const line = lines[at];
	if (!line || isBlank(line.text)) return at + 1;
	for (const read of readers) {
		const next = read(lines, at, line);
		if (next !== undefined) return next;
	}
	return undefined;
}

/** Index of the first match, or the number of lines. */
export function lineWhere(lines: readonly Line[], at: number, is: (text: string) => boolean): number {
	let next = at;
	while (next < lines.length && !is(lines[next]?.text ?? "")) next++;
	return next;
}

export function isBlank(text: string): boolean {
	return text.trim() === "";
}
