import type { DocumentRecord, Passage, Resource } from "../core/document.ts";
import type { Quad } from "../core/rdf.ts";

/** The embedder as far as the store must know it. */
export interface EmbedderId {
	readonly id: string;
	readonly dimensions: number;
}

/** One document as the store takes it. */
export interface StoredDocument {
	readonly record: DocumentRecord;
	readonly passages: readonly Passage[];
	/** A unit vector for every passage, one after the other; empty where there is no embedder. */
	readonly vectors: Float32Array;
	readonly resources: readonly Resource[];
	readonly quads: readonly Quad[];
}

/** What a document states. */
export interface Statements {
	readonly resources: readonly Resource[];
	readonly quads: readonly Quad[];
}

/** A passage as it comes back. */
export interface StoredPassage extends Passage {
	/** Stable: the document's URI and the passage's place in it decide. */
	readonly id: string;
	readonly uri: string;
}

/** A passage that a leg found; higher scores are better, comparable within one leg only. */
export interface Match {
	/** For `read`; a passage that was written again is another row. */
	readonly row: number;
	readonly score: number;
}

/** What a passage verbalizes. */
export interface PassageSubject {
	/** As in `Passage`. */
	readonly resource: string;
	/** Of a nameless resource, the document that has it. */
	readonly uri?: string;
}

export interface MatchOptions {
	readonly limit: number;
	/** Only passages that have each of these word for word, in any case. */
	readonly phrases?: readonly string[];
	/** Only passages of these documents. */
	readonly uris?: readonly string[];
	/** Only passages of resources with one of these classes: an IRI or its last segment, in any case. */
	readonly types?: readonly string[];
}

/** LanceDB tables, and the only place that knows them. Every method rejects with STORE_UNREADABLE where they are broken. */
export interface Store {
	/** Why the vectors cannot be searched until the index is rebuilt: they are of another embedder, or there are none. */
	readonly stale: string | undefined;
	/** What a person should know about the opening: an older index was thrown away. */
	readonly notices: readonly string[];
	/** The manifest by URI: what this process has committed, and what others had at the last `refresh`. */
	documents(): ReadonlyMap<string, DocumentRecord>;
	/** Sees what other processes have committed. Every method that reads passages does so by itself. */
	refresh(): Promise<void>;
	/** Replaces these documents. Whenever the process dies, each is wholly old or wholly new. */
	replace(documents: readonly StoredDocument[]): Promise<void>;
	/** Deletes these documents and all that they said. */
	remove(uris: readonly string[]): Promise<void>;
	/** Brings the full-text and vector indexes up to the rows; searches go on meanwhile. */
	optimize(): Promise<void>;
	/** Deletes everything, also what cannot be read. */
	clear(): Promise<void>;
	/** The passages with the most telling words in common with the query, best first. */
	matchText(query: string, options: MatchOptions): Promise<Match[]>;
	/** How many new passages `matchText` leaves out until the next `optimize`; 0 unless they are many. */
	countUnsearchable(): Promise<number>;
	/** The passages with the nearest vectors, best first; scores are cosines. */
	matchVector(vector: Float32Array, options: MatchOptions): Promise<Match[]>;
	/** The median cosine of a sample of all passages: what a passage scores that has nothing to do with the vector. */
	typicalCosine(vector: Float32Array): Promise<number>;
	/** The rows of the passages that verbalize one of these, each with the place of its subject in the list. */
	rowsAbout(subjects: readonly PassageSubject[], options: MatchOptions): Promise<ReadonlyMap<number, number>>;
	/** The passages of these rows. One is missing whose document has been replaced since, or is just being. */
	read(rows: readonly number[]): Promise<ReadonlyMap<number, StoredPassage>>;
	/** All passages of a document, in their order. */
	passagesOf(uri: string): Promise<StoredPassage[]>;
	/** The passages that verbalize a resource, in any document. */
	passagesAbout(resource: string): Promise<StoredPassage[]>;
	/** Resources whose label is this, in any case. */
	resourcesLabelled(label: string): Promise<{ readonly uri: string; readonly resource: Resource }[]>;
	/** What these documents state, by URI. */
	statementsOf(uris: readonly string[]): Promise<ReadonlyMap<string, Statements>>;
	bytesOnDisk(): Promise<number>;
	close(): Promise<void>;
}
