import type { Embedder } from "../core/knowledge/embedder.ts";

/** Unit vectors, one after the other, in the order of the texts. */
export interface ReadVectors {
	readonly dimensions: number;
	readonly vectors: Float32Array;
}

/** What turns questions and passages into vectors, wherever it runs. Rejects with a `Failure` that says what to do. */
export interface Model {
	/** Vectors of different ids are never compared. */
	readonly id: string;
	/** Takes its time: an endpoint that is busy is asked again. */
	passages(texts: readonly string[], signal: AbortSignal): Promise<ReadVectors>;
	/** Somebody waits: one try, and a short one. */
	questions(texts: readonly string[], signal: AbortSignal): Promise<ReadVectors>;
}

/** An embedder of this process makes no difference between questions and passages. */
export function modelOf({ id, dimensions, embed }: Embedder): Model {
	const run: Model["passages"] = async (texts, signal) => ({
		dimensions,
		vectors: await embed(texts, signal),
	});
	return { id, passages: run, questions: run };
}
