import type { LineRange } from "./citation.ts";
import { SECTION_FORMS, type SectionForm } from "./sectionForm.ts";

interface SectionPlace {
	readonly form: SectionForm;
	readonly lines: LineRange;
	/** Wrapped prose: offsets of its later source lines. Else first and last source line per line; absent if consecutive. */
	readonly layout?: readonly number[];
}

export interface SectionSpan extends SectionPlace {
	/** Characters of the passage's text. */
	readonly length: number;
}

/** A part of a source that is ranked and quoted by itself: a paragraph, a list, a table, a declaration, a record. */
export interface Section extends SectionPlace {
	readonly text: string;
}

/** How a section is stored: its length, its form by number, its first and last line, and its layout. */
export type StoredSpan = readonly [
	length: number,
	form: number,
	start: number,
	end: number,
	...layout: readonly number[],
];

export function storeSpans(spans: readonly SectionSpan[] | undefined): readonly StoredSpan[] | undefined {
	return spans?.map(({ length, form, lines: { start, end }, layout = [] }) => {
		return [length, SECTION_FORMS.indexOf(form), start, end, ...layout];
	});
}

/** Nothing for a passage of an older index. */
export function readSpans(stored: readonly StoredSpan[] | undefined): { readonly sections?: SectionSpan[] } {
	if (!stored) return {};
	const sections = stored.map(([length, form, start, end, ...layout]) => ({
		form: SECTION_FORMS[form] ?? "lines",
		length,
		lines: { start, end },
		...(layout.length > 0 && { layout }),
	}));
	return { sections };
}

export const SECTION_GLUE = "\n\n";

/** The sections of a passage, in order. A passage of an older index is a single section. */
export function sectionsOf(passage: {
	readonly text: string;
	readonly lines: LineRange;
	readonly sections?: readonly SectionSpan[];
}): Section[] {
	const { text, lines, sections } = passage;
	if (!sections) return [{ form: "lines", text, lines }];
	let from = 0;
	return sections.map(({ length, ...section }) => {
		const start = from;
		from += length + SECTION_GLUE.length;
		return { ...section, text: text.slice(start, start + length) };
	});
}

/** The source lines of a part of a section, from one offset in its text up to another. */
export function linesWithin({ form, text, lines, layout }: Section, from: number, to: number): LineRange {
	if (form === "prose") {
		const lineAt = (offset: number) => lines.start + (layout?.filter((start) => start <= offset).length ?? 0);
		return layout ? { start: lineAt(from), end: lineAt(Math.max(from, to - 1)) } : lines;
	}
	const rowAt = (offset: number) => text.slice(0, offset).split("\n").length - 1;
	const [first, last] = [rowAt(from), rowAt(Math.max(from, to - 1))];
	if (layout) return { start: layout[2 * first] ?? lines.start, end: layout[2 * last + 1] ?? lines.end };
	const rows = text.split("\n").length;
	const height = lines.end - lines.start + 1;
	// A table that was cut repeats its header, which is elsewhere in the source.
	const borrowed = rows - height;
	if (borrowed !== 0 && borrowed !== 1) return lines;
	const lineOf = (row: number) => lines.start + Math.max(0, row - borrowed);
	return { start: lineOf(first), end: lineOf(last) };
}
