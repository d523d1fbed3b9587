import { squeeze } from "../../passages/words.ts";
import type { Extract } from "../extract.ts";
import { type Headings, headingKey } from "./outline.ts";
import { median, type PageLine } from "./readingOrder.ts";

/** How the headings of a document are told from its text. */
export interface Typography {
	/** The level of headings whose letters have this height. */
	readonly levels: ReadonlyMap<number, number>;
	readonly headings: Headings;
}

/** How much larger than running text the letters of headings are, by their level. */
const SIZES = [1.7, 1.4, 1.15] as const;
const LONGEST_HEADING = 120;
/** Of the usual distance of lines: what parts paragraphs. */
const PARAGRAPH = 1.45;

/** Share of all letters that headings of one height have at most: what there is more of is text. */
const MOST_LETTERS = 0.05;

/** The levels of headings by the height of their letters, which is more than that of most. */
export function headingSizes(lines: readonly PageLine[]): Map<number, number> {
	const letters = new Map<number, number>();
	for (const { size, text } of lines)
		letters.set(rounded(size), (letters.get(rounded(size)) ?? 0) + text.length);
	const total = [...letters.values()].reduce((sum, count) => sum + count, 0);
	const usual = [...letters].filter(([, count]) => count > total * MOST_LETTERS).map(([size]) => size);
	const most = [...letters].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
	const body = Math.max(most, ...usual.filter((size) => size < most * SIZES[0]));
	const sizes = [...letters.keys()].filter((size) => !usual.includes(size));
	return new Map(
		sizes.flatMap((size) => {
			const level = SIZES.findIndex((factor) => size >= body * factor);
			return level < 0 ? [] : [[size, level + 1] as const];
		}),
	);
}

function rounded(size: number): number {
	return Math.round(size * 2) / 2;
}

/** Adds the lines of a page: headings, paragraphs, and rows of tables. */
export function addPage(
	extract: Extract,
	lines: readonly PageLine[],
	{ page, ...typography }: Typography & { readonly page: number },
): void {
	const leading = median(lines.slice(1).flatMap((line, index) => distance(lines[index], line)));
	let block: PageLine[] = [];
	const flush = () => {
		addBlock(extract, block);
		block = [];
	};
	for (const [index, line] of lines.entries()) {
		const before = lines[index - 1];
		const level = levelOf(line, page, typography);
		if (level !== undefined) {
			flush();
			extract.heading(level, line.text);
			continue;
		}
		if (before && block.length > 0 && isApart(before, line, leading)) flush();
		block.push(line);
	}
	flush();
}

function distance(before: PageLine | undefined, line: PageLine): number[] {
	if (!before || before.column !== line.column) return [];
	const down = before.y - line.y;
	return down > 0 ? [down] : [];
}

function levelOf(
	{ text, size }: PageLine,
	page: number,
	{ levels, headings }: Typography,
): number | undefined {
	if (text.length > LONGEST_HEADING || !/\p{L}{2}/u.test(text)) return undefined;
	const named = headings.get(page)?.get(headingKey(text));
	return named ?? levels.get(rounded(size));
}

function isApart(before: PageLine, line: PageLine, leading: number): boolean {
	if (before.column !== line.column) return !goesOnElsewhere(before, line);
	return before.y - line.y > leading * PARAGRAPH || Math.abs(before.size - line.size) > before.size * 0.15;
}

/** A sentence may go on at the top of the next column. */
function goesOnElsewhere(before: PageLine, line: PageLine): boolean {
	return /[\p{Ll},-]$/u.test(before.text) && /^\p{Ll}/u.test(line.text);
}

/** Words that are parted at the end of a line are one again; cells stay in their row. */
function addBlock(extract: Extract, block: readonly PageLine[]): void {
	const texts = block.map(({ text }) => text);
	for (let index = 0; index + 1 < texts.length; index++) {
		const [line = "", next = ""] = [texts[index], texts[index + 1]];
		const [, rest] = /^(\p{Ll}+\S*)(?:\s|$)/u.exec(next) ?? [];
		if (rest === undefined || !/\p{Ll}[-\u00ad\u2010]$/u.test(line)) continue;
		texts[index] = line.slice(0, -1) + rest;
		texts[index + 1] = next.slice(rest.length).trimStart();
	}
	const kept = texts.filter((text) => squeeze(text) !== "");
	const isTable = kept.filter((text) => text.includes("   ")).length * 2 > kept.length;
	if (kept.length > 0) extract.add(isTable ? "table" : "prose", kept);
}
