import type { Passage } from "../../core/knowledge/document.ts";
import type { LineRange } from "../../core/knowledge/source.ts";
import type { Line } from "./lines.ts";
import { toPathTitle } from "./outline.ts";
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
