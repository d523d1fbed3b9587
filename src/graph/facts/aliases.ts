import { compareTexts } from "../../base/text/compareTexts.ts";
import type { Graph } from "./graph.ts";
import { samenessOf } from "./sameThings.ts";

/** Enough for any real thing; data that makes everything the same would cost too much. */
const MAX_ALIASES = 100;

/** The other ids of a thing, by "same as" statements and equal identifiers, in any number of steps. Sorted. */
export function aliasesOf(graph: Graph, id: string): string[] {
	const found = new Set([id]);
	for (const known of found) {
		for (const { between } of samenessOf(graph, known))
			for (const other of between) if (found.size <= MAX_ALIASES) found.add(other);
	}
	found.delete(id);
	return [...found].sort(compareTexts);
}
