import { createHash } from "node:crypto";

/** Blank-node labels are unique per document only; a suffix from its URI makes them unique: `_:b1.3f2a9c10de`. */
export function createLabelScope(document: string): (label: string) => string {
	let suffix: string | undefined;
	return (label) => {
		// Most documents have no blank nodes.
		suffix ??= createHash("sha256").update(document).digest("hex").slice(0, 10);
		return `${label}.${suffix}`;
	};
}
