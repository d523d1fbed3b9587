import { cpus } from "node:os";
import { setTimeout } from "node:timers/promises";
import { Failure } from "../../base/failure.ts";
import { batchesOf } from "../../base/values.ts";
import { joinVectors, type Model } from "../model.ts";
import type { EmbeddingProcess } from "./embeddingProcess.ts";
import type { ModelForm } from "./modelForm.ts";

/** Passages per request. Few, so that a cancellation loses little work and the processor load is checked often. */
const TEXTS = 32;
const QUESTION_LIMIT_MS = 5_000;
const PASSAGES_LIMIT_MS = 300_000;

export function createTransformerModel(form: ModelForm, process: EmbeddingProcess): Model {
	const inBackground = createBackgroundPace();
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
			for (const some of batchesOf(passages, TEXTS))
				parts.push(await inBackground(() => embed(some, PASSAGES_LIMIT_MS, signal), signal));
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

const WORK_BETWEEN_CHECKS_MS = 10_000;
/** Nothing is embedded during a check, so that all measured load is from other programs. */
const CHECK_MS = 250;
/** Processor load, from 0 to 1. */
const BUSY = 0.6;
const REST_MS = 2_000;
const MAX_TOTAL_REST_MS = 30_000;

const MACHINE = {
	times: readTimes,
	sleep: (ms: number, signal: AbortSignal): Promise<void> => setTimeout(ms, undefined, { signal }),
};

/** Runs long work in steps. Rests between steps, for a limited time, while other programs need the processor. */
export function createBackgroundPace({ times, sleep } = MACHINE) {
	let workedMs = 0;
	return async <Result>(step: () => Promise<Result>, signal: AbortSignal): Promise<Result> => {
		if (workedMs > WORK_BETWEEN_CHECKS_MS) {
			await untilQuiet(signal);
			workedMs = 0;
		}
		const startedMs = performance.now();
		try {
			return await step();
		} finally {
			workedMs += performance.now() - startedMs;
		}
	};

	async function untilQuiet(signal: AbortSignal): Promise<void> {
		const startedMs = performance.now();
		while ((await isBusy(signal)) && performance.now() - startedMs < MAX_TOTAL_REST_MS)
			await sleep(REST_MS, signal);
	}

	async function isBusy(signal: AbortSignal): Promise<boolean> {
		const before = times();
		await sleep(CHECK_MS, signal);
		const after = times();
		return 1 - (after.idle - before.idle) / Math.max(1, after.all - before.all) > BUSY;
	}
}

function readTimes() {
	let [idle, all] = [0, 0];
	for (const { times } of cpus()) {
		idle += times.idle;
		all += Object.values(times).reduce((sum, time) => sum + time, 0);
	}
	return { idle, all };
}
