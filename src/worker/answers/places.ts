import type { DocumentPart } from "../../core/knowledge/document.ts";
import { LAST_LINE, type Place, type PlaceOf } from "../../core/knowledge/place.ts";
import type { LineRange } from "../../core/knowledge/source.ts";
import type { Documents } from "../../store/port/documents.ts";

/** Places as people see them: of a file that is no text, in its pages, slides or sheets. */
export function createPlaceOf(documents: () => Pick<Documents, "get">): PlaceOf {
	return (uri, lines) => placeIn(documents().get(uri)?.parts ?? [], lines);
}

/** Lines of an extracted text as lines of the part that they begin in. */
export function placeIn(parts: readonly DocumentPart[], lines: LineRange): Place {
	const part = partAt(parts, lines.start);
	if (!part) return lines;
	const { name, columns, line, first = 1 } = part;
	const last = Math.min(lines.end, line + part.lines - 1);
	if (columns === undefined && lines.start === line && last === line + part.lines - 1)
		return { part: name, start: 1, end: LAST_LINE };
	const by = first - line;
	return { part: name, ...(columns && { columns }), start: lines.start + by, end: last + by };
}

/** The lines of the extracted text that a place means; `undefined` if there is no such part. */
export function linesOf(parts: readonly DocumentPart[], place: Place): LineRange | undefined {
	if (place.part === undefined) return place;
	const named = parts.filter(({ name, columns }) => name === place.part && !columns === !place.columns);
	// A sheet with a large gap in it has several.
	const part = named.findLast(({ first = 1 }) => first <= place.start) ?? named[0];
	if (!part) return undefined;
	const { line, lines, first = 1 } = part;
	const clamp = (at: number) => Math.max(line, Math.min(at - first + line, line + lines - 1));
	return { start: clamp(place.start), end: clamp(place.end) };
}

/** Lines of an extracted text, part by part. */
export function byPart(parts: readonly DocumentPart[], { start, end }: LineRange): LineRange[] {
	const touched = parts
		.map(({ line, lines }) => ({ start: Math.max(start, line), end: Math.min(end, line + lines - 1) }))
		.filter((range) => range.start <= range.end);
	return parts.length === 0 ? [{ start, end }] : touched;
}

/** The last one that begins on the line or before it. */
function partAt(parts: readonly DocumentPart[], line: number): DocumentPart | undefined {
	let [low, high] = [0, parts.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((parts[middle]?.line ?? 0) <= line) low = middle + 1;
		else high = middle;
	}
	return parts[low - 1];
}
