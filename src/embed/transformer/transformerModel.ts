import { Failure } from "../../base/failure.ts";
import { batchesOf } from "../../base/values.ts";
import { joinVectors, type Model } from "../model.ts";
import type { EmbeddingProcess } from "./embeddingProcess.ts";
import type { ModelForm } from "./modelForm.ts";

/** Passages per request. Few, so that a cancellation loses little work. */
const TEXTS = 32;
const QUESTION_LIMIT_MS = 5_000;
const PASSAGES_LIMIT_MS = 300_000;

export function createTransformerModel(form: ModelForm, process: EmbeddingProcess): Model {
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
