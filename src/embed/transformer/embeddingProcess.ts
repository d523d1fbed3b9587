import { type ChildProcess, fork } from "node:child_process";
import { Failure, messageOf } from "../../base/failure.ts";
import { untilAborted } from "../../base/jobs/untilAborted.ts";
import type { EmbeddingMessage, EmbeddingRequest } from "./embeddingProgram.ts";

/** A process with a model takes some hundred megabytes but starts in less than a second. */
const IDLE_MS = 300_000;

export type EmbeddingProcess = ReturnType<typeof createEmbeddingProcess>;

/** Runs the model in a separate process, which starts at the first request and ends after `idleMs` without one. */
export function createEmbeddingProcess(program: string, folder: string, { idleMs = IDLE_MS } = {}) {
	const pending = new Map<number, PromiseWithResolvers<Float32Array>>();
	let child: ChildProcess | undefined;
	let number = 0;
	let idle: NodeJS.Timeout | undefined;
	return { embed, close: end };

	/** Rejects with a `Failure` if the model cannot be loaded or the process ends, or with the signal's reason. */
	async function embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array> {
		signal.throwIfAborted();
		clearTimeout(idle);
		child ??= start();
		const asked = number++;
		const answer = Promise.withResolvers<Float32Array>();
		pending.set(asked, answer);
		child.send({ number: asked, texts } satisfies EmbeddingRequest);
		try {
			return await untilAborted(answer.promise, signal);
		} finally {
			pending.delete(asked);
			if (pending.size === 0) idle = setTimeout(end, idleMs).unref();
		}
	}

	function start(): ChildProcess {
		const started = forkEmbedding(program, [folder]);
		started.on("message", (message: EmbeddingMessage) => {
			if (child === started) take(message);
		});
		whenEnded(started, (how) => {
			if (child === started) end(how);
		});
		return started;
	}

	function take(message: EmbeddingMessage): void {
		if (message.kind === "embedded") pending.get(message.number)?.resolve(message.vectors);
		if (message.kind !== "failed") return;
		if (message.number === undefined) end(message.reason);
		else pending.get(message.number)?.reject(failureOf(message.reason));
	}

	function end(reason = "it was closed"): void {
		const ended = child;
		child = undefined;
		clearTimeout(idle);
		for (const { reject } of pending.values()) reject(failureOf(reason));
		// Other signals do not end a process that is suspended or busy in native code.
		ended?.kill("SIGKILL");
	}
}

/** A process emits `error` instead of `exit` if it cannot start, or if it is written to after its end. */
function whenEnded(child: ChildProcess, hear: (how: string) => void): void {
	child.once("exit", (code, signal) => hear(`its process ended (${signal ?? code})`));
	child.on("error", (thrown) => hear(messageOf(thrown)));
}

function failureOf(reason: string): Failure {
	return new Failure("MODEL_FAILED", `The local embedding model does not work (${reason}).`);
}

/** Loads the runtime of local models in a process, which may crash. Resolves to the reason if that fails. */
export async function troubleOfRuntime(program: string): Promise<string | undefined> {
	const tried = forkEmbedding(program, []);
	const { promise, resolve } = Promise.withResolvers<string | undefined>();
	const reasonIn = (message: EmbeddingMessage) => (message.kind === "failed" ? message.reason : undefined);
	tried.once("message", (message: EmbeddingMessage) => resolve(reasonIn(message)));
	whenEnded(tried, resolve);
	try {
		return await promise;
	} finally {
		tried.kill();
	}
}

function forkEmbedding(program: string, args: readonly string[]): ChildProcess {
	return fork(program, args, { serialization: "advanced", stdio: ["ignore", "ignore", "inherit", "ipc"] });
}
