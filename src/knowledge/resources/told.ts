import type { Passage, Resource } from "../../core/knowledge/document.ts";
import { heightOf, type LineRange, MOST_LINES } from "../../core/knowledge/source.ts";
import { type Line, only, span } from "../passages/lines.ts";
import { cutPassages, MAX_PASSAGE, sentencesOf } from "../passages/passages.ts";
import type { FindInLines } from "./findInLines.ts";

/** A value that is told of a resource, and where the document states it. */
export interface Told {
	readonly property: string;
	readonly value: string;
	readonly lines: LineRange;
}

/** Characters that the values of one property take in a row; what follows has its name again. */
const ROW_LENGTH = 500;

/** Characters of a part of a value that takes many lines. */
const PART_LENGTH = 200;

/** `id` is the line that tells a resource's IRI, where it has one. */
interface Heading {
	readonly title: string;
	readonly id: readonly string[];
}

/**
 * The passages of one resource: one where all of it is short and stands together, else several, each with the lines of
 * what it tells. `find` looks for the words of long values in the document.
 */
export function cutTold(
	resource: Resource,
	told: readonly Told[],
	heading: Heading,
	find?: FindInLines,
): Passage[] {
	const { lines, id: resourceId } = resource;
	const { title, id } = heading;
	const statements = statementsOf(told);
	const text = [title, ...statements.map((line) => line.text), ...id].join("\n");
	const own = told.length === 0 ? only(lines.start) : spanOf(told);
	const place = [lines, own].find((range) => heightOf(range) <= MOST_LINES);
	if (text.length <= MAX_PASSAGE && place) {
		const rows = [place, ...statements.map((line) => line.lines), ...id.map(() => place)];
		const layout = rows.flatMap(({ start, end }) => [start, end]);
		const sections = [{ form: "record" as const, length: text.length, lines: place, layout }];
		return [{ title, text, lines: place, sections, resource: resourceId }];
	}
	const groups = groupsOf(told.flatMap((one) => partsOf(one, find)));
	return groups
		.flatMap((group, index) =>
			cutPassages(title, [{ kind: "record", lines: rowsOf(group, index === 0 ? heading : undefined) }]),
		)
		.map((passage) => ({ ...passage, resource: resourceId }));
}

/** One line per property, `works for: Analytical Society; Royal Society`, in the order of the document. */
function statementsOf(told: readonly Told[]): Line[] {
	const values = Map.groupBy(told, ({ property }) => property);
	return [...values].map(([property, all]) => ({
		text: `${property}: ${all.map(({ value }) => value).join("; ")}`,
		lines: spanOf(all),
	}));
}

/** What stands close enough together for one citation. */
function groupsOf(told: readonly Told[]): Told[][] {
	const groups: Told[][] = [];
	let range: LineRange | undefined;
	for (const one of told.toSorted((a, b) => a.lines.start - b.lines.start)) {
		range = range && span(range, one.lines);
		if (!range || heightOf(range) > MOST_LINES) {
			groups.push([]);
			range = one.lines;
		}
		groups.at(-1)?.push(one);
	}
	return groups;
}

function rowsOf(told: readonly Told[], heading: Heading | undefined): Line[] {
	const rows: { text: string; lines: LineRange; readonly property: string }[] = [];
	for (const { property, value, lines } of told) {
		const row = rows.at(-1);
		if (row?.property === property && row.text.length + value.length <= ROW_LENGTH) {
			row.text += `; ${value}`;
			row.lines = span(row.lines, lines);
		} else rows.push({ text: property === "" ? value : `${property}: ${value}`, lines, property });
	}
	const [first, last] = [rows[0], rows.at(-1)];
	if (!heading || !first || !last) return rows;
	return [
		{ text: heading.title, lines: first.lines },
		...rows,
		...heading.id.map((text) => ({ text, lines: last.lines })),
	];
}

/** A long value in parts with lines of their own: only the first of them has the property's name. */
function partsOf(told: Told, find: FindInLines | undefined): Told[] {
	const { property, value, lines } = told;
	if (heightOf(lines) <= MOST_LINES) return [told];
	const place = find?.(lines);
	return sentencesOf(value, PART_LENGTH).map((part, index) => ({
		property: index === 0 ? property : "",
		value: part,
		lines: narrow(place?.(part) ?? lines),
	}));
}

/** A thing that is described where it is linked takes many lines: it begins with those that name it. */
function narrow({ start, end }: LineRange): LineRange {
	return { start, end: Math.min(end, start + MOST_LINES - 1) };
}

function spanOf(told: readonly Told[]): LineRange {
	return told.map(({ lines }) => lines).reduce(span);
}
