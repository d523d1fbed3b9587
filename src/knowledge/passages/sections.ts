import type { LineRange } from "../../core/knowledge/citation.ts";
import type { Passage } from "../../core/knowledge/document.ts";
import { type Block, cutPassages } from "./passages.ts";
import { type Line, shorten } from "./source.ts";

export interface Section {
	/** Headings, outermost first. */
	readonly path: readonly string[];
	/** Absent if other passages contain the heading. */
	readonly heading?: Line | undefined;
	/** Lines of a heading that `heading` omits. */
	readonly headingLines?: LineRange | undefined;
	readonly blocks: readonly Block[];
}

export function createSections() {
	const all: (Section & { heading?: Line | undefined; readonly blocks: Block[] })[] = [
		{ path: [], blocks: [] },
	];
	/** Headings above the current position, outermost first. */
	let headings: { readonly level: number; readonly name: string }[] = [];
	const open = (heading?: Line, headingLines?: LineRange) =>
		void all.push({ path: headings.map(({ name }) => name), heading, headingLines, blocks: [] });
	return {
		all,
		open,
		/** Begins a section of level 1 (outermost) to 6. `heading` is absent if the heading must not become a passage. */
		enter: (level: number, name: string, heading?: Line, headingLines?: LineRange): void => {
			headings = headings.filter((outer) => outer.level < level);
			if (name !== "") headings.push({ level, name: shorten(name, MAX_TITLE) });
			open(heading, headingLines);
		},
		endHeadings: (): void => {
			headings = [];
		},
		add: (block: Block) => all.at(-1)?.blocks.push(block),
		/** Marks that text follows, so that the heading does not become a separate passage. */
		tell: () => Object.assign(all.at(-1) ?? {}, { heading: undefined }),
	};
}

/** Cuts sections into passages. A heading without text becomes a separate passage. */
export function cutSections(title: string, sections: readonly Section[]): Passage[] {
	const isHeading = sections.some(({ path }) => path[0] === shorten(title, MAX_TITLE));
	return sections.flatMap(({ path, heading, blocks }, index) => {
		const outer = isHeading && path.length > 0 ? [] : [shorten(title, MAX_TITLE)];
		const name = [...outer, ...path].join(PATH_MARK);
		const passages = cutPassages(name, blocks);
		const leadsOn = (sections[index + 1]?.path.length ?? 0) > path.length;
		if (passages.length > 0 || !heading || leadsOn) return passages;
		return cutPassages(name, [{ kind: "prose", lines: [heading] }]);
	});
}

export const PATH_MARK = " › ";

/** Maximum length of titles and headings in characters. Longer titles are misplaced text. */
export const MAX_TITLE = 200;
