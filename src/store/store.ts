import type { DocumentRecord, Passage, Resource } from "../core/document.ts";
import type { Quad } from "../core/rdf.ts";

/** One document as the store takes it. */
export interface StoredDocument {
	readonly record: DocumentRecord;
	readonly passages: readonly Passage[];
	/** A unit vector for every passage, one after the other; empty where there is no embedder. */
	readonly vectors: Float32Array;
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
	readonly passage: StoredPassage;
	readonly score: number;
}

export interface MatchOptions {
	readonly limit: number;
	/** Only passages of these documents. */
	readonly uris?: readonly string[];
}

/** LanceDB tables, and the only place that knows them. */
export interface Store {
	/** The manifest by URI: what is committed now. */
	documents(): ReadonlyMap<string, DocumentRecord>;
	/** Replaces these documents. Whenever the process dies, each is wholly old or wholly new. */
	replace(documents: readonly StoredDocument[]): Promise<void>;
	/** Deletes these documents and all that they said. */
	remove(uris: readonly string[]): Promise<void>;
	/** Brings the full-text and vector indexes up to the rows; searches go on meanwhile. */
	optimize(): Promise<void>;
	/** Deletes everything. */
	clear(): Promise<void>;
	matchText(query: string, options: MatchOptions): Promise<Match[]>;
	matchVector(vector: Float32Array, options: MatchOptions): Promise<Match[]>;
	/** All passages of a document, in their order. */
	passagesOf(uri: string): Promise<StoredPassage[]>;
	/** The passages that verbalize a resource, in any document. */
	passagesAbout(resource: string): Promise<StoredPassage[]>;
	/** Resources whose label is this, in any case. */
	resourcesLabelled(label: string): Promise<{ readonly uri: string; readonly resource: Resource }[]>;
	bytesOnDisk(): Promise<number>;
	close(): Promise<void>;
}
