import type { Passage } from "../../core/knowledge/document.ts";
import type { LineRange } from "../../core/knowledge/source.ts";
import type { Line } from "./lines.ts";
import { createOutline, toPathTitle } from "./outline.ts";
import { type Block, cutPassages } from "./passages.ts";

/** What is under one heading. */
export interface Section {
	/** The headings from the outermost in. */
	readonly path: readonly string[];
	/** The innermost one where it stands; absent where others tell what it says. */
	readonly heading?: Line | undefined;
	/** The lines of a heading that is absent. */
	readonly headingLines?: LineRange | undefined;
	readonly blocks: readonly Block[];
}

/** Gathers the blocks of a text under its headings. */
export function createSections() {
	const all: (Section & { readonly blocks: Block[] })[] = [{ path: [], blocks: [] }];
	let outline = createOutline();
	/** A section below the headings that are open. */
	const open = (heading?: Line) => void all.push({ path: outline.path(), heading, blocks: [] });
	return {
		all,
		open,
		/** A section below a heading, which is absent if it is no line of the text. */
		enter: (level: number, name: string, heading?: Line): void => {
			outline.enter(level, name);
			open(heading);
		},
		endHeadings: (): void => {
			outline = createOutline();
		},
		add: (block: Block) => all.at(-1)?.blocks.push(block),
	};
}

/** The passages of a text's sections. A heading without any text under it is all that there is to find. */
export function cutSections(title: string, sections: readonly Section[]): Passage[] {
	return sections.flatMap(({ path, heading, blocks }, index) => {
		const name = toPathTitle(title, path);
		const passages = cutPassages(name, blocks);
		const leadsOn = (sections[index + 1]?.path.length ?? 0) > path.length;
		if (passages.length > 0 || !heading || leadsOn) return passages;
		return cutPassages(name, [{ kind: "prose", lines: [heading] }]);
	});
}
