import type { Passage } from "../../src/core/knowledge/document.ts";

/** The passages as they are cited, without what their texts consist of. */
export function withoutSections(passages: readonly Passage[]): Omit<Passage, "sections">[] {
	return passages.map(({ sections: _, ...passage }) => passage);
}
