import type { Graph } from "../facts/graph.ts";
import { openSparqlLink, type SparqlLink } from "./sparqlLink.ts";
import type { SyncMessage } from "./sparqlMessages.ts";
import { type DocumentText, writeDocument } from "./statementText.ts";

/** At most one SPARQL thread, that has the graph whenever it is asked for. */
export interface SparqlEngine {
	/** The thread, in step with the graph. One that cannot be brought in step is replaced, once. */
	open(signal: AbortSignal): Promise<SparqlLink>;
	/** Ends the thread, whatever it is doing; `open` starts another. */
	close(): Promise<void>;
}

/** Keeps the statements of one SPARQL thread in step with the graph. */
interface SparqlSync {
	/** Whether so much has changed that a new thread has the graph sooner. */
	isReloadCheaper(): boolean;
	/** Sends what has changed since the last time. Rejects when the thread ends or breaks. */
	run(signal: AbortSignal): Promise<void>;
}

/** Some thousand statements: as many as Oxigraph loads best, and few enough to leave the event loop free. */
const CHARACTERS_PER_MESSAGE = 500_000;

/** Measured: deleting a statement takes as long as loading this many. */
const LOADS_PER_DELETE = 15;

interface LoadedDocument {
	readonly version: number;
	readonly characters: number;
}

export function createSparqlEngine(graph: Graph, threadUrl: URL | string): SparqlEngine {
	let running: { readonly link: SparqlLink; readonly sync: SparqlSync } | undefined;

	const close = async (): Promise<void> => {
		const link = running?.link;
		running = undefined;
		await link?.close();
	};
	const isInStep = async (sync: SparqlSync, signal: AbortSignal): Promise<boolean> => {
		if (sync.isReloadCheaper()) return false;
		try {
			await sync.run(signal);
			return true;
		} catch {
			// The thread has died, or cannot take the change: a new one takes it all.
			signal.throwIfAborted();
			return false;
		}
	};
	return {
		open: async (signal) => {
			if (running && (await isInStep(running.sync, signal))) return running.link;
			await close();
			const link = openSparqlLink(threadUrl);
			const sync = createSparqlSync(graph, link);
			running = { link, sync };
			await sync.run(signal);
			return link;
		},
		close,
	};
}

function createSparqlSync(graph: Graph, link: SparqlLink): SparqlSync {
	const loaded = new Map<string, LoadedDocument>();
	let seenVersion = -1;

	const send = async (message: Omit<SyncMessage, "kind">, signal: AbortSignal): Promise<void> => {
		await link.ask({ kind: "sync", ...message }, signal);
	};
	const write = (uri: string): DocumentText => {
		const text = writeDocument(uri, graph.match({ document: uri }));
		loaded.set(uri, { version: graph.documents().get(uri) ?? 0, characters: lengthOf(text) });
		return text;
	};
	return {
		isReloadCheaper: () => {
			const stale = [...loaded].filter(([uri, { version }]) => graph.documents().get(uri) !== version);
			const deletes = sumOfCharacters(stale.map(([, document]) => document));
			return deletes * LOADS_PER_DELETE > sumOfCharacters(loaded.values()) + CHARACTERS_PER_MESSAGE;
		},
		run: async (signal) => {
			if (seenVersion === graph.version) return;
			seenVersion = graph.version;
			const removed = [...loaded.keys()].filter((uri) => !graph.documents().has(uri));
			for (const uri of removed) loaded.delete(uri);
			const changed = [...graph.documents()].filter(([uri, version]) => loaded.get(uri)?.version !== version);
			let sent = send({ removed, replaced: [] }, signal);
			for (const batch of batchesOf(
				changed.map(([uri]) => uri),
				write,
			)) {
				await sent;
				sent = send({ removed: [], replaced: batch }, signal);
			}
			await sent;
		},
	};
}

/** Documents in messages of a good size. A document that has gone meanwhile is written empty; the next run removes it. */
function* batchesOf(
	uris: readonly string[],
	write: (uri: string) => DocumentText,
): Generator<DocumentText[]> {
	let batch: DocumentText[] = [];
	let characters = 0;
	for (const uri of uris) {
		const text = write(uri);
		batch.push(text);
		characters += lengthOf(text);
		if (characters < CHARACTERS_PER_MESSAGE) continue;
		yield batch;
		batch = [];
		characters = 0;
	}
	if (batch.length > 0) yield batch;
}

function lengthOf({ ground, blank }: DocumentText): number {
	return ground.length + blank.length;
}

function sumOfCharacters(documents: Iterable<LoadedDocument>): number {
	let sum = 0;
	for (const { characters } of documents) sum += characters;
	return sum;
}
