import { Worker } from "node:worker_threads";
import { untilAborted } from "../../base/jobs/untilAborted.ts";
import type { FromSparqlThread, SparqlAnswer, ToSparqlThread } from "./sparqlMessages.ts";

export interface SparqlLink {
	/** Rejects when the thread breaks or ends before it answers, or with the signal's reason: then the thread is still at work. */
	ask(message: ToSparqlThread, signal: AbortSignal): Promise<SparqlAnswer>;
	/** Ends the thread, whatever it is doing. */
	close(): Promise<void>;
}

/** Heap of the thread in megabytes, without the memory of WebAssembly: more ends the thread and not the process. */
const MAX_HEAP_MB = 1024;

export function openSparqlLink(threadUrl: URL | string): SparqlLink {
	const worker = new Worker(threadUrl, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
	const waiting: PromiseWithResolvers<SparqlAnswer>[] = [];
	let end: Error | undefined;

	const settle = (settleOne: (answer: PromiseWithResolvers<SparqlAnswer>) => void): void => {
		const answer = waiting.shift();
		if (answer) settleOne(answer);
		if (waiting.length === 0) worker.unref();
	};
	const fail = (reason: Error): void => {
		end ??= reason;
		while (waiting.length > 0) settle(({ reject }) => reject(end));
	};
	worker.on("message", (message: FromSparqlThread) =>
		settle(({ resolve, reject }) =>
			message.kind === "broken" ? reject(new Error(message.reason)) : resolve(message),
		),
	);
	worker.on("error", fail);
	worker.on("exit", () => fail(new Error("The SPARQL thread has ended.")));
	worker.unref();
	return {
		ask: async (message, signal) => {
			signal.throwIfAborted();
			if (end) throw end;
			const answer = Promise.withResolvers<SparqlAnswer>();
			waiting.push(answer);
			worker.ref();
			worker.postMessage(message);
			return untilAborted(answer.promise, signal);
		},
		close: async () => {
			await worker.terminate();
		},
	};
}
