import type { Embedder } from "../core/knowledge/embedder.ts";

/** Returns unit vectors of equal length, in the order of the texts. Rejects with a `Failure`. */
type Embed = (texts: readonly string[], signal: AbortSignal) => Promise<Float32Array>;

export interface Model {
	/** Identifies the model. Vectors from models with different ids must not be compared. */
	readonly id: string;
	readonly languages?: Embedder["languages"];
	/** Retries if the endpoint is busy. */
	readonly passages: Embed;
	/** Tries once, with a short time limit, because the user is waiting. */
	readonly questions: Embed;
}

export function modelOf({ id, languages, embed }: Embedder): Model {
	return { id, languages, passages: embed, questions: embed };
}

export function joinVectors(parts: readonly Float32Array[]): Float32Array {
	const vectors = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
	let filled = 0;
	for (const part of parts) {
		vectors.set(part, filled);
		filled += part.length;
	}
	return vectors;
}

/** Scales the vector to length 1 in place. A zero vector remains zero. */
export function normalize(vector: Float32Array): void {
	let squares = 0;
	for (let d = 0; d < vector.length; d++) squares += (vector[d] as number) ** 2;
	const factor = 1 / (Math.sqrt(squares) || 1);
	for (let d = 0; d < vector.length; d++) vector[d] = (vector[d] as number) * factor;
}
