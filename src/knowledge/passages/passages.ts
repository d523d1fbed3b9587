import type { Passage } from "../../core/knowledge/document.ts";
import { type Line, span } from "./lines.ts";

/** A run of text that is kept together where it fits: a paragraph, a list, a table, a function. */
export interface Block {
	/** `prose` flows over its lines; the lines of `lines` mean something. */
	readonly kind: "prose" | "lines";
	readonly lines: readonly Line[];
}

/** Characters that a passage is filled up to. */
const TARGET = 1200;

/** What parts blocks in a passage. */
const GLUE = "\n\n";

/** Characters that no passage is longer than. */
export const MAX_PASSAGE = 2000;

const READABLE = /[\p{L}\p{N}]/u;

/** Sentences end here; the match ends after the white space that follows. */
const SENTENCE_END = /[.!?…][)\]"'»”’]*\s+|[。！？]/gu;

/** Cuts a section's blocks into passages of its title: at blocks, then at lines or sentences, then hard. */
export function cutPassages(title: string, blocks: readonly Block[]): Passage[] {
	const passages: Passage[] = [];
	let gathered: Line[] = [];
	let length = 0;
	for (const piece of blocks.flatMap(cutBlock)) {
		if (length > 0 && length + piece.text.length > TARGET) flush();
		gathered.push(piece);
		length += piece.text.length + GLUE.length;
	}
	flush();
	return passages;

	function flush() {
		const first = gathered[0];
		const last = gathered.at(-1);
		if (first && last) {
			const text = gathered.map((piece) => piece.text).join(GLUE);
			passages.push({ title, text, lines: span(first.lines, last.lines) });
		}
		gathered = [];
		length = 0;
	}
}

/** A text in runs of whole sentences, each of at most so many characters where no sentence is longer. */
export function sentencesOf(text: string, most: number): string[] {
	const ends = [...text.matchAll(SENTENCE_END)].map((match) => match.index + match[0].length);
	const runs: string[] = [];
	let from = 0;
	for (const [index, end] of [...ends, text.length].entries()) {
		const next = ends[index + 1] ?? text.length;
		if (end === from || (next - from <= most && end < text.length)) continue;
		runs.push(text.slice(from, end).trim());
		from = end;
	}
	return runs;
}

/** The blocks of a plain text: what blank lines part. */
export function toBlocks(lines: readonly Line[], kind: Block["kind"]): Block[] {
	const blocks: Line[][] = [[]];
	for (const line of lines) {
		if (line.text.trim() === "") blocks.push([]);
		else blocks.at(-1)?.push(line);
	}
	return blocks.filter((block) => block.length > 0).map((block) => ({ kind, lines: block }));
}

/** The whole block, or parts of at most the target's length where it is too long for one passage. */
function cutBlock(block: Block): Line[] {
	const whole = joinBlock(block);
	if (!READABLE.test(whole.text)) return [];
	if (whole.text.length <= MAX_PASSAGE) return [whole.trimmed()];
	const parts: Line[] = [];
	for (let from = 0; from < whole.text.length; ) {
		const to =
			whole.text.length - from <= TARGET ? whole.text.length : cutPoint(whole.text, from, block.kind);
		const part = whole.part(from, to);
		if (READABLE.test(part.text)) parts.push(part);
		from = to;
	}
	return parts;
}

/** A block as one text that still knows the line of every part. */
function joinBlock({ kind, lines }: Block) {
	const glue = kind === "prose" ? " " : "\n";
	const texts = lines.map((line) => (kind === "prose" ? line.text.trim() : line.text.trimEnd()));
	const text = texts.join(glue);
	const ends: number[] = [];
	for (const line of texts) ends.push((ends.at(-1) ?? -1) + 1 + line.length);
	let cursor = 0;
	return { text, part, trimmed: () => part(0, text.length) };

	/** Parts are asked for in their order: the cursor only moves on. */
	function part(from: number, to: number): Line {
		const piece = text.slice(from, to);
		const start = from + piece.length - piece.trimStart().length;
		const end = Math.max(start, from + piece.trimEnd().length - 1);
		const first = lineAt(start);
		return { text: dedentEnds(piece), lines: span(first, lineAt(end)) };
	}

	function lineAt(offset: number) {
		while (cursor < ends.length - 1 && (ends[cursor] ?? 0) <= offset) cursor++;
		return lines[cursor]?.lines ?? { start: 1, end: 1 };
	}
}

/** Without the empty lines around it, but with the first line's own indentation. */
function dedentEnds(text: string): string {
	return text.replace(/^(?:[^\S\n]*\n)+/, "").trimEnd();
}

/** Where to end a part that begins at `from`: the last good place in its second half, else anywhere. */
function cutPoint(text: string, from: number, kind: Block["kind"]): number {
	const window = text.slice(from, from + TARGET);
	const sentence = lastSentenceEnd(window);
	const line = window.lastIndexOf("\n") + 1;
	const places = kind === "prose" ? [sentence, line] : [line, sentence];
	places.push(window.lastIndexOf(" ") + 1);
	const place = places.find((end) => end > TARGET / 2) ?? TARGET;
	return from + (splitsPair(text, from + place) ? place - 1 : place);
}

function lastSentenceEnd(text: string): number {
	let end = 0;
	for (const match of text.matchAll(SENTENCE_END)) end = match.index + match[0].length;
	return end;
}

function splitsPair(text: string, at: number): boolean {
	const before = text.charCodeAt(at - 1);
	return before >= 0xd800 && before <= 0xdbff;
}
