import type { Descriptor } from "../../core/knowledge/descriptor.ts";
import { type DocumentRecord, isFlawed, type Passage, type Resource } from "../../core/knowledge/document.ts";
import type { Folder } from "../../core/knowledge/knowledge.ts";
import type { Quad } from "../../core/knowledge/rdf.ts";
import type { Match, PassageTopic, TextMatches } from "../../search/match.ts";
import type { DocumentTerms } from "../../search/termCounts.ts";

/** `memory` searches a copy of the passages in this process, `lancedb` the stored indexes. */
export type EngineKind = "memory" | "lancedb";

/** Descriptors by the hash of the content that they describe. */
export type Descriptors = ReadonlyMap<string, Descriptor>;

export interface EmbedderId {
	readonly id: string;
	readonly dimensions: number;
}

export interface StoredDocument extends DocumentContent {
	readonly record: DocumentRecord;
	readonly passages: readonly Passage[];
	/** A unit vector for every passage, concatenated; empty if there are none. */
	readonly vectors: Float32Array;
	/** Id of the vectors' embedder: the store accepts only vectors of its own embedder. */
	readonly embedder: string | undefined;
	/** The terms of the passages, title and text; computed if omitted. */
	readonly terms?: DocumentTerms;
	/** The text extracted from a file that is not plain text. */
	readonly text?: string;
}

export interface DocumentContent {
	readonly resources: readonly Resource[];
	readonly quads: readonly Quad[];
}

export interface StoredPassage extends Passage {
	/** Stable: depends on the document's URI and the passage's position in it. */
	readonly id: string;
	readonly uri: string;
}

/** The part of a passage that is known before its text is read. */
export interface PassageHead extends PassageTopic {
	readonly id: string;
	readonly uri: string;
}

export interface PassageSubject {
	readonly resource: string;
	/** The document of a blank node. */
	readonly uri?: string;
}

export interface MatchOptions {
	readonly limit: number;
	readonly uris?: readonly string[];
	/** As if only these documents were indexed. Pass the same array for the same documents: it is a cache key. */
	readonly among?: readonly string[];
	/** Only passages that contain each phrase, ignoring case, accents and spaces; of very many, the best. */
	readonly phrases?: readonly string[];
	/** Only passages of resources with one of these classes: an IRI or its last segment, in any case. */
	readonly types?: readonly string[];
}

export interface PassageSearches {
	/** The passages that share the most informative words with the query. */
	matchText(query: string, options: MatchOptions): Promise<TextMatches>;
	/** The unknown words of a query, each with the terms that it may be a misspelling of, nearest first. */
	spellings(query: string, among?: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
	/** The passages with the nearest vectors, best first; scores are cosines. */
	matchVector(vector: Float32Array, options: MatchOptions): Promise<Match[]>;
	/** Cosines of found passages, by row. Omits passages without a vector, and passages whose document was replaced since. */
	cosines(vector: Float32Array, rows: readonly number[]): ReadonlyMap<number, number>;
	/** The unit vector of the passages' mean; zeros or empty if they have no vectors. */
	centreOf(rows: readonly number[]): Float32Array;
	/** The median cosine of a sample of all passages: the score of a passage that is unrelated to the vector. */
	typicalCosine(vector: Float32Array, among?: readonly string[]): Promise<number>;
	/** The data to rank these rows, as a search ranks many more than it reads. Omits the same rows as `read`. */
	headsOf(rows: readonly number[]): Promise<ReadonlyMap<number, PassageHead>>;
	/** The passages of these rows. Omits passages whose document was replaced, or is being replaced. */
	read(rows: readonly number[]): Promise<ReadonlyMap<number, StoredPassage>>;
}

/** Position of the subject in the list, by row. */
export type SubjectRows = ReadonlyMap<number, number>;

export interface PassageReads extends PassageSearches {
	/** Why vectors cannot be searched now: their embedder is unavailable, or there are no vectors. */
	stale(): string | undefined;
	/** The rows of passages about one of these subjects, each with the position of its subject in the list. */
	rowsAbout(subjects: readonly PassageSubject[], options: MatchOptions): Promise<SubjectRows>;
	/** URIs of the documents of these rows; omits removed rows. */
	urisOf(rows: readonly number[]): ReadonlyMap<number, string>;
	/** By document, the row of its first passage if that has one of the classes. */
	firstRows(uris: readonly string[], options: MatchOptions): Promise<ReadonlyMap<string, number>>;
}

export interface DocumentReads {
	/** An object that changes whenever a new commit is seen. */
	moment(): object;
	/** The documents that this process has committed, and those that others had at the last `refresh`. */
	documents(): Documents;
	/** Reads the commits of other processes, which searches find from then on. */
	refresh(): Promise<void>;
	passagesOf(uri: string): Promise<StoredPassage[]>;
	passagesAbout(resource: string): Promise<StoredPassage[]>;
	/** Resources with this label, ignoring case. */
	resourcesLabelled(label: string): Promise<{ readonly uri: string; readonly resource: Resource }[]>;
	/** The text extracted from a document that is not plain text; `undefined` for any other. */
	extractedText(uri: string): Promise<string | undefined>;
	statementsOf(uris: readonly string[]): Promise<ReadonlyMap<string, DocumentContent>>;
}

/**
 * All reading methods for answers. Methods only, so that objects can be spread and single methods decorated. The
 * restricted view of a channel is built member by member instead, because a new method would hide nothing by default.
 */
export interface Reads extends PassageReads, DocumentReads {}

/** LanceDB tables; no other module knows them. Every method rejects with STORE_UNREADABLE if they are broken. */
export interface Store extends Reads {
	/** Loads the data for searches, so that the first one need not wait. */
	prepare(): Promise<void>;
	/** The embedder that made the vectors; `undefined` if there are none. */
	embedder(): EmbedderId | undefined;
	engine(): EngineKind;
	/** Number of passages in `documents` that wait for their vectors. */
	pending(): number;
	/** Notices about the opening for the user, for example that an older index was discarded. */
	notices(): readonly string[];
	/** Changes with every replacement of the document; `undefined` if it is missing. */
	revisionOf(uri: string): number | undefined;
	/** Replaces each document entirely or not at all. Drops another embedder's vectors: the document is pending. */
	replace(documents: readonly StoredDocument[]): Promise<void>;
	remove(uris: readonly string[]): Promise<void>;
	/**
	 * Frees the space of deleted rows, and speeds up the next opening; searches continue meanwhile. Keeps files that
	 * other processes may still read: returns the milliseconds after which another call would free them, or `undefined`
	 * if none are left.
	 */
	optimize(): Promise<number | undefined>;
	/** Deletes everything except readable descriptors. */
	clear(): Promise<void>;
	/** Deletes everything, including descriptors and snapshots. */
	erase(): Promise<void>;
	/** Opens the store that may replace this one, for vectors of another embedder; keeps its documents. */
	successor(embedder: EmbedderId): Promise<Store>;
	/** The folders from which the index was made, recorded by the writers. */
	folders(): Promise<readonly Folder[]>;
	noteFolders(folders: readonly Folder[]): Promise<void>;
	/** Replaces this store by its successor in one commit; every process sees it with its next `refresh`. */
	adoptSuccessor(): Promise<void>;
	/** Descriptions of contents by a language model; the same map until one is added. */
	descriptors(): Promise<Descriptors>;
	/** Adds a descriptor for content without one. */
	describe(hash: string, descriptor: Descriptor): Promise<void>;
	bytesOnDisk(): Promise<number>;
	close(): Promise<void>;
}

/** A document in memory, with an unparsed record: parsing the records of very many documents would take too long. */
export interface DocumentEntry {
	readonly uri: string;
	readonly passages: number;
	readonly resources: number;
	readonly quads: number;
	/** Changes with every replacement. */
	readonly revision: number;
	/** Whether the document is indexed without problems. */
	readonly isSound: boolean;
	readonly isPending: boolean;
	/** The document's record; `uri` takes precedence over the URI in it. */
	readonly json: string;
}

/** Documents by URI. Records are parsed on demand: use the entries to visit all documents. */
export type Documents = ReturnType<typeof createDocuments>;

export function createDocuments(entries: ReadonlyMap<string, DocumentEntry>) {
	return {
		get size() {
			return entries.size;
		},
		has: (uri: string) => entries.has(uri),
		keys: () => entries.keys(),
		/** The record of a document; the same object while it is referenced. */
		get: (uri: string) => {
			const entry = entries.get(uri);
			return entry && recordOf(entry);
		},
		entry: (uri: string) => entries.get(uri),
		entries: () => entries.values(),
		*records() {
			for (const entry of entries.values()) yield known.get(entry)?.deref() ?? parse(entry);
		},
	};
}

/** Indexes entries by their URIs, which may differ from those of their records. */
export function documentsOf(entries: Iterable<DocumentEntry>): Documents {
	return createDocuments(new Map(Array.from(entries, (entry) => [entry.uri, entry])));
}

export function entryOf(record: DocumentRecord, revision: number): DocumentEntry {
	const { uri, passages, resources, quads, state, isPending = false } = record;
	const isSound = state.kind === "indexed" && !isFlawed(record);
	return { uri, revision, passages, resources, quads, isSound, isPending, json: JSON.stringify(record) };
}

/** End of nearly every record. Texts cannot be mistaken for it, because their quotation marks are escaped. */
const PLAIN_END = /"passages":(\d+),"resources":(\d+),"quads":(\d+),"problems":\[\](,"isPending":true)?\}$/;
const INDEXED = '"state":{"kind":"indexed"}';

/** The entry of a stored record, in most cases without parsing it. */
export function readEntry(uri: string, revision: number, json: string): DocumentEntry {
	const end = json.includes(INDEXED) ? PLAIN_END.exec(json) : null;
	if (!end) return { ...entryOf(JSON.parse(json), revision), uri, json };
	const [passages = 0, resources = 0, quads = 0] = end.slice(1, 4).map(Number);
	return { uri, revision, passages, resources, quads, isSound: true, isPending: end[4] !== undefined, json };
}

/** Parsed records that may still be referenced. */
const known = new WeakMap<DocumentEntry, WeakRef<DocumentRecord>>();

export function recordOf(entry: DocumentEntry): DocumentRecord {
	const held = known.get(entry)?.deref();
	if (held) return held;
	const record = parse(entry);
	known.set(entry, new WeakRef(record));
	return record;
}

function parse({ uri, json }: DocumentEntry): DocumentRecord {
	return { ...(JSON.parse(json) as DocumentRecord), uri };
}
