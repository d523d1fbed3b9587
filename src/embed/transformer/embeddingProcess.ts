import { type ChildProcess, fork } from "node:child_process";
import { Failure, messageOf } from "../../base/failure.ts";
import { untilAborted } from "../../base/jobs/untilAborted.ts";
import { batchesOf } from "../../base/values.ts";
import { joinVectors, type Model } from "../model.ts";
import type { EmbeddingMessage, EmbeddingRequest } from "./embeddingProgram.ts";
import type { ModelForm } from "./modelForm.ts";

/** Passages per request. Few, so that a cancellation loses little work. */
const TEXTS = 32;
const QUESTION_LIMIT_MS = 5_000;
const PASSAGES_LIMIT_MS = 300_000;

export function createTransformerModel(
	form: ModelForm,
	process: ReturnType<typeof createEmbeddingProcess>,
): Model {
	return {
		id: form.id,
		languages: form.languages,
		questions: (texts, signal) => {
			const questions = texts.map((text) => form.queryPrefix + text);
			return embed(questions, QUESTION_LIMIT_MS, signal);
		},
		passages: async (texts, signal) => {
			const passages = texts.map((text) => form.passagePrefix + text);
			const parts: Float32Array[] = [];
			for (const some of batchesOf(passages, TEXTS)) parts.push(await embed(some, PASSAGES_LIMIT_MS, signal));
			return joinVectors(parts);
		},
	};

	/** Ends the process, which hangs, if passages exceed the limit. The next request starts a new process. */
	async function embed(texts: readonly string[], limitMs: number, signal: AbortSignal) {
		const limit = AbortSignal.timeout(limitMs);
		try {
			return await process.embed(texts, AbortSignal.any([signal, limit]));
		} catch (thrown) {
			if (signal.aborted || thrown !== limit.reason) throw thrown;
			if (limitMs === PASSAGES_LIMIT_MS) process.close();
			throw new Failure("MODEL_FAILED", `${form.id} did not answer within ${limitMs / 1000} s.`);
		}
	}
}

/** A process with a model takes some hundred megabytes but starts in less than a second. */
const IDLE_MS = 300_000;

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
