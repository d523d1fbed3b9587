import { type DocumentRecord, isFlawed } from "../../core/knowledge/document.ts";

/**
 * A document as it is kept in memory: reading whole records of very many documents would take longer than everything
 * else.
 */
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
export interface Documents {
	readonly size: number;
	has(uri: string): boolean;
	keys(): Iterable<string>;
	/** The same record as long as somebody holds it. */
	get(uri: string): DocumentRecord | undefined;
	entry(uri: string): DocumentEntry | undefined;
	entries(): Iterable<DocumentEntry>;
	records(): Iterable<DocumentRecord>;
}

export function createDocuments(entries: ReadonlyMap<string, DocumentEntry>): Documents {
	return {
		get size() {
			return entries.size;
		},
		has: (uri) => entries.has(uri),
		keys: () => entries.keys(),
		get: (uri) => {
			const entry = entries.get(uri);
			return entry && recordOf(entry);
		},
		entry: (uri) => entries.get(uri),
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

/** How a record is kept. */
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
	const [, passages, resources, quads, pending] = end;
	return {
		uri,
		revision,
		passages: Number(passages),
		resources: Number(resources),
		quads: Number(quads),
		isSound: true,
		isPending: pending !== undefined,
		json,
	};
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
