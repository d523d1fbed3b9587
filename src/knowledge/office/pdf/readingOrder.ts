import type { TextContent, TextItem } from "pdfjs-dist/types/src/display/api.js";
import { runsOf } from "../../../base/values.ts";

export interface PageLine {
	readonly text: string;
	readonly y: number;
	readonly size: number;
	/** Number of the column. Lines across several columns have their own number. */
	readonly column: number;
}

const LEAST_LINES = 4;
/** Minimum width of a column's text in letter heights. */
const LEAST_WIDTH = 9;
/** Share of the column's width that most lines must fill, unlike the cells of a table. */
const FILLED = 0.5;
/** Maximum share of segments that cross a gutter. */
const ACROSS = 0.3;
/** Maximum number of left edges to try as gutters. */
const MOST_TRIED = 40;
const MOST_COLUMNS = 4;

/** Orders lines column by column, and from top to bottom within a column. */
export function linesInOrder(segments: readonly Segment[]): PageLine[] {
	let column = 0;
	const turned = Map.groupBy(segments, ({ angle }) => angle);
	// Rotated text, for example in margins, comes last.
	const groups = [...turned.values()].sort((a, b) => b.length - a.length);
	return groups.flatMap((group) => order(group, 0));

	function order(within: readonly Segment[], depth: number): PageLine[] {
		const gutter = depth < MOST_COLUMNS ? findGutter(within) : undefined;
		if (gutter === undefined) return joinLines(within, column++);
		return bandsAt(within, gutter).flatMap(({ across, left, right }) =>
			across.length > 0
				? joinLines(across, column++)
				: [...order(left, depth + 1), ...order(right, depth + 1)],
		);
	}
}

function findGutter(segments: readonly Segment[], depth = 1): number | undefined {
	if (segments.length < 2 * LEAST_LINES) return undefined;
	const left = Math.min(...segments.map((segment) => segment.left));
	const right = Math.max(...segments.map((segment) => segment.right));
	const size = median(segments.map((segment) => segment.size));
	if (right - left < 2 * LEAST_WIDTH * size) return undefined;
	const isBetween = (at: number) => isGutter(sidesOf(segments, at), { left, right, size, depth }, at);
	return beginningsOf(segments, left + LEAST_WIDTH * size).find(isBetween);
}

function beginningsOf(segments: readonly Segment[], after: number): number[] {
	const counts = new Map<number, number>();
	for (const { left } of segments)
		if (left > after) counts.set(Math.floor(left), (counts.get(Math.floor(left)) ?? 0) + 1);
	const often = [...counts].filter(([at, count]) => count + (counts.get(at + 1) ?? 0) >= LEAST_LINES);
	return often
		.map(([at]) => at - 1)
		.sort((a, b) => a - b)
		.slice(0, MOST_TRIED);
}

type Sides = Readonly<Record<"left" | "right" | "across", Segment[]>>;

function sidesOf(segments: readonly Segment[], at: number): Sides {
	const sides: Sides = { left: [], right: [], across: [] };
	for (const segment of segments) {
		if (segment.right <= at + 1) sides.left.push(segment);
		else if (segment.left >= at - 1) sides.right.push(segment);
		else sides.across.push(segment);
	}
	return sides;
}

function isGutter({ left, right, across }: Sides, edge: Edge, at: number): boolean {
	const total = left.length + right.length + across.length;
	if (across.length > total * ACROSS) return false;
	if (!isColumn(left, { ...edge, right: at })) return false;
	if (isColumn(right, { ...edge, left: at })) return true;
	return edge.depth < MOST_COLUMNS && findGutter(right, edge.depth + 1) !== undefined;
}

interface Edge {
	readonly left: number;
	readonly right: number;
	/** Letter height. */
	readonly size: number;
	readonly depth: number;
}

/** Whether most lines are as wide as body text, unlike the cells of a table. */
function isColumn(segments: readonly Segment[], { left, right, size }: Edge): boolean {
	if (segments.length < LEAST_LINES || right - left < LEAST_WIDTH * size) return false;
	const inner =
		Math.max(...segments.map((segment) => segment.right)) - Math.min(...segments.map((each) => each.left));
	const wide = segments.filter((segment) => segment.right - segment.left > inner * FILLED);
	return wide.length >= LEAST_LINES && wide.length > segments.length * FILLED && inner > LEAST_WIDTH * size;
}

/** Splits a page from top to bottom into bands: lines across the gutter, or the two columns at the gutter. */
function bandsAt(segments: readonly Segment[], at: number): Sides[] {
	const isAcross = (segment: Segment) => sidesOf([segment], at).across.length > 0;
	const fromTop = segments.toSorted((a, b) => b.y - a.y);
	const bands = runsOf(fromTop, ([first], segment) => !!first && isAcross(first) === isAcross(segment));
	return bands.map((band) => sidesOf(band, at));
}

/** Joins segments to lines, from top to bottom. Each row is read in its main direction, from the left or the right. */
function joinLines(segments: readonly Segment[], column: number): PageLine[] {
	const fromTop = segments.toSorted((a, b) => b.y - a.y);
	const isBeside = ([first]: readonly Segment[], { y, size }: Segment) =>
		!!first && first.y - y < Math.max(first.size, size) / 2;
	return runsOf(fromTop, isBeside).map((row) => {
		const isRtl = row.filter((segment) => segment.isRtl).length * 2 > row.length;
		const cells = row.sort((a, b) => (isRtl ? b.right - a.right : a.left - b.left));
		const text = cells.map((cell) => cell.text).join("   ");
		return { text, y: row[0]?.y ?? 0, size: Math.max(...row.map(({ size }) => size)), column };
	});
}

export function median(numbers: readonly number[]): number {
	return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
}

/** A run of text on one line without a wide gap. The origin is bottom left; `y` is the baseline. */
interface Segment {
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

/** Minimum gap that means a space, in letter heights. */
const SPACE = 0.18;
/** Minimum gap between table columns in letter heights. */
const WIDE = 1.6;
/** Maximum offset of subscripts and superscripts from their line, in letter heights. */
const OFF_LINE = 0.45;

export function segmentsOf({ items, styles }: TextContent): Segment[] {
	const runs: Run[] = [];
	for (const item of items) {
		if (!("str" in item) || item.str === "") continue;
		take(runOf(item, styles[item.fontName]?.vertical ?? false), runs);
	}
	return runs.map((run) => ({ ...run, text: run.text.trim() })).filter(({ text }) => text !== "");
}

/** Continues the last run or begins another run. A space never begins a run. */
function take(run: Run, runs: Run[]): void {
	const last = runs.at(-1);
	const isBlank = run.text.trim() === "";
	if (!last || !goesOn(last, run)) {
		if (!isBlank) runs.push(run);
		// A wide space separates cells.
	} else if (!isBlank || run.right - run.left < run.size * WIDE) append(last, run);
}

/** Converts an item to a run. Rotates the coordinates of text at an angle. */
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
