import type { PDFDocumentProxy } from "pdfjs-dist/types/src/display/api.js";
import { runsOf } from "../../../base/values.ts";
import { squeeze } from "../../passages/source.ts";
import type { Extract } from "../extract.ts";
import { median, type PageLine } from "./readingOrder.ts";

/** Minimum letter height of headings by level, relative to body text. */
const SIZES = [1.7, 1.4, 1.15] as const;
const LONGEST_HEADING = 120;
/** Minimum distance between paragraphs, relative to the usual line distance. */
const PARAGRAPH = 1.45;
/** Maximum share of letters in headings of one height. A larger share means body text. */
const MOST_LETTERS = 0.05;

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

/** Adds a page. Heading levels come from the outline, otherwise from the letter height. */
export function addPage(
	extract: Extract,
	lines: readonly PageLine[],
	bySize: ReadonlyMap<number, number>,
	inOutline: ReadonlyMap<string, number> = new Map(),
): void {
	const leading = median(lines.slice(1).flatMap((line, index) => distance(lines[index], line)));
	const levelled = lines.map((line) => {
		const isShort = line.text.length <= LONGEST_HEADING && /\p{L}{2}/u.test(line.text);
		const level = inOutline.get(headingKey(line.text)) ?? bySize.get(rounded(line.size));
		return { ...line, level: isShort ? level : undefined };
	});
	const blocks = runsOf(levelled, (block, line) => {
		const { level, ...before } = block.at(-1) ?? line;
		return level === undefined && line.level === undefined && !isApart(before, line, leading);
	});
	for (const block of blocks) {
		const { level, text = "" } = block[0] ?? {};
		if (level === undefined) addBlock(extract, block);
		else extract.heading(level, text);
	}
}

function distance(before: PageLine | undefined, line: PageLine): number[] {
	if (!before || before.column !== line.column) return [];
	const down = before.y - line.y;
	return down > 0 ? [down] : [];
}

function isApart(before: PageLine, line: PageLine, leading: number): boolean {
	// A sentence may continue at the top of the next column.
	if (before.column !== line.column) return !/[\p{Ll},-]$/u.test(before.text) || !/^\p{Ll}/u.test(line.text);
	return before.y - line.y > leading * PARAGRAPH || Math.abs(before.size - line.size) > before.size * 0.15;
}

/** Joins words that are hyphenated across lines. */
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

type Outline = Awaited<ReturnType<PDFDocumentProxy["getOutline"]>>;

/** Maximum number of entries to read. A larger outline is an index. */
const MOST_ENTRIES = 5000;
const DEEPEST = 6;

/** Heading levels by page (from 0) and title. */
export async function outlineOf(document: PDFDocumentProxy) {
	const headings = new Map<number, Map<string, number>>();
	let left = MOST_ENTRIES;
	const outline = await document.getOutline().catch(() => null);
	await follow(outline, 1);
	return headings;

	function note(page: number | undefined, title: string, level: number): void {
		if (page === undefined) return;
		const onPage = headings.get(page) ?? new Map<string, number>();
		headings.set(page, onPage.set(headingKey(title), level));
	}

	async function follow(entries: Outline | null | undefined, level: number): Promise<void> {
		for (const { title, dest, items } of entries ?? []) {
			if (--left < 0) return;
			note(await pageOf(document, dest).catch(() => undefined), title, level);
			if (level < DEEPEST) await follow(items as Outline, level + 1);
		}
	}
}

/** Normalizes headings, because outlines inconsistently omit numbers, spaces and line breaks. */
function headingKey(text: string): string {
	return text
		.normalize("NFKC")
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, "")
		.replace(/^\d+(?=\p{L})/u, "");
}

async function pageOf(document: PDFDocumentProxy, dest: unknown): Promise<number | undefined> {
	const found: unknown = typeof dest === "string" ? await document.getDestination(dest) : dest;
	const [page] = Array.isArray(found) ? (found as unknown[]) : [];
	if (typeof page === "number") return page;
	const isReference = typeof page === "object" && page !== null && "num" in page && "gen" in page;
	return isReference ? document.getPageIndex(page as { num: number; gen: number }) : undefined;
}
