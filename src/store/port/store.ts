import type { Descriptor } from "../../core/knowledge/descriptor.ts";
import { type DocumentRecord, isFlawed, type Passage, type Resource } from "../../core/knowledge/document.ts";
import type { Folder } from "../../core/knowledge/knowledge.ts";
import type { Quad } from "../../core/knowledge/rdf.ts";
import type { Match, PassageTopic, TextMatches } from "../../search/match.ts";
import type { DocumentTerms } from "../../search/termCounts.ts";

/** `memory` searches a copy of the passages in this process, `lancedb` the stored indexes. */
export type EngineKind = "memory" | "lancedb";

/** By the hash of the content that they describe. */
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
	/** The id of the embedder that made them: the store accepts only vectors of its own embedder. */
	readonly embedder: string | undefined;
	/** The terms of the passages, title and text; computed if omitted. */
	readonly terms?: DocumentTerms;
	/** The extracted text of a file that is no text. */
	readonly text?: string;
}

export interface DocumentContent {
	readonly resources: readonly Resource[];
	readonly quads: readonly Quad[];
}

export interface StoredPassage extends Passage {
	/** Stable: the document's URI and the passage's place in it decide. */
	readonly id: string;
	readonly uri: string;
}

/** What is known of a passage before its text is read. */
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
	/** As if only these documents were indexed: all statistics are of them. The same list as long as the same is seen. */
	readonly among?: readonly string[];
	/** Only passages that contain each, word for word, ignoring case, accents and spaces; of very many, the best. */
	readonly phrases?: readonly string[];
	/** Only passages of resources with one of these classes: an IRI or its last segment, in any case. */
	readonly types?: readonly string[];
}

export interface PassageSearches {
	/** The passages with the most telling words in common with the query. */
	matchText(query: string, options: MatchOptions): Promise<TextMatches>;
	/** The words of a query that no passage has, each with the terms that it may be misspelled for, nearest first. */
	spellings(query: string, among?: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
	/** The passages with the nearest vectors, best first; scores are cosines. */
	matchVector(vector: Float32Array, options: MatchOptions): Promise<Match[]>;
	/** The cosines of passages that were found, by row; one is missing that has no vector, or whose document has been replaced since. */
	cosines(vector: Float32Array, rows: readonly number[]): ReadonlyMap<number, number>;
	/** The unit vector of the mean of these passages, to be compared with others; zeros or empty if they have none. */
	centreOf(rows: readonly number[]): Float32Array;
	/** The median cosine of a sample of all passages: what a passage scores that has nothing to do with the vector. */
	typicalCosine(vector: Float32Array, among?: readonly string[]): Promise<number>;
	/** What is needed to rank these rows: a search finds many more than it reads. Rows are missing as in `read`. */
	headsOf(rows: readonly number[]): Promise<ReadonlyMap<number, PassageHead>>;
	/** The passages of these rows. One is missing whose document has been replaced since, or is just being. */
	read(rows: readonly number[]): Promise<ReadonlyMap<number, StoredPassage>>;
}

/** The place of the subject in the list, by row. */
export type SubjectRows = ReadonlyMap<number, number>;

export interface PassageReads extends PassageSearches {
	/** Why the vectors cannot be searched now: their embedder is unavailable, or there are none. */
	stale(): string | undefined;
	/** The rows of the passages that verbalize one of these, each with the place of its subject in the list. */
	rowsAbout(subjects: readonly PassageSubject[], options: MatchOptions): Promise<SubjectRows>;
	/** The documents that these rows are of; none for a row that is gone. */
	urisOf(rows: readonly number[]): ReadonlyMap<number, string>;
	/** By document, the row of its first passage, if that has one of the classes. */
	firstRows(uris: readonly string[], options: MatchOptions): Promise<ReadonlyMap<string, number>>;
}

export interface DocumentReads {
	/** Another object as soon as anything else is seen to be committed. */
	moment(): object;
	/** The manifest by URI: what this process has committed, and what others had at the last `refresh`. */
	documents(): Documents;
	/** Sees what other processes have committed. A search finds what was seen last. */
	refresh(): Promise<void>;
	passagesOf(uri: string): Promise<StoredPassage[]>;
	passagesAbout(resource: string): Promise<StoredPassage[]>;
	/** Resources whose label is this, in any case. */
	resourcesLabelled(label: string): Promise<{ readonly uri: string; readonly resource: Resource }[]>;
	/** The extracted text of a document whose file is no text; `undefined` for any other. */
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
	/** Reads what searches need, which otherwise the first one waits for. */
	prepare(): Promise<void>;
	/** The embedder that made the vectors; `undefined` if there are none. */
	embedder(): EmbedderId | undefined;
	engine(): EngineKind;
	/** How many passages wait for their vectors, as far as `documents` knows. */
	pending(): number;
	/** What the user should know about the opening: an older index was discarded. */
	notices(): readonly string[];
	/** Changes with every replacement of the document; `undefined` if it is missing. */
	revisionOf(uri: string): number | undefined;
	/** Replaces each wholly or not at all. With vectors of another embedder, it is stored without them, as pending. */
	replace(documents: readonly StoredDocument[]): Promise<void>;
	remove(uris: readonly string[]): Promise<void>;
	/**
	 * Frees the space of deleted rows, and saves work for the next opening; searches go on meanwhile. Keeps what other
	 * processes may still be reading: returns the milliseconds after which another call would free it, or `undefined` if
	 * nothing is left.
	 */
	optimize(): Promise<number | undefined>;
	/** Deletes everything but the descriptors, and what cannot be read. */
	clear(): Promise<void>;
	/** Deletes the descriptors too, and all that makes an opening quick. */
	erase(): Promise<void>;
	/** The store that may take the place of this one, for vectors of another embedder; what is in it already is kept. */
	successor(embedder: EmbedderId): Promise<Store>;
	/** The folders from which the index was made, recorded by the writers. */
	folders(): Promise<readonly Folder[]>;
	noteFolders(folders: readonly Folder[]): Promise<void>;
	/** Puts the successor in the place of this store, in one commit; every process sees it with its next `refresh`. */
	adoptSuccessor(): Promise<void>;
	/** What a language model says of contents; the same map while there are no others. */
	descriptors(): Promise<Descriptors>;
	/** Adds the descriptor of a content that has none. */
	describe(hash: string, descriptor: Descriptor): Promise<void>;
	bytesOnDisk(): Promise<number>;
	close(): Promise<void>;
}

/** A document as it is kept in memory: reading whole records of very many documents would take longer than everything else. */
export interface DocumentEntry {
	readonly uri: string;
	readonly passages: number;
	readonly resources: number;
	readonly quads: number;
	/** Another number after every replacement. */
	readonly revision: number;
	/** Whether it is indexed without problems. */
	readonly isSound: boolean;
	readonly isPending: boolean;
	/** Its record, but for the URI, which may be another here. */
	readonly json: string;
}

/** Documents by URI. Their records are read when they are asked for: a walk over all does with the entries. */
export type Documents = ReturnType<typeof createDocuments>;

export function createDocuments(entries: ReadonlyMap<string, DocumentEntry>) {
	return {
		get size() {
			return entries.size;
		},
		has: (uri: string) => entries.has(uri),
		keys: () => entries.keys(),
		/** The same record as long as somebody holds it. */
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

/** Some of the documents, or all as others: each entry by the URI that it has now. */
export function documentsOf(entries: Iterable<DocumentEntry>): Documents {
	return createDocuments(new Map(Array.from(entries, (entry) => [entry.uri, entry])));
}

export function entryOf(record: DocumentRecord, revision: number): DocumentEntry {
	const { uri, passages, resources, quads, state, isPending = false } = record;
	const isSound = state.kind === "indexed" && !isFlawed(record);
	return { uri, revision, passages, resources, quads, isSound, isPending, json: JSON.stringify(record) };
}

/** How nearly every record ends. What a text says cannot be taken for it: in a text, quotation marks are escaped. */
const PLAIN_END = /"passages":(\d+),"resources":(\d+),"quads":(\d+),"problems":\[\](,"isPending":true)?\}$/;
const INDEXED = '"state":{"kind":"indexed"}';

/** The same of what was kept, without reading all of it. */
export function readEntry(uri: string, revision: number, json: string): DocumentEntry {
	const end = json.includes(INDEXED) ? PLAIN_END.exec(json) : null;
	if (!end) return { ...entryOf(JSON.parse(json), revision), uri, json };
	const [passages = 0, resources = 0, quads = 0] = end.slice(1, 4).map(Number);
	return { uri, revision, passages, resources, quads, isSound: true, isPending: end[4] !== undefined, json };
}

/** Records that somebody may hold. */
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
