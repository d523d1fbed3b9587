import type { Passage } from "../../core/knowledge/document.ts";
import type { PassageTerms } from "../../search/termCounts.ts";

/** One row to write. `vector` is empty in a table without vectors, and zeros where the embedder knew no word. */
export interface PassageRow extends PassageRead {
	/** Where they are counted already. */
	readonly terms: PassageTerms | undefined;
	readonly vector: Float32Array;
	/** IRIs of the classes of the resource that the passage is about. */
	readonly types: readonly string[];
}

export interface PlaceRef {
	readonly revision: number;
	/** The passage's place in its document, from 0. */
	readonly ordinal: number;
}

export interface PassageRead extends PlaceRef {
	readonly passage: Passage;
}

/** One row as a search needs it; the vector is empty if there is none. */
export interface IndexedRow extends PassageRead {
	readonly types: readonly string[];
	readonly vector: Float32Array;
}
