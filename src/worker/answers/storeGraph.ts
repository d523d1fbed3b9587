import { freemem } from "node:os";
import { createMutex } from "../../base/jobs/mutex.ts";
import { createPacer } from "../../base/jobs/pacer.ts";
import { endsWithin } from "../../base/jobs/untilAborted.ts";
import { runsOf } from "../../base/values.ts";
import { createGraph, type Graph } from "../../graph/facts/graph.ts";
import { createNoteLinks, type NoteLinks } from "../../graph/things/noteLinks.ts";
import { type DocumentEntry, type DocumentReads, recordOf } from "../../store/port/store.ts";
import { createReadAhead } from "../indexing/readAhead.ts";

/** Maximum number of unread statements that a search waits for; lower during an indexing run. */
const FEW_QUADS = 20_000;
const FEW_QUADS_WHILE_WRITING = 1000;

/** Total time that the first questions wait for a larger graph. */
const PATIENCE_MS = 2000;
const MOST_WAITED_FOR = 300_000;

/** Approximate memory of a statement in this process and the SPARQL thread together. */
const BYTES_PER_QUAD = 1000;

/** Maximum number of documents, and of their statements, to read at once. */
const BATCH = 500;
const BATCH_QUADS = 100_000;

export type StoreGraph = ReturnType<typeof createStoreGraph>;

export interface StoreGraphOptions {
	/** The version changes if the store returns different statements for the same documents. */
	readonly version?: () => Promise<string>;
	readonly isWriting?: () => boolean;
	/** Whether the index is too large for memory. If so, questions wait for a few statements only. */
	readonly isLarge?: () => boolean;
	readonly patienceMs?: number;
}

export function createStoreGraph(store: DocumentReads, options: StoreGraphOptions = {}) {
	const { version = async () => "", isWriting = () => false, patienceMs = PATIENCE_MS } = options;
	const { isLarge = () => false } = options;
	const graph = createGraph();
	const notes = createNoteLinks();
	const reading = createReading(store, { graph, notes }, version);
	const closing = new AbortController();
	const steps = createMutex();
	const catchUp = createCatchUp(() => current(closing.signal), patienceMs);
	let wasRead = false;
	return {
		graph,
		notes,
		/** Marks unchanged documents to be read again, because newer readers may find other statements. */
		invalidate: reading.invalidate,
		/** Returns the graph after reading all changes of the store. The first call reads the whole store. */
		current,
		/** Returns `undefined` if the graph cannot be read soon. The first calls wait longer. */
		soon,
		catchUp: catchUp.start,
		readAhead: (whenRead: () => Promise<void>) => {
			const unread = reading.unreadQuads();
			if (unread > FEW_QUADS && unread * BYTES_PER_QUAD < freemem() / 2) catchUp.start(whenRead);
		},
		close: async () => {
			closing.abort();
			await steps.idle();
		},
	};

	async function soon(signal: AbortSignal): Promise<Graph | undefined> {
		if (reading.isInStep()) return graph;
		// Called only when needed: with very many documents, counting takes as long as a search.
		const isLittle = () => reading.unreadQuads() <= (isWriting() ? FEW_QUADS_WHILE_WRITING : FEW_QUADS);
		if (!catchUp.isReading() && isLittle()) return current(signal);
		return (await isReadInTime(signal)) && isLittle() ? current(signal) : undefined;
	}

	async function isReadInTime(signal: AbortSignal): Promise<boolean> {
		if (isLarge()) return false;
		if (!catchUp.isReading()) {
			if (wasRead || reading.unreadQuads() > MOST_WAITED_FOR) return false;
			catchUp.start(async () => undefined);
		}
		return catchUp.endsInTime(signal);
	}

	async function current(signal: AbortSignal): Promise<Graph> {
		await steps.run(() => reading.bringInStep(signal));
		wasRead = true;
		return graph;
	}
}

/** Runs at most one read at a time in the background, then calls `whenRead` without waiting for it. */
function createCatchUp(read: () => Promise<unknown>, patienceMs: number) {
	let reading: Promise<unknown> | undefined;
	let deadline: number | undefined;
	return {
		isReading: () => reading !== undefined,
		start: (whenRead: () => Promise<void>) => {
			reading ??= read()
				.catch(() => undefined)
				.finally(() => {
					reading = undefined;
				});
			reading.then(whenRead).catch(() => undefined);
		},
		/** Waits at most until the deadline, which the first call sets for all later calls. */
		endsInTime: async (signal: AbortSignal): Promise<boolean> => {
			deadline ??= performance.now() + patienceMs;
			const left = deadline - performance.now();
			return left > 0 && endsWithin(reading ?? Promise.resolve(), left, signal);
		},
	};
}

interface ReadGraph {
	readonly graph: Graph;
	readonly notes: NoteLinks;
}

function createReading(store: DocumentReads, { graph, notes }: ReadGraph, version: () => Promise<string>) {
	const loaded = new Map<string, DocumentEntry>();
	const load = createLoad(store, { graph, notes }, loaded);
	const invalid = new Set<string>();
	let seen = "";
	let last: { readonly commit: object; readonly documents: object } | undefined;
	const isNow = () => last?.commit === store.moment() && last.documents === store.documents();
	return {
		unreadQuads: () => changedDocuments().reduce((sum, { quads }) => sum + quads, 0),
		isInStep: () => invalid.size === 0 && isNow(),
		invalidate: (uris: readonly string[]) => {
			for (const uri of uris) invalid.add(uri);
		},
		bringInStep: async (signal: AbortSignal) => {
			await store.refresh();
			await forgetInvalid();
			const now = { commit: store.moment(), documents: store.documents() };
			for (const uri of graph.documents().keys()) if (!now.documents.entry(uri)?.quads) forget(uri);
			if (!isNow()) notes.update(now.documents);
			await load(changedDocuments(), signal);
			// Documents that link to a changed alias must be read again.
			const stale = [...notes.takeStale()].flatMap((uri) => now.documents.entry(uri) ?? []);
			await load(stale, signal);
			last = now;
		},
	};

	function changedDocuments(): DocumentEntry[] {
		for (const uri of notes.takeStale()) loaded.delete(uri);
		const stating = [...store.documents().entries()].filter(({ quads }) => quads > 0);
		const changed = stating.filter((entry) => !isLoaded(entry, loaded));
		return changed.sort((a, b) => (a.uri < b.uri ? -1 : 1));
	}

	async function forgetInvalid(): Promise<void> {
		const now = await version();
		if (now !== seen) for (const uri of [...loaded.keys()]) forget(uri);
		seen = now;
		for (const uri of invalid) loaded.delete(uri);
		invalid.clear();
	}

	function forget(uri: string): void {
		graph.remove(uri);
		loaded.delete(uri);
	}
}

function createLoad(store: DocumentReads, { graph, notes }: ReadGraph, loaded: Map<string, DocumentEntry>) {
	const pacer = createPacer();
	const read = (entries: readonly DocumentEntry[]) => store.statementsOf(entries.map(({ uri }) => uri));
	return async (all: readonly DocumentEntry[], signal: AbortSignal): Promise<void> => {
		const batches = batchesOf(all);
		const ahead = createReadAhead(batches, read, { most: 2, weightOf: () => 1, room: 2 });
		for (const _ of batches) {
			signal.throwIfAborted();
			const { item: entries, result: statements } = await ahead.next();
			for (const entry of entries) {
				if (pacer.isDue) await pacer.rest();
				graph.replace(entry.uri, notes.resolve(entry.uri, statements.get(entry.uri)?.quads ?? []));
				loaded.set(entry.uri, entry);
			}
		}
	};
}

/** A document that was stored again only with new vectors counts as loaded. */
function isLoaded(now: DocumentEntry, loaded: Map<string, DocumentEntry>): boolean {
	const before = loaded.get(now.uri);
	if (before === now) return true;
	if (before?.revision !== now.revision && (!before || recordOf(before).hash !== recordOf(now).hash))
		return false;
	loaded.set(now.uri, now);
	return true;
}

function batchesOf(entries: readonly DocumentEntry[]): DocumentEntry[][] {
	let room = 0;
	return runsOf(entries, (batch, { quads }) => {
		if (batch.length === 1) room = BATCH_QUADS - (batch[0]?.quads ?? 0);
		room -= quads;
		return batch.length < BATCH && room >= 0;
	});
}
