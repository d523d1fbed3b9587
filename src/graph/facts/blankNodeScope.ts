import { createHash } from "node:crypto";

/**
 * Labels of blank nodes are unique within a document only; the graph adds a suffix that follows from the document's
 * URI. So `_:b1` of a document is `_:b1.3f2a9c10de` in every answer of the graph, today and tomorrow.
 */
export function createLabelScope(document: string): (label: string) => string {
	let suffix: string | undefined;
	return (label) => {
		// Most documents have no blank nodes.
		suffix ??= createHash("sha256").update(document).digest("hex").slice(0, 10);
		return `${label}.${suffix}`;
	};
}
