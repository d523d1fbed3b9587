import type { LineRange } from "./source.ts";
import { createSpelling } from "./spelling.ts";

/** Cited place: lines of a text or of a part of an extracted file; rows of a sheet. */
export interface Place extends LineRange {
	/** The page, slide, chapter or part that the lines are counted in, as `p12`, or the name of a sheet. */
	readonly part?: string;
	readonly columns?: string;
}

/** Where the lines of a document's text stand in its file. */
export type PlaceOf = (uri: string, lines: LineRange) => Place;

/** The last line of a part that is meant whole: `p12`. */
export const LAST_LINE = 999_999_999;
/** A row that no sheet has. */
const LAST_ROW = 9_999_999;

/** Pages, slides, chapters, and the parts of a mail. */
const PART = "(?:p|s|ch|part)\\d{1,6}";
const LINES = "\\d{1,9}(?:-\\d{1,9})?";
const CELL = "[A-Z]{1,3}\\d{1,7}";
const SHEET = `[^:![\\]\\n]{1,200}!${CELL}(?::${CELL})?`;

/** How places are written, for the middle of a regular expression. */
export const PLACE = `(?:${PART}(?::${LINES})?|${LINES}|${SHEET})`;

/** What the end of a path must not look like. */
export const PLACE_END = `(?:${PART}|${LINES})`;

const PAGE_PLACE = new RegExp(`^(?:(${PART})(?::|$))?(?:(\\d+)(?:-(\\d+))?)?$`);
const SHEET_PLACE = /^([^:![\]\n]+)!([A-Z]+)(\d+)(?::([A-Z]+)(\d+))?$/;

/** In the name of a sheet, what would end it, cannot be seen, or is lost when it is copied. */
const SHEETS = createSpelling(
	/%(?=[\da-f]{2})|[:![\]`]|^ | $| (?= )|(?! )\p{Zs}|[\p{Zl}\p{Zp}\p{C}\p{Default_Ignorable_Code_Point}]/giu,
);

/** `12-18`, `p12`, `p12:3-9`, `Sheet1!A12:F12`. */
export function formatPlace({ part, columns, start, end }: Place): string {
	const lines = end > start ? `${start}-${end}` : `${start}`;
	if (part === undefined) return lines;
	if (columns !== undefined) return `${SHEETS.write(part)}!${cellsOf(columns, start, end)}`;
	return end >= LAST_LINE && start <= 1 ? part : `${part}:${lines}`;
}

/** Where it begins, for a label: `12`, `p12`, `Sheet1!A12`. */
export function briefPlace({ part, columns, start }: Place): string {
	if (part === undefined) return `${start}`;
	return columns === undefined ? part : `${SHEETS.write(part)}!${columns.replace(/:.*$/, "")}${start}`;
}

/** The place that a text spells, and nothing else. */
export function readPlace(text: string): Place | undefined {
	const sheet = SHEET_PLACE.exec(text);
	if (sheet) return sheetPlace(sheet);
	const [, part, first, last = first] = PAGE_PLACE.exec(text) ?? [];
	if (first === undefined) return part === undefined ? undefined : { part, start: 1, end: LAST_LINE };
	const lines = rangeOf(Number(first), Number(last));
	return part === undefined ? lines : { part, ...lines };
}

/** How many lines two places have in common. */
export function overlap(a: Place, b: Place): number {
	if (a.part !== b.part) return 0;
	return Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start) + 1);
}

function sheetPlace([, name = "", left = "", first, right = left, last = first]: RegExpExecArray): Place {
	return { part: SHEETS.read(name), columns: `${left}:${right}`, ...rangeOf(Number(first), Number(last)) };
}

function rangeOf(start: number, end: number): LineRange {
	return { start, end: Math.max(start, end) };
}

function cellsOf(columns: string, start: number, end: number): string {
	const [left = "", right = left] = columns.split(":");
	const isOne = left === right && end <= start;
	return isOne ? `${left}${start}` : `${left}${start}:${right}${Math.min(end, LAST_ROW)}`;
}
