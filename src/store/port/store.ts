import type { Descriptor } from "../../core/knowledge/descriptor.ts";
import { type DocumentRecord, isFlawed, type Passage, type Resource } from "../../core/knowledge/document.ts";
import type { Folder } from "../../core/knowledge/knowledge.ts";
import type { Quad } from "../../core/knowledge/rdf.ts";
import type { Match, PassageTopic, TextMatches } from "../../search/match.ts";
import type { DocumentTerms } from "../../search/termCounts.ts";

/** `memory` searches a copy of the passages in this process, `lancedb` the stored indexes. */
export type EngineKind = "memory" | "lancedb";

export type Descriptors = ReadonlyMap<string, Descriptor>;

export interface EmbedderId {
	readonly id: string;
	readonly dimensions: number;
}

export interface StoredDocument extends DocumentContent {
	readonly record: DocumentRecord;
	readonly passages: readonly Passage[];
	/** One unit vector per passage, concatenated; empty without an embedder. */
	readonly vectors: Float32Array;
	/** Id of the vectors' embedder. The store drops vectors of any other embedder than its own. */
	readonly embedder: string | undefined;
	/** Terms of the passages' titles and texts; computed if omitted. */
	readonly terms?: DocumentTerms;
	readonly text?: string;
}

export interface DocumentContent {
	readonly resources: readonly Resource[];
	readonly quads: readonly Quad[];
}

export interface StoredPassage extends Passage {
	/** Stable id: depends only on the document's URI and the passage's position in the document. */
	readonly id: string;
	readonly uri: string;
}

export interface PassageHead extends PassageTopic {
	readonly id: string;
	readonly uri: string;
}

export interface PassageSubject {
	readonly resource: string;
	/** Document of a blank node, whose id is valid only there. */
	readonly uri?: string;
}

export interface MatchOptions {
	readonly limit: number;
	readonly uris?: readonly string[];
	/** Searches as if only these documents were indexed. Searches with the same array use the same cache entry. */
	readonly among?: readonly string[];
	/** Finds only passages that contain each phrase, ignoring case, accents and spaces; at most `MOST_QUOTED`. */
	readonly phrases?: readonly string[];
	/** Finds only passages of resources with one of these classes: an IRI or its last segment, in any case. */
	readonly types?: readonly string[];
}

export interface PassageSearches {
	/** Finds the passages that share the most informative words with the query. */
	matchText(query: string, options: MatchOptions): Promise<TextMatches>;
	/** Returns the unknown words of a query, each with terms that may be the correct spelling, nearest first. */
	spellings(query: string, among?: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
	/** Finds the passages with the nearest vectors, best first; scores are cosines. */
	matchVector(vector: Float32Array, options: MatchOptions): Promise<Match[]>;
	/** Returns cosines by row. Omits passages without a vector, and passages whose document has been replaced. */
	cosines(vector: Float32Array, rows: readonly number[]): ReadonlyMap<number, number>;
	/** Returns the unit vector of the passages' mean; zeros or empty if the passages have no vectors. */
	centreOf(rows: readonly number[]): Float32Array;
	/** Returns the median cosine of a sample, which is the score of a passage that is unrelated to the vector. */
	typicalCosine(vector: Float32Array, among?: readonly string[]): Promise<number>;
	/** Returns what ranking needs: a search ranks many more rows than it reads. Omits the same rows as `read`. */
	headsOf(rows: readonly number[]): Promise<ReadonlyMap<number, PassageHead>>;
	/** Returns the passages of rows. Omits passages whose document was replaced, or is being replaced. */
	read(rows: readonly number[]): Promise<ReadonlyMap<number, StoredPassage>>;
}

/** Index of the subject in the list of subjects, by row. */
export type SubjectRows = ReadonlyMap<number, number>;

export interface PassageReads extends PassageSearches {
	/** Returns why vectors cannot be searched now: the embedder is unavailable, or there are no vectors. */
	stale(): string | undefined;
	/** Returns the rows of passages about one of these subjects, each with the subject's index in the list. */
	rowsAbout(subjects: readonly PassageSubject[], options: MatchOptions): Promise<SubjectRows>;
	/** Returns the URIs of the documents of rows; omits removed rows. */
	urisOf(rows: readonly number[]): ReadonlyMap<number, string>;
	/** Returns, for each document, the row of its first passage if that passage has one of the classes. */
	firstRows(uris: readonly string[], options: MatchOptions): Promise<ReadonlyMap<string, number>>;
}

export interface DocumentReads {
	/** Returns another object after every commit that this process has seen. */
	moment(): object;
	/** Documents that this process has committed, and documents of other processes as of the last `refresh`. */
	documents(): Documents;
	/** Reads the commits of other processes, so that searches find them. */
	refresh(): Promise<void>;
	passagesOf(uri: string): Promise<StoredPassage[]>;
	passagesAbout(resource: string): Promise<StoredPassage[]>;
	/** Ignores case. */
	resourcesLabelled(label: string): Promise<{ readonly uri: string; readonly resource: Resource }[]>;
	/** Returns the text extracted from a document that is not plain text; `undefined` for plain text. */
	extractedText(uri: string): Promise<string | undefined>;
	statementsOf(uris: readonly string[]): Promise<ReadonlyMap<string, DocumentContent>>;
}

/**
 * All reading methods. They are functions without `this`, so that objects can be spread and single methods wrapped.
 * The restricted view of a channel lists every member instead, because a new method would otherwise hide nothing.
 */
export interface Reads extends PassageReads, DocumentReads {}

/** Hides LanceDB from all other modules. Every method rejects with STORE_UNREADABLE if the tables are broken. */
export interface Store extends Reads {
	/** Loads the data for searches, so that the first search need not wait. */
	prepare(): Promise<void>;
	embedder(): EmbedderId | undefined;
	engine(): EngineKind;
	/** Number of passages in `documents` that wait for their vectors. */
	pending(): number;
	/** Notices for the user about the opening, for example that an older index was discarded. */
	notices(): readonly string[];
	/** Replaces each document entirely or not at all. Without vectors of the store's embedder, it is pending. */
	replace(documents: readonly StoredDocument[]): Promise<void>;
	remove(uris: readonly string[]): Promise<void>;
	/**
	 * Frees the space of deleted rows, and speeds up the next opening; searches continue during this. Keeps files
	 * that other processes may still read. Resolves to the milliseconds after which another call would free these
	 * files, or to `undefined` if there are none.
	 */
	optimize(): Promise<number | undefined>;
	/** Deletes everything except readable descriptors. */
	clear(): Promise<void>;
	/** Deletes everything, including descriptors and snapshots. */
	erase(): Promise<void>;
	/** Opens the store that may replace this store, for another embedder. Keeps documents that it already has. */
	successor(embedder: EmbedderId): Promise<Store>;
	/** Folders from which the index was made, as recorded by `noteFolders`. */
	folders(): Promise<readonly Folder[]>;
	noteFolders(folders: readonly Folder[]): Promise<void>;
	/** Replaces this store by its successor in one commit, which every process sees after its next `refresh`. */
	adoptSuccessor(): Promise<void>;
	/** Descriptions of contents by a language model. Returns the same map until a descriptor is added. */
	descriptors(): Promise<Descriptors>;
	/** Does nothing if the content already has a descriptor. */
	describe(hash: string, descriptor: Descriptor): Promise<void>;
	bytesOnDisk(): Promise<number>;
	close(): Promise<void>;
}

/** Keeps the record unparsed, because parsing the records of very many documents would take too long. */
export interface DocumentEntry {
	readonly uri: string;
	readonly passages: number;
	readonly resources: number;
	readonly quads: number;
	/** Changes with every replacement of the document. */
	readonly revision: number;
	readonly isSound: boolean;
	readonly isPending: boolean;
	/** The document's record as JSON; `uri` takes precedence over the URI in this record. */
	readonly json: string;
}

/** Records are parsed on demand, so use the entries to visit all documents. */
export type Documents = ReturnType<typeof createDocuments>;

export function createDocuments(entries: ReadonlyMap<string, DocumentEntry>) {
	return {
		get size() {
			return entries.size;
		},
		has: (uri: string) => entries.has(uri),
		keys: () => entries.keys(),
		/** Returns the same record object while the object is referenced elsewhere. */
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

/** The URIs of entries may differ from the URIs in their records. */
export function documentsOf(entries: Iterable<DocumentEntry>): Documents {
	return createDocuments(new Map(Array.from(entries, (entry) => [entry.uri, entry])));
}

export function entryOf(record: DocumentRecord, revision: number): DocumentEntry {
	const { uri, passages, resources, quads, state, isPending = false } = record;
	const isSound = state.kind === "indexed" && !isFlawed(record);
	return { uri, revision, passages, resources, quads, isSound, isPending, json: JSON.stringify(record) };
}

/** End of nearly every record. No text can look like this end, because quotation marks in texts are escaped. */
const PLAIN_END = /"passages":(\d+),"resources":(\d+),"quads":(\d+),"problems":\[\](,"isPending":true)?\}$/;
const INDEXED = '"state":{"kind":"indexed"}';

/** In most cases, makes the entry without parsing the record. */
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
