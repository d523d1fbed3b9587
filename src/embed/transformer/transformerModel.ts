import { Failure } from "../../base/failure.ts";
import { joinVectors, type Model, type ReadVectors } from "../model.ts";
import { createBackgroundPace } from "./backgroundPace.ts";
import type { EmbeddingProcess } from "./embeddingProcess.ts";
import type { ModelForm } from "./modelForm.ts";

/** Passages of one request: what is lost if it is broken off, and how often the machine's load is checked. */
const TEXTS = 32;

const QUESTION_LIMIT_MS = 5_000;

/** For one request: far more than a slow machine needs. */
const PASSAGES_LIMIT_MS = 300_000;

/** A model that runs on this machine, in its own process. */
export function createTransformerModel(form: ModelForm, process: EmbeddingProcess): Model {
	const inBackground = createBackgroundPace();
	return {
		id: form.id,
		languages: form.languages,
		questions: (texts, signal) => embed(prefixed(form.queryPrefix, texts), QUESTION_LIMIT_MS, signal),
		passages: async (texts, signal) => {
			const all = prefixed(form.passagePrefix, texts);
			const parts: ReadVectors[] = [];
			for (let start = 0; start < all.length; start += TEXTS) {
				const some = all.slice(start, start + TEXTS);
				parts.push(await inBackground(() => embed(some, PASSAGES_LIMIT_MS, signal), signal));
			}
			return joinVectors(parts);
		},
	};

	/** A process that has not embedded its passages in time hangs, and the next request starts another one. */
	async function embed(texts: readonly string[], limitMs: number, signal: AbortSignal): Promise<ReadVectors> {
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

function prefixed(prefix: string, texts: readonly string[]): readonly string[] {
	return texts.map((text) => prefix + text);
}
