/** Prefix of the ids of the built-in embedding model and its predecessors. */
export const BUILT_IN = "static-embedding-";

export interface Embedder extends TextEmbedder {
	/** Names the model and its version: vectors with different ids are never compared. */
	readonly id: string;
	readonly dimensions: number;
	/** Whether a text's vector is the sum of its words' vectors; true only for the built-in model. */
	readonly isStatic?: boolean;
	/** BCP 47 codes of the languages that the model supports; absent if unknown. */
	readonly languages?: ReadonlySet<string> | undefined;
}

/** The vector of each text; empty vectors without an embedder. */
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
	/** Concatenated unit vectors: `texts.length * dimensions` numbers. A text without known words becomes zeros. */
	embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array>;
}

export interface WordModel extends TextEmbedder {
	/** The frequency rank of a word, from 1 for the most frequent; `undefined` for an unknown word. */
	rankOf(word: string): number | undefined;
}

export interface EmbeddingSettings {
	readonly provider: "built-in" | "local" | "openai-compatible" | "none";
	/** Absolute path of the model's folder, for "local" only. */
	readonly folder?: string;
	/** URL of the endpoint. This and the following fields are for "openai-compatible" only. */
	readonly endpoint?: string;
	readonly model?: string;
	readonly dimensions?: number;
	readonly batchSize?: number;
	/** Text that the model expects before a question; `passagePrefix` precedes a passage. */
	readonly queryPrefix?: string;
	readonly passagePrefix?: string;
}
