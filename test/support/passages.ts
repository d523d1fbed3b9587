import type { Passage } from "../../src/core/knowledge/document.ts";

/** Removes the sections from passages, for comparison of texts and citations. */
export function withoutSections(passages: readonly Passage[]): Omit<Passage, "sections">[] {
	return passages.map(({ sections: _, ...passage }) => passage);
}
