import type { LineRange } from "./citation.ts";
import { SECTION_FORMS, type SectionForm } from "./sectionForm.ts";

interface SectionPlace {
	readonly form: SectionForm;
	readonly lines: LineRange;
	/**
	 * For prose, offsets at which later source lines begin. Otherwise, source lines of each line; absent if
	 * consecutive.
	 */
	readonly layout?: readonly number[];
}

export interface SectionSpan extends SectionPlace {
	readonly length: number;
}

/** A part of a source that is ranked and quoted separately, such as a paragraph, list or table. */
export interface Section extends SectionPlace {
	readonly text: string;
}

/** A section as stored. `form` is an index into `SECTION_FORMS`. */
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

/** Reads stored sections; an empty object for a passage of an older index. */
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

/** Source lines of the part of a section between two offsets in the section's text. */
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
	// Each part of a split table repeats the header, whose source line is elsewhere.
	const borrowed = rows - height;
	if (borrowed !== 0 && borrowed !== 1) return lines;
	const lineOf = (row: number) => lines.start + Math.max(0, row - borrowed);
	return { start: lineOf(first), end: lineOf(last) };
}
