import { Worker } from "node:worker_threads";
import { Failure, messageOf } from "../../base/failure.ts";
import { createMutex } from "../../base/jobs/mutex.ts";
import { untilAborted } from "../../base/jobs/untilAborted.ts";
import type { GraphAnswer } from "../../core/knowledge/graph.ts";
import type { Graph } from "../facts/graph.ts";
import { type DocumentText, readSparqlRequest, writeDocument } from "./sparqlRequest.ts";
import type { FromSparqlThread, QueryMessage, SparqlAnswer, SyncMessage } from "./sparqlStore.ts";

export interface SparqlOptions {
	/** Time limit of the query, without the time for loading the graph. */
	readonly timeLimitMs?: number;
	readonly rowLimit?: number;
	/** Whether to check the syntax only, without reading data. */
	readonly isCheck?: boolean;
}

export type Sparql = ReturnType<typeof createSparql>;

const TIME_LIMIT_MS = 10_000;
const ROW_LIMIT = 1000;

/** A few thousand statements per message: such batches load fastest and leave the event loop free. */
const CHARACTERS_PER_MESSAGE = 500_000;

/** Measured: deleting a statement takes as long as loading 15 statements. */
const LOADS_PER_DELETE = 15;

/** The thread (`sparqlThread.ts`) starts with the first query, and ends if a query hangs, crashes or is canceled. */
export function createSparql({ graph, threadUrl }: { graph: Graph; threadUrl: URL | string }) {
	const engine = createSparqlEngine(graph, threadUrl);
	const queries = createMutex();

	/** Closes the thread after any rejection, because the thread may be dead, busy or out of date. */
	const withThread = async <Result>(signal: AbortSignal, use: (link: SparqlLink) => Result) => {
		try {
			return await use(await engine.open(signal));
		} catch (thrown) {
			await engine.close();
			throw thrown;
		}
	};
	const run = async (question: QueryMessage, timeLimitMs: number, signal: AbortSignal) => {
		signal.throwIfAborted();
		const asked = withThread(signal, (link) => askInTime(link, question, timeLimitMs, signal));
		const answer = await asked.catch((cause) => {
			if (cause instanceof Failure || signal.aborted) throw cause;
			const message = `The query engine crashed and was restarted (${messageOf(cause)}). Simplify the query, and ask again.`;
			throw new Failure("BAD_INPUT", message, { cause });
		});
		if (answer.kind === "answer") return answer.result;
		throw new Failure("BAD_INPUT", `The query was refused: ${reasonOf(answer)}. Correct it, and ask again.`);
	};
	return {
		/** Rejects with a `Failure` if the query is invalid, not read-only, or too slow. */
		query: async (text: string, options: SparqlOptions, signal: AbortSignal): Promise<GraphAnswer> => {
			const { timeLimitMs = TIME_LIMIT_MS, rowLimit = ROW_LIMIT, isCheck = false } = options;
			const question = { kind: "query", request: readSparqlRequest(text), rowLimit, isCheck } as const;
			return await queries.run(() => run(question, timeLimitMs, signal));
		},
		/** Starts the thread and loads the graph, so that the next query need not wait. */
		load: (signal: AbortSignal): Promise<void> => queries.run(() => withThread(signal, () => undefined)),
		close: engine.close,
	};
}

/** Omits Oxigraph's long list of expected characters; the position is more useful. */
function reasonOf(answer: SparqlAnswer): string {
	if (answer.kind !== "refused") return "no answer";
	return answer.reason.includes("['") ? answer.reason.replace(/: expected[\s\S]*/, "") : answer.reason;
}

async function askInTime(link: SparqlLink, question: QueryMessage, timeLimitMs: number, signal: AbortSignal) {
	const limit = AbortSignal.timeout(timeLimitMs);
	try {
		return await link.ask(question, AbortSignal.any([signal, limit]));
	} catch (thrown) {
		if (signal.aborted || !limit.aborted) throw thrown;
		const message = `The query was stopped after its time limit of ${timeLimitMs} ms. Make it more selective, for example by naming a class.`;
		throw new Failure("BAD_INPUT", message, { cause: thrown });
	}
}

function createSparqlEngine(graph: Graph, threadUrl: URL | string) {
	let running: SparqlLink | undefined;
	let sync: ReturnType<typeof createSparqlSync> | undefined;

	const close = async (): Promise<void> => {
		const link = running;
		running = undefined;
		await link?.close();
	};
	return {
		/** Returns the thread after updating it to the current graph. Starts a new thread if the update fails. */
		open: async (signal: AbortSignal) => {
			try {
				if (running && sync && !sync.isReloadCheaper()) {
					await sync.run(signal);
					return running;
				}
			} catch {
				// The thread has died or cannot apply the change. A new thread will load all documents.
				signal.throwIfAborted();
			}
			await close();
			const link = openSparqlLink(threadUrl);
			[running, sync] = [link, createSparqlSync(graph, link)];
			await sync.run(signal);
			return link;
		},
		close,
	};
}

function createSparqlSync(graph: Graph, link: SparqlLink) {
	const loaded = new Map<string, { readonly version: number; readonly characters: number }>();
	let seenVersion = -1;

	const write = (uri: string): DocumentText => {
		const text = writeDocument(uri, graph.match({ document: uri }));
		loaded.set(uri, { version: graph.documents().get(uri) ?? 0, characters: lengthOf(text) });
		return text;
	};
	return {
		/** Whether a new thread would be ready sooner than applying the changes. */
		isReloadCheaper: () => {
			let [all, stale] = [0, 0];
			for (const [uri, { version, characters }] of loaded) {
				all += characters;
				if (graph.documents().get(uri) !== version) stale += characters;
			}
			return stale * LOADS_PER_DELETE > all + CHARACTERS_PER_MESSAGE;
		},
		run: async (signal: AbortSignal) => {
			if (seenVersion === graph.version) return;
			seenVersion = graph.version;
			const removed = [...loaded.keys()].filter((uri) => !graph.documents().has(uri));
			for (const uri of removed) loaded.delete(uri);
			const isChanged = ([uri, version]: [string, number]) => loaded.get(uri)?.version !== version;
			const changed = [...graph.documents()].filter(isChanged).map(([uri]) => uri);
			let sent = link.ask({ kind: "sync", removed, replaced: [] }, signal);
			for (const batch of batchesOf(changed, write)) {
				await sent;
				sent = link.ask({ kind: "sync", removed: [], replaced: batch }, signal);
			}
			await sent;
		},
	};
}

/** Groups documents into messages. A document deleted meanwhile is written empty, and removed by the next run. */
function* batchesOf(uris: readonly string[], write: (uri: string) => DocumentText) {
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

type SparqlLink = ReturnType<typeof openSparqlLink>;

/** Maximum heap of the thread in megabytes, without WebAssembly memory. A larger heap ends only the thread. */
const MAX_HEAP_MB = 1024;

function openSparqlLink(threadUrl: URL | string) {
	const worker = new Worker(threadUrl, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
	let asked: PromiseWithResolvers<SparqlAnswer> | undefined;
	let end: Error | undefined;

	const fail = (reason: Error): void => {
		end ??= reason;
		asked?.reject(end);
	};
	worker.on("message", (message: FromSparqlThread) => {
		if (message.kind === "broken") fail(new Error(message.reason));
		else asked?.resolve(message);
	});
	worker.on("error", fail);
	worker.on("exit", () => fail(new Error("The SPARQL thread has ended.")));
	worker.unref();
	return {
		/** Asks one question at a time. If it rejects with the signal's reason, the thread is still busy. */
		ask: async (message: SyncMessage | QueryMessage, signal: AbortSignal) => {
			signal.throwIfAborted();
			if (end) throw end;
			asked = Promise.withResolvers();
			worker.ref();
			worker.postMessage(message);
			return untilAborted(asked.promise, signal).finally(() => worker.unref());
		},
		close: async () => {
			await worker.terminate();
		},
	};
}
