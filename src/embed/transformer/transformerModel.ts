import { cpus } from "node:os";
import { setTimeout } from "node:timers/promises";
import { Failure } from "../../base/failure.ts";
import { batchesOf } from "../../base/values.ts";
import { joinVectors, type Model } from "../model.ts";
import type { EmbeddingProcess } from "./embeddingProcess.ts";
import type { ModelForm } from "./modelForm.ts";

/** Passages of one request: what is lost if it is broken off, and how often the machine's load is checked. */
const TEXTS = 32;
const QUESTION_LIMIT_MS = 5_000;
/** For one request: far more than a slow machine needs. */
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

	/** A process that has not embedded its passages in time hangs, and the next request starts another one. */
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

/** Work between two looks, and how long one takes: nothing is embedded during it, so that all work seen is that of others. */
const EVERY_MS = 10_000;
const LOOK_MS = 250;
/** Share of all processors above which the machine counts as busy, and how long to pause then, at a time and in total. */
const BUSY = 0.6;
const REST_MS = 2_000;
const LONGEST_REST_MS = 30_000;

const MACHINE = {
	times: readTimes,
	/** Rejects with the signal's reason. */
	sleep: (ms: number, signal: AbortSignal): Promise<void> => setTimeout(ms, undefined, { signal }),
};

/** Does long work in steps, with a rest in between if others need the machine: it goes on slowly then, but it goes on. */
export function createBackgroundPace({ times, sleep } = MACHINE) {
	let workedMs = 0;
	return async <Result>(step: () => Promise<Result>, signal: AbortSignal): Promise<Result> => {
		if (workedMs > EVERY_MS) {
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
		while ((await isBusy(signal)) && performance.now() - startedMs < LONGEST_REST_MS)
			await sleep(REST_MS, signal);
	}

	async function isBusy(signal: AbortSignal): Promise<boolean> {
		const before = times();
		await sleep(LOOK_MS, signal);
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
