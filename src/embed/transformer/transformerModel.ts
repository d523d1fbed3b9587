import { Failure } from "../../base/failure.ts";
import { joinVectors, type Model, type ReadVectors } from "../model.ts";
import { createConsiderate } from "./considerate.ts";
import type { EmbeddingProcess } from "./embeddingProcess.ts";
import type { ModelForm } from "./modelForm.ts";

/** Passages of one request: what is lost if it is broken off, and what lies between two looks at the machine. */
const TEXTS = 32;

const QUESTION_LIMIT_MS = 5_000;

/** A model that runs on this machine, in its own process. */
export function createTransformerModel(form: ModelForm, process: EmbeddingProcess): Model {
	const considerately = createConsiderate();
	return {
		id: form.id,
		languages: form.languages,
		questions: async (texts, signal) => {
			const limit = AbortSignal.timeout(QUESTION_LIMIT_MS);
			try {
				return await process.embed(prefixed(form.queryPrefix, texts), AbortSignal.any([signal, limit]));
			} catch (thrown) {
				if (signal.aborted || thrown !== limit.reason) throw thrown;
				throw new Failure("MODEL_FAILED", `${form.id} did not answer within ${QUESTION_LIMIT_MS / 1000} s.`);
			}
		},
		passages: async (texts, signal) => {
			const all = prefixed(form.passagePrefix, texts);
			const parts: ReadVectors[] = [];
			for (let start = 0; start < all.length; start += TEXTS) {
				const embed = () => process.embed(all.slice(start, start + TEXTS), signal);
				parts.push(await considerately(embed, signal));
			}
			return joinVectors(parts);
		},
	};
}

function prefixed(prefix: string, texts: readonly string[]): readonly string[] {
	return texts.map((text) => prefix + text);
}
