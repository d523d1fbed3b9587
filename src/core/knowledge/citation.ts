import type { LineRange } from "./source.ts";

/** A place in a source, as models read and write it: `[docs/atlas.md:12-18]`. */
export interface Citation {
	readonly path: string;
	readonly lines: LineRange;
}

/** A path may hold anything but brackets and line breaks; the last colon begins the lines. */
const CITATION = /\[([^[\]\n]+):(\d+)(?:-(\d+))?\]/g;

export function formatCitation({ path, lines }: Citation): string {
	const range = lines.end > lines.start ? `${lines.start}-${lines.end}` : `${lines.start}`;
	return `[${path}:${range}]`;
}

/** Every citation in a text, with the offset and the length of its brackets. */
export function citationsIn(text: string): { citation: Citation; offset: number; length: number }[] {
	return [...text.matchAll(CITATION)].map((match) => {
		const [whole, path = "", first = "", last = first] = match;
		const lines = { start: Number(first), end: Math.max(Number(first), Number(last)) };
		return { citation: { path, lines }, offset: match.index, length: whole.length };
	});
}

/** A text whose brackets cite nothing: what a source says, or a model wrote itself, must not count as shown. */
export function uncited(text: string): string {
	return text.replace(/\[([^[\]\n]+:\d+(?:-\d+)?)\]/g, "($1)");
}
