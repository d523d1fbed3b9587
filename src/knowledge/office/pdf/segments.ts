import type { TextItem, TextMarkedContent, TextStyle } from "pdfjs-dist/types/src/display/api.js";

/** A run of text on one line without a wide gap. The origin is bottom left; `y` is the baseline. */
export interface Segment {
	readonly text: string;
	readonly left: number;
	readonly right: number;
	readonly y: number;
	/** Letter height. */
	readonly size: number;
	readonly isRtl: boolean;
	/** Degrees; 0 for horizontal text. */
	readonly angle: number;
}

type Run = { -readonly [Key in keyof Segment]: Segment[Key] };

/** In letter heights: gaps that are spaces, and gaps that separate table columns. */
const SPACE = 0.18;
const WIDE = 1.6;
/** Offset of subscripts and superscripts from their line. */
const OFF_LINE = 0.45;

export function segmentsOf(
	items: readonly (TextItem | TextMarkedContent)[],
	styles: Readonly<Record<string, TextStyle>>,
): Segment[] {
	const runs: Run[] = [];
	for (const item of items) {
		if (!("str" in item) || item.str === "") continue;
		take(runOf(item, styles[item.fontName]?.vertical ?? false), runs);
	}
	return runs.map((run) => ({ ...run, text: run.text.trim() })).filter(({ text }) => text !== "");
}

/** Continues the run or begins another; spaces begin none. */
function take(run: Run, runs: Run[]): void {
	const last = runs.at(-1);
	const isBlank = run.text.trim() === "";
	if (!last || !goesOn(last, run)) {
		if (!isBlank) runs.push(run);
		// A space between two cells is as wide as their gap.
	} else if (!isBlank || run.right - run.left < run.size * WIDE) append(last, run);
}

/** Reads text at an angle as if the page were turned. */
function runOf({ str, transform, width, height, dir }: TextItem, isVertical: boolean): Run {
	const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = transform as number[];
	const size = Math.hypot(c, d) || height || 1;
	const angle = isVertical ? -90 : Math.round((Math.atan2(b, a) * 180) / Math.PI);
	const length = isVertical ? height : width;
	const [along, across] = turn(x, y, angle);
	return { text: str, left: along, right: along + length, y: across, size, angle, isRtl: dir === "rtl" };
}

function turn(x: number, y: number, angle: number): [number, number] {
	if (angle === 0) return [x, y];
	const radians = (-angle * Math.PI) / 180;
	const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
	return [x * cos - y * sin, x * sin + y * cos];
}

function goesOn(last: Run, run: Run): boolean {
	const size = Math.max(last.size, run.size);
	if (last.angle !== run.angle || Math.abs(last.y - run.y) > size * OFF_LINE) return false;
	if (last.isRtl !== run.isRtl) return false;
	const gap = gapBetween(last, run);
	return gap < size * WIDE && gap > -size * 0.7;
}

function gapBetween(last: Run, run: Run): number {
	return run.isRtl ? last.left - run.right : run.left - last.right;
}

function append(last: Run, run: Run): void {
	const isBlank = run.text.trim() === "";
	const isSpace = isBlank || gapBetween(last, run) > Math.min(last.size, run.size) * SPACE;
	last.text += (isSpace && !/\s$/.test(last.text) ? " " : "") + (isBlank ? "" : run.text);
	last.left = Math.min(last.left, run.left);
	last.right = Math.max(last.right, run.right);
}
