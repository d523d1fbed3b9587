/** Turns texts into vectors. */
export interface Embedder {
	/** Names the model and its version: vectors of different ids are never compared. */
	readonly id: string;
	readonly dimensions: number;
	/** Unit vectors, one after the other: `texts.length * dimensions` numbers. A text without a known word gives zeros. */
	embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array>;
}
