import type { DocumentRecord, Passage } from "../../core/knowledge/document.ts";
import { type DocumentEntry, recordOf } from "../../store/port/documents.ts";
import type { Store, StoredDocument } from "../../store/port/store.ts";

/** What the store holds of a document, without its vectors. */
export interface Source {
	readonly record: DocumentRecord;
	/** Of the document as it was when it was read. */
	readonly revision: number;
	readonly content: Omit<StoredDocument, "vectors" | "embedder">;
}

/** Documents as they were stored: nothing is parsed again. One that went meanwhile is left out. */
export async function readSources(store: Store, entries: readonly DocumentEntry[]): Promise<Source[]> {
	const statements = await store.statementsOf(entries.map(({ uri }) => uri));
	const sources: Source[] = [];
	for (const entry of entries) {
		const { revision } = entry;
		const record = recordOf(entry);
		const { resources, quads } = statements.get(record.uri) ?? { resources: [], quads: [] };
		const stored = await store.passagesOf(record.uri);
		const passages = stored.map(({ id: _id, uri: _uri, ...passage }) => passage);
		const text = record.parts && (await store.extractedText(record.uri));
		if (revision === store.revisionOf(record.uri))
			sources.push({
				record,
				revision,
				content: { record, passages, resources, quads, ...(text !== undefined && { text }) },
			});
	}
	return sources;
}

export function textsOf(sources: readonly Source[]): string[] {
	return sources.flatMap(({ content }) => content.passages.map(textOf));
}

/** What is embedded of a passage. */
function textOf({ title, text }: Passage): string {
	return `${title}\n${text}`;
}

/** The documents with their vectors, which come one after the other for all passages. */
export function withVectors(
	sources: readonly Source[],
	{ vectors, dimensions, embedder }: { vectors: Float32Array; dimensions: number; embedder: string },
): StoredDocument[] {
	let start = 0;
	return sources.map(({ content }) => {
		const end = start + content.passages.length * dimensions;
		const document = { ...content, vectors: vectors.subarray(start, end), embedder };
		start = end;
		return document;
	});
}

/** The first documents that together have this many passages; at least one. */
export function firstOf(entries: readonly DocumentEntry[], most: number): DocumentEntry[] {
	const first: DocumentEntry[] = [];
	let passages = 0;
	for (const entry of entries) {
		passages += entry.passages;
		if (first.length > 0 && (passages > most || first.length >= most)) break;
		first.push(entry);
	}
	return first;
}
