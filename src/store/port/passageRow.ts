import type { Passage } from "../../core/knowledge/document.ts";
import type { PassageTerms } from "../../search/termCounts.ts";

/** One row to write. `vector` is empty in a table without vectors, and zeros where the embedder knew no word. */
export interface PassageRow {
	readonly revision: number;
	/** The passage's place in its document, from 0. */
	readonly ordinal: number;
	readonly passage: Passage;
	/** Where they are counted already. */
	readonly terms: PassageTerms | undefined;
	readonly vector: Float32Array;
	/** IRIs of the classes of the resource that the passage is about. */
	readonly types: readonly string[];
}

export type PassageRead = Pick<PassageRow, "revision" | "ordinal" | "passage">;

/** One row as a search needs it; the vector is empty if there is none. */
export interface IndexedRow {
	readonly revision: number;
	readonly ordinal: number;
	readonly passage: Passage;
	readonly types: readonly string[];
	readonly vector: Float32Array;
}
