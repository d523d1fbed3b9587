/** How the ids of the built-in model, and of what it was before, begin. */
export const BUILT_IN = "static-embedding-";

export interface Embedder extends TextEmbedder {
	/** Names the model and its version: vectors of different ids are never compared. */
	readonly id: string;
	readonly dimensions: number;
	/** Whether a text's vector is the sum of the vectors of its words, regardless of context; true only for the built-in model. */
	readonly isStatic?: boolean;
	/** Languages that the model has learned, by their codes in BCP 47; absent if they are unknown. */
	readonly languages?: ReadonlySet<string> | undefined;
}

/** The vector of each text; empty ones without an embedder. */
export async function vectorsOf(
	texts: readonly string[],
	embedder: Embedder | undefined,
	signal?: AbortSignal,
) {
	const all = texts.length > 0 ? await embedder?.embed(texts, signal) : undefined;
	const { dimensions = 0 } = embedder ?? {};
	return texts.map((_, at) => all?.slice(at * dimensions, (at + 1) * dimensions) ?? new Float32Array());
}

export interface TextEmbedder {
	/** Unit vectors, one after the other: `texts.length * dimensions` numbers. A text without a known word gives zeros. */
	embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array>;
}

export interface WordModel extends TextEmbedder {
	/** The rank of a word among all by how often it is used, from 1; `undefined` for one that the model does not know. */
	rankOf(word: string): number | undefined;
}

/** Which model turns texts into vectors, as the settings `copilot-LD.embedding.*` say. */
export interface EmbeddingSettings {
	readonly provider: "built-in" | "local" | "openai-compatible" | "none";
	/** Absolute path of the model's folder, for "local" only. */
	readonly folder?: string;
	/** Address of the endpoint. This and all that follows is for "openai-compatible" only. */
	readonly endpoint?: string;
	readonly model?: string;
	readonly dimensions?: number;
	readonly batchSize?: number;
	/** What the model wants in front of a question and of a passage. */
	readonly queryPrefix?: string;
	readonly passagePrefix?: string;
}
