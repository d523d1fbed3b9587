import type { Passage } from "../../src/core/knowledge/document.ts";
import type { StoredDocument } from "../../src/store/port/store.ts";

export const embedder = { id: "letters-1", dimensions: 4 };

type Statements = Partial<Pick<StoredDocument, "resources" | "quads">>;

/** A document with a passage of one line for each text. */
export function sampleDocument(
	name: string,
	texts: readonly string[],
	said: Statements = {},
): StoredDocument {
	const { resources = [], quads = [] } = said;
	const about = resources[0]?.id;
	const passages: Passage[] = texts.map((text, index) => ({
		title: `Title of ${name}`,
		text,
		lines: { start: index + 1, end: index + 1 },
		...(about !== undefined && { resource: about }),
	}));
	return {
		record: {
			...{ uri: uriOf(name), format: "markdown", hash: texts.join("|"), size: texts.join("").length },
			...{ modifiedMs: 1000, state: { kind: "indexed" }, title: name, problems: [] },
			...{ passages: passages.length, resources: resources.length, quads: quads.length },
		},
		vectors: Float32Array.from(texts.flatMap((text) => [...vectorOf(text)])),
		...{ passages, embedder: embedder.id, resources, quads },
	};
}

export function uriOf(name: string): string {
	return `file:///notes/${name}`;
}

/** Unit vector of the counts of a, b, c and all other letters. */
export function vectorOf(text: string): Float32Array {
	const counts = ["a", "b", "c"].map((letter) => text.split(letter).length - 1);
	const vector = [...counts, text.replace(/[abc]/g, "").length / 10];
	const length = Math.hypot(...vector) || 1;
	return Float32Array.from(vector, (value) => value / length);
}
