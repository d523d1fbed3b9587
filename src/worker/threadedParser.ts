import { Worker } from "node:worker_threads";
import { messageOf } from "../core/failure.ts";
import type { FileAnswer, FileRequest } from "./readDocument.ts";
import type { ThreadMessage, ThreadOptions } from "./threadMessage.ts";

/** Reads documents one after the other: the next call waits for the answer of the one before. */
export interface Parser {
	/** What a file does to the parser is an answer about that file. Rejects only with the signal's reason. */
	parse(request: FileRequest, signal: AbortSignal): Promise<FileAnswer>;
	close(): Promise<void>;
}

export interface ThreadedParserOptions {
	/** Absolute path of the thread's program. */
	readonly program: string;
	readonly thread: ThreadOptions;
	/** How long one file may take. */
	readonly limitMs: number;
	/** How much memory the thread may take. */
	readonly maxHeapMb: number;
}

/** A parser in a thread of its own, which is replaced when a file breaks it or takes too long. */
export function createThreadedParser(options: ThreadedParserOptions): Parser {
	const { program, limitMs, maxHeapMb } = options;
	let thread: Worker | undefined;
	return {
		parse: async (request, signal) => {
			signal.throwIfAborted();
			thread ??= await start();
			try {
				const message = await ask(thread, request, { limitMs, signal });
				if (message.kind === "answer") return message.answer;
				await stop();
				return { kind: "leftOut", state: { kind: "failed", reason: reasonOf(message) } };
			} catch (thrown) {
				await stop();
				throw thrown;
			}
		},
		close: stop,
	};

	async function start(): Promise<Worker> {
		const started = new Worker(program, {
			workerData: options.thread,
			resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
		});
		started.once("exit", () => {
			if (thread === started) thread = undefined;
		});
		await new Promise((resolve, reject) => {
			started.once("message", resolve);
			// Stays: an error that nobody listens to would end the process.
			started.on("error", reject);
		});
		return started;
	}

	async function stop(): Promise<void> {
		const stopped = thread;
		thread = undefined;
		await stopped?.terminate();
	}
}

function reasonOf(message: ThreadMessage): string {
	return message.kind === "broken" ? message.reason : "the parser gave no answer";
}

async function ask(
	thread: Worker,
	request: FileRequest,
	{ limitMs, signal }: { limitMs: number; signal: AbortSignal },
): Promise<ThreadMessage> {
	const { promise, resolve, reject } = Promise.withResolvers<ThreadMessage>();
	const breakOff = (reason: string) => resolve({ kind: "broken", reason });
	const fail = (thrown: unknown) => breakOff(`the parser broke: ${messageOf(thrown)}`);
	const exit = () => breakOff("the parser ended");
	const abort = () => reject(signal.reason);
	const timer = setTimeout(() => breakOff(`took longer than ${limitMs / 1000} s`), limitMs);
	thread.once("message", resolve).once("error", fail).once("exit", exit);
	signal.addEventListener("abort", abort);
	thread.postMessage(request);
	try {
		return await promise;
	} finally {
		clearTimeout(timer);
		thread.off("message", resolve).off("error", fail).off("exit", exit);
		signal.removeEventListener("abort", abort);
	}
}
