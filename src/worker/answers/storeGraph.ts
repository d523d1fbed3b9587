import { freemem } from "node:os";
import { createMutex } from "../../base/jobs/mutex.ts";
import { createPacer } from "../../base/jobs/pacer.ts";
import { endsWithin } from "../../base/jobs/untilAborted.ts";
import { createGraph, type Graph } from "../../graph/facts/graph.ts";
import { createNoteLinks, type NoteLinks } from "../../graph/things/noteLinks.ts";
import { type DocumentEntry, type DocumentReads, recordOf } from "../../store/port/store.ts";
import { createReadAhead } from "../indexing/readAhead.ts";

/** Number of statements that a search can wait for: those of a small folder, and during much writing, those of an edited file. */
const FEW_QUADS = 20_000;
const FEW_QUADS_WHILE_WRITING = 1000;

/** How long the first questions wait for more than that, all together, and for how many statements this can be enough. */
const PATIENCE_MS = 2000;
const MOST_WAITED_FOR = 300_000;

/** What a statement takes here and in the SPARQL thread together, about. */
const BYTES_PER_QUAD = 1000;

/** Documents, and their statements, to read at once. */
const BATCH = 500;
const BATCH_QUADS = 100_000;

export type StoreGraph = ReturnType<typeof createStoreGraph>;

export interface StoreGraphOptions {
	/** Changes when the store returns other statements of the same documents. */
	readonly version?: () => Promise<string>;
	readonly isWriting?: () => boolean;
	/** Whether the index is too large for memory: its questions do not wait for more than little of the graph. */
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
		/** Has these documents read again, although their content may be the same: another reader has read it. */
		invalidate: reading.invalidate,
		/** The graph, in step with the store: also with what another process wrote. The first call reads everything. */
		current,
		/** The graph as the store was last seen, if little must be read for that, or for the first time; else `undefined`. */
		soon,
		/** Brings the graph in step in the background, then calls `whenRead`. */
		catchUp: catchUp.start,
		/** Reads ahead if a question would otherwise have to wait, and memory allows. */
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
		// With very many documents, counting the unread statements takes as long as a search.
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

/** Reads in the background, once at a time, then calls `whenRead`, which nobody waits for. */
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
		/** Waits until the deadline of the first call: what takes longer is not waited for again. */
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

/** What has been read of the store's documents, and how the rest is. */
function createReading(store: DocumentReads, { graph, notes }: ReadGraph, version: () => Promise<string>) {
	/** The documents whose statements are in the graph, as they were then. */
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
			// What was read may have changed aliases: then the links to them are read again.
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
		const batches = [...batchesOf(all)];
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

/** True also if it was only stored again for its vectors. */
function isLoaded(now: DocumentEntry, loaded: Map<string, DocumentEntry>): boolean {
	const before = loaded.get(now.uri);
	if (before === now) return true;
	if (before?.revision !== now.revision && (!before || recordOf(before).hash !== recordOf(now).hash))
		return false;
	loaded.set(now.uri, now);
	return true;
}

/** What is read at once is bounded, but for what a single document says. */
function* batchesOf(entries: readonly DocumentEntry[]): Generator<readonly DocumentEntry[]> {
	let batch: DocumentEntry[] = [];
	let quads = 0;
	for (const entry of entries) {
		if (batch.length === BATCH || (batch.length > 0 && quads + entry.quads > BATCH_QUADS)) {
			yield batch;
			[batch, quads] = [[], 0];
		}
		batch.push(entry);
		quads += entry.quads;
	}
	if (batch.length > 0) yield batch;
}
