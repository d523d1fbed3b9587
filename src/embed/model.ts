import type { Embedder } from "../core/knowledge/embedder.ts";

/** Unit vectors, concatenated in the order of the texts. */
export interface ReadVectors {
	readonly dimensions: number;
	readonly vectors: Float32Array;
}

/** Rejects with a `Failure` that says what to do. */
export interface Model {
	/** Vectors of different ids are never compared. */
	readonly id: string;
	readonly languages?: Embedder["languages"];
	/** Retries if the endpoint is busy. */
	passages(texts: readonly string[], signal: AbortSignal): Promise<ReadVectors>;
	/** One short try: the user waits. */
	questions(texts: readonly string[], signal: AbortSignal): Promise<ReadVectors>;
}

export function modelOf({ id, dimensions, languages, embed }: Embedder): Model {
	const run: Model["passages"] = async (texts, signal) => ({
		dimensions,
		vectors: await embed(texts, signal),
	});
	return { id, languages, passages: run, questions: run };
}

export function joinVectors(parts: readonly ReadVectors[]): ReadVectors {
	const [{ dimensions } = { dimensions: 0 }] = parts;
	const vectors = new Float32Array(parts.reduce((sum, part) => sum + part.vectors.length, 0));
	let filled = 0;
	for (const part of parts) {
		vectors.set(part.vectors, filled);
		filled += part.vectors.length;
	}
	return { dimensions, vectors };
}

/** In place; zeros stay zeros. */
export function normalize(vector: Float32Array): void {
	let squares = 0;
	for (let d = 0; d < vector.length; d++) squares += (vector[d] as number) ** 2;
	const factor = 1 / (Math.sqrt(squares) || 1);
	for (let d = 0; d < vector.length; d++) vector[d] = (vector[d] as number) * factor;
}
