import { runsOf } from "../../base/values.ts";
import { heightOf, type LineRange, MOST_LINES } from "../../core/knowledge/citation.ts";
import { type ParsedDocument, type Passage, type Problem, problemAt } from "../../core/knowledge/document.ts";
import { SECTION_GLUE, type SectionSpan } from "../../core/knowledge/section.ts";
import type { SectionForm } from "../../core/knowledge/sectionForm.ts";
import { isBlank, type Line, only, READABLE, span } from "./source.ts";

/** A paragraph, list, table or function, which stays in one passage if possible. */
export interface Block {
	/** Lines of `prose` flow; in other forms, line breaks have meaning. */
	readonly kind: SectionForm;
	readonly lines: readonly Line[];
	readonly rows?: readonly BlockRow[] | undefined;
	readonly caption?: string | undefined;
}

/** Cells of a row, or the text of an item. A term and its definition are two cells. */
export interface BlockRow {
	readonly cells: readonly string[];
	readonly lines: LineRange;
	/** Number of leading header cells. Several header cells name columns; a single header cell is a key. */
	readonly headers?: number;
	/** Depth of a list item; 0 for the outermost list. */
	readonly depth?: number;
	readonly isDone?: boolean | undefined;
}

interface Piece extends Line {
	readonly section: SectionSpan;
}

/** Number of characters up to which blocks are gathered in a passage. */
export const TARGET = 1200;
/** Maximum number of characters of a passage. */
export const MAX_PASSAGE = 2000;
/** Maximum length of a repeated table header in characters. */
const MAX_HEADER = 300;
const ROW_NAMES_COLUMNS = /^[^|\n]{1,80}: [^|\n]* \| [^|\n]{1,80}: /;

/** Matches the end of a sentence and the white space after it. */
const SENTENCE_END = /[.!?…][)\]"'»”’]*\s+|[。！？]/gu;

/** Cuts blocks into passages: between blocks if possible, otherwise at lines or sentences, otherwise anywhere. */
export function cutPassages(title: string, blocks: readonly Block[]): Passage[] {
	const passages: Passage[] = [];
	let gathered: Piece[] = [];
	let [length, rows] = [0, 0];
	for (const piece of blocks.flatMap(cutBlock)) {
		const isLong = length + piece.text.length > TARGET;
		if (length > 0 && (isLong || isFar(gathered[0], piece, rows + rowsIn(piece.text)))) flush();
		gathered.push(piece);
		length += piece.text.length + SECTION_GLUE.length;
		rows += rowsIn(piece.text + SECTION_GLUE) - 1;
	}
	flush();
	return passages;

	function flush() {
		const [first, last] = [gathered[0], gathered.at(-1)];
		if (first && last) {
			const text = gathered.map((piece) => piece.text).join(SECTION_GLUE);
			const sections = gathered.map(({ section }) => section);
			passages.push({ title, text, lines: span(first.lines, last.lines), sections });
		}
		[gathered, length, rows] = [[], 0, 0];
	}
}

export function documentOfText(title: string, passages: readonly Passage[], problems: Problem[] = []) {
	return { title, resources: [], quads: [], passages, problems } satisfies ParsedDocument;
}

/** Groups sentences into texts of at most `most` characters. A longer sentence is a text of its own. */
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

export function toBlocks(lines: readonly Line[], kind: Block["kind"]): Block[] {
	const isEmpty = (line: Line | undefined) => isBlank(line?.text ?? "");
	const runs = runsOf(lines, ([first], line) => isEmpty(first) === isEmpty(line));
	return runs.filter(([first]) => !isEmpty(first)).map((run) => ({ kind, lines: run }));
}

/** Whether a citation from the first to the last line would span many more lines than the text has. */
function isFar(first: Line | undefined, last: Line | undefined, rows: number): boolean {
	return !!first && !!last && heightOf(span(first.lines, last.lines)) > Math.max(MOST_LINES, rows);
}

function rowsIn(text: string): number {
	return text.split("\n").length;
}

function cutBlock(block: Block): Piece[] {
	const whole = joinBlock(block);
	if (!READABLE.test(whole.text)) return [];
	const { length } = whole.text;
	if (length <= MAX_PASSAGE && whole.reach(0) >= length) return [whole.part(0, length)];
	const parts: Piece[] = [];
	for (let from = 0; from < length; ) {
		const most = Math.min(from + TARGET, whole.reach(from));
		const to = length <= most ? length : cutPoint(whole.text, [from, most], block.kind);
		parts.push(whole.part(from, to));
		from = to;
	}
	const readable = parts.filter(({ text }) => READABLE.test(text));
	return readable.map((part, index) => (index > 0 ? withHeader(part, block) : part));
}

/** Repeats the header of a table, because the rows are hard to understand without the header. */
function withHeader(part: Piece, { kind, lines: [header] }: Block): Piece {
	if (kind !== "table" || !header || ROW_NAMES_COLUMNS.test(part.text) || header.text.length > MAX_HEADER)
		return part;
	const text = `${header.text}\n${part.text}`;
	const { lines, layout } = part.section;
	const own = layout && { layout: [lines.start, lines.start, ...layout] };
	return { ...part, text, section: { ...part.section, length: text.length, ...own } };
}

function joinBlock({ kind, lines }: Block) {
	const glue = kind === "prose" ? " " : "\n";
	const texts = lines.map((line) => (kind === "prose" ? line.text.trim() : line.text.trimEnd()));
	const text = texts.join(glue);
	const ends: number[] = [];
	for (const line of texts) ends.push((ends.at(-1) ?? -1) + 1 + line.length);
	let cursor = 0;
	return { text, part, reach };

	/** Maximum end of a part that begins at `from`, so that the part's citation stays short. */
	function reach(from: number): number {
		lineAt(from);
		const startOf = (line: number) => (ends[line - 1] ?? 0) + 1;
		const rowsTo = (line: number) => (kind === "prose" ? 1 : line - cursor + 1);
		const isNear = (line: number) =>
			startOf(line) <= from + MAX_PASSAGE && !isFar(lines[cursor], lines[line], rowsTo(line));
		let next = cursor + 1;
		while (next < lines.length && isNear(next)) next++;
		return next < lines.length ? startOf(next) : text.length;
	}

	/** Requires ascending offsets, because the cursor only advances. */
	function part(from: number, to: number): Piece {
		const piece = text.slice(from, to);
		// Remove empty lines around the text, but keep the indentation of the first line.
		const told = piece.replace(/^(?:[^\S\n]*\n)+/, "").trimEnd();
		const start = from + piece.indexOf(told);
		const top = lineAt(from + piece.length - piece.trimStart().length);
		const first = cursor;
		const all = span(top, lineAt(from + piece.trimEnd().length - 1));
		const within = lines.slice(first, cursor + 1).map((line) => line.lines);
		const starts = within.map((_, index) => Math.max(0, (ends[first + index - 1] ?? -1) + 1 - start));
		const layout = kind === "prose" ? breaksOf(within, starts) : rowsOf(within);
		const section = { form: kind, length: told.length, lines: all, ...(layout.length > 0 && { layout }) };
		return { text: told, lines: all, section };
	}

	function lineAt(offset: number): LineRange {
		while (cursor < ends.length - 1 && (ends[cursor] ?? 0) <= offset) cursor++;
		return lines[cursor]?.lines ?? only(1);
	}
}

/** `layout` of prose in `SectionSpan`: a text offset for each line break in the source. */
function breaksOf([first, ...others]: readonly LineRange[], starts: readonly number[]): number[] {
	let line = first?.start ?? 1;
	return others.flatMap(({ start }, index) => {
		const down = Math.max(0, start - line);
		line += down;
		return Array<number>(Math.min(down, MOST_LINES)).fill(starts[index + 1] ?? 0);
	});
}

/** `layout` of other forms in `SectionSpan`: first and last source line of each line; empty if consecutive. */
function rowsOf(rows: readonly LineRange[]): number[] {
	const first = rows[0]?.start ?? 1;
	const areConsecutive = rows.every(({ start, end }, index) => start === first + index && end === start);
	return areConsecutive ? [] : rows.flatMap(({ start, end }) => [start, end]);
}

/** Offset at which to cut: preferably a sentence, line or word end in the second half of the range. */
function cutPoint(text: string, [from, most]: readonly [number, number], kind: Block["kind"]): number {
	const window = text.slice(from, most);
	const end = [...window.matchAll(SENTENCE_END)].at(-1);
	const sentence = end ? end.index + end[0].length : 0;
	const line = window.lastIndexOf("\n") + 1;
	const places = kind === "prose" ? [sentence, line] : [line, sentence];
	places.push(window.lastIndexOf(" ") + 1);
	const place = places.find((at) => at > window.length / 2) ?? window.length;
	const splitsPair = /[\ud800-\udbff]/.test(text.charAt(from + place - 1));
	return from + place - (splitsPair ? 1 : 0);
}

/** Groups items up to a total length. */
export function runsUpTo<Item>(items: readonly Item[], most: number, lengthOf: (item: Item) => number) {
	return runsOf(
		items,
		(run, item) => run.reduce((sum, each) => sum + lengthOf(each), lengthOf(item)) <= most,
	);
}

/** Maximum number of searchable characters of a long table. */
const MOST_CHARACTERS = 12_000_000;
const MOST_PASSAGES = 100_000;

export function createTablePassages(title: string) {
	const passages: Passage[] = [];
	let characters = 0;
	let cutAt: number | undefined;
	return {
		passages,
		/** `toBlocks` is not called after a limit is reached. */
		add: (firstLine: number, toBlocks: () => readonly Block[]): void => {
			if (characters >= MOST_CHARACTERS || passages.length >= MOST_PASSAGES) cutAt ??= firstLine;
			else
				for (const passage of cutPassages(title, toBlocks()).slice(0, MOST_PASSAGES - passages.length)) {
					characters += title.length + passage.text.length;
					passages.push(passage);
				}
		},
		problems: (): Problem[] => {
			const message = `This file is large: its text is searchable up to line ${cutAt}. Split it into smaller files.`;
			return cutAt === undefined ? [] : [problemAt(1, message, "warning")];
		},
	};
}
