import { isDeepStrictEqual } from "node:util";
import type { DocumentRecord } from "../../core/knowledge/document.ts";
import type { Model } from "../../embed/model.ts";
import { type DocumentEntry, recordOf, type Store, type StoredDocument } from "../../store/port/store.ts";
import { requireSame } from "./questionEmbedder.ts";

/** Passages embedded for one commit; a crash costs at most this many. */
const PASSAGES = 256;

export interface EmbeddingParts {
	readonly store: Store;
	readonly model: Model;
	/** Runs when no indexing is at work, if need be between two of its files, and while this process may write. */
	readonly write: (work: () => Promise<void>) => Promise<void>;
	/** Hears how many passages still have to be embedded. */
	readonly report: (left: number) => void;
}

/** Gives their vectors to the documents that wait for them. One that is replaced meanwhile stays as it is now. */
export async function fillPending(parts: EmbeddingParts, signal: AbortSignal): Promise<void> {
	const { store, write, report } = parts;
	for (let pending = pendingIn(store); pending.length > 0; pending = pendingIn(store)) {
		report(countPassages(pending));
		const sources = await readSources(store, firstOf(pending, PASSAGES));
		const documents = await embedded(sources, parts, store.embedder()?.dimensions ?? 0, signal);
		await write(async () => {
			signal.throwIfAborted();
			await store.replace(documents.filter((_, index) => isAsRead(sources[index], store)));
		});
	}
}

/** Fills the successor of the store with the same documents and the model's vectors, and puts it in the store's place. */
export async function succeed(parts: EmbeddingParts, signal: AbortSignal): Promise<void> {
	const { store, model, write } = parts;
	const { dimensions } = await model.passages(["What are the vectors' dimensions?"], signal);
	const next = await store.successor({ id: model.id, dimensions });
	const copied = new Map<string, number>();
	for (const record of store.documents().records())
		if (isCopy(next.documents().get(record.uri), record)) note(record);
	try {
		for (let isDone = false; !isDone; ) {
			await catchUp();
			await next.optimize();
			await write(async () => {
				signal.throwIfAborted();
				isDone = missing().length === 0 && superfluous().length === 0;
				if (isDone) await store.adoptSuccessor();
			});
		}
	} finally {
		await next.close();
	}

	async function catchUp(): Promise<void> {
		for (let left = missing(); left.length > 0; left = missing()) {
			parts.report(countPassages(left));
			const sources = await readSources(store, firstOf(left, PASSAGES));
			await next.replace(await embedded(sources, parts, dimensions, signal));
			for (const { document, revision } of sources) copied.set(document.record.uri, revision);
		}
		await next.remove(superfluous());
	}

	function missing(): DocumentEntry[] {
		return [...store.documents().entries()].filter(({ uri, revision }) => copied.get(uri) !== revision);
	}

	function superfluous(): string[] {
		return [...next.documents().keys()].filter((uri) => !store.documents().has(uri));
	}

	function note({ uri }: DocumentRecord): void {
		const revision = store.revisionOf(uri);
		if (revision !== undefined) copied.set(uri, revision);
	}
}

async function embedded(
	sources: readonly Source[],
	{ model }: EmbeddingParts,
	wanted: number,
	signal: AbortSignal,
): Promise<StoredDocument[]> {
	const passages = sources.flatMap(({ document }) => document.passages);
	const texts = passages.map(({ title, text }) => `${title}\n${text}`);
	const { vectors, dimensions } = await model.passages(texts, signal);
	if (vectors.length > 0) requireSame(dimensions, wanted, model.id);
	let end = 0;
	return sources.map(({ document }) => {
		const start = end;
		end += document.passages.length * dimensions;
		return { ...document, vectors: vectors.subarray(start, end), embedder: model.id };
	});
}

function pendingIn(store: Store): DocumentEntry[] {
	return [...store.documents().entries()].filter(({ isPending }) => isPending);
}

export function countPassages(records: readonly DocumentEntry[]): number {
	return records.reduce((sum, { passages }) => sum + passages, 0);
}

/** Whether an earlier attempt has copied the document, judged by its record. */
function isCopy(
	copy: DocumentRecord | undefined,
	{ isPending: _pending, ...record }: DocumentRecord,
): boolean {
	return copy !== undefined && isDeepStrictEqual(copy, record);
}

/** A document without its vectors, and its revision when it was read. */
interface Source {
	readonly document: StoredDocument;
	readonly revision: number;
}

function isAsRead(source: Source | undefined, store: Store): boolean {
	return source !== undefined && store.revisionOf(source.document.record.uri) === source.revision;
}

/** Documents as they were stored, without parsing them again. Skips those that have been removed meanwhile. */
async function readSources(store: Store, entries: readonly DocumentEntry[]): Promise<Source[]> {
	const statements = await store.statementsOf(entries.map(({ uri }) => uri));
	const sources: Source[] = [];
	for (const entry of entries) {
		const record = recordOf(entry);
		const { resources, quads } = statements.get(record.uri) ?? { resources: [], quads: [] };
		const stored = await store.passagesOf(record.uri);
		const passages = stored.map(({ id: _id, uri: _uri, ...passage }) => passage);
		const text = record.parts && (await store.extractedText(record.uri));
		const content = { record, passages, resources, quads, ...(text !== undefined && { text }) };
		const document = { ...content, vectors: new Float32Array(), embedder: undefined };
		sources.push({ document, revision: entry.revision });
	}
	return sources.filter((source) => isAsRead(source, store));
}

/** The first documents that together have this many passages; at least one. */
function firstOf(entries: readonly DocumentEntry[], most: number): DocumentEntry[] {
	const first: DocumentEntry[] = [];
	let passages = 0;
	for (const entry of entries) {
		passages += entry.passages;
		if (first.length > 0 && (passages > most || first.length >= most)) break;
		first.push(entry);
	}
	return first;
}
