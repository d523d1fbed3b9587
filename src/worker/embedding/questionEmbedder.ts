import { Failure } from "../../base/failure.ts";
import { measured } from "../../base/traces/recorder.ts";
import type { Embedder } from "../../core/knowledge/embedder.ts";
import type { Store } from "../../store/port/store.ts";
import type { Models } from "./models.ts";

/**
 * Embeds questions with the model that made the vectors in use, whichever that is now. Returns zeros, which find
 * nothing, if there is no vector: the question is then answered by its words.
 */
export function createQuestionEmbedder(store: Store, models: Models) {
	let trouble: readonly [string] | undefined;
	return {
		get id() {
			return store.embedder()?.id ?? "none";
		},
		get dimensions() {
			return store.embedder()?.dimensions ?? 0;
		},
		get isStatic() {
			return models.isBuiltIn(store.embedder()?.id);
		},
		get languages() {
			return models.find(store.embedder()?.id ?? "")?.languages;
		},
		/** Why the last question has no vector: it was answered by its words only. */
		get trouble() {
			return trouble;
		},
		embed: async (texts, signal = new AbortController().signal) => {
			const made = store.embedder();
			const model = made && models.find(made.id);
			if (!model) return new Float32Array(texts.length * (made?.dimensions ?? 0));
			try {
				const asking = () => model.questions(texts, signal);
				const { dimensions, vectors } = await measured("embed the query", asking);
				requireSame(dimensions, made.dimensions, model.id);
				trouble = undefined;
				return vectors;
			} catch (thrown) {
				if (!(thrown instanceof Failure)) throw thrown;
				trouble = [`Only full text was searched. ${thrown.message}`];
				return new Float32Array(texts.length * made.dimensions);
			}
		},
	} satisfies Embedder & { readonly trouble: unknown };
}

/** The endpoint may now have another model with the same name. */
export function requireSame(given: number, made: number, id: string): void {
	if (given === made) return;
	throw new Failure(
		"ENDPOINT_FAILED",
		`${id} returns vectors of ${given} numbers, but those in the index have ${made}: the model has changed. Run "Copilot-LD: Rebuild Index".`,
	);
}
