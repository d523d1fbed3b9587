import { Failure, messageOf } from "../../base/failure.ts";
import { createPersistently, type Patience } from "../../base/http/persistent.ts";
import type { ReadVectors } from "../model.ts";
import type { EmbeddingAddress } from "./embeddingAddress.ts";
import { type EmbeddingRequest, exchange } from "./embeddingExchange.ts";
import { readEmbeddings } from "./embeddingResponse.ts";
import { inParallel } from "./inParallel.ts";
import { batchesOf } from "./textBatches.ts";

export interface HttpEmbedderOptions {
	readonly address: EmbeddingAddress;
	readonly model: string;
	/** The length of the vectors that the model is asked for; its own where it is left out. */
	readonly dimensions?: number;
	/** Texts in one request; 64 if left out. */
	readonly batchSize?: number;
	/** What the model wants in front of every text, for example `search_document: `. */
	readonly prefix?: string;
	readonly key: () => Promise<string | undefined>;
	readonly timeLimitMs: number;
	readonly patience: Patience;
}

/** An endpoint that turns texts into vectors. */
export interface HttpEmbedder {
	/** As `Embedder.embed`. Rejects with a `Failure` that names the endpoint and says what to do. */
	embed(texts: readonly string[], signal: AbortSignal): Promise<ReadVectors>;
}

const BATCH_SIZE = 64;
/** Requests at once. */
const LANES = 4;
/** Characters; an endpoint that does not take so short a text does not take it for its length. */
const SHORTEST_CUT = 400;

/** Any endpoint that speaks the embeddings protocol of OpenAI: Ollama, TEI, vLLM, GitHub Models, Azure OpenAI. */
export function createHttpEmbedder(options: HttpEmbedderOptions): HttpEmbedder {
	const { address, prefix = "", batchSize = BATCH_SIZE } = options;
	const persistently = createPersistently(options.patience);
	return {
		embed: async (texts, signal) => {
			const batches = batchesOf(
				texts.map((text) => prefix + text),
				batchSize,
			);
			return join(await inParallel(batches, LANES, embedBatch, signal), address);
		},
	};

	/** Where the endpoint does not take the texts, fewer at once; and of a single one, its beginning. */
	async function embedBatch(texts: readonly string[], signal: AbortSignal): Promise<ReadVectors> {
		const request = toRequest(texts, options);
		const outcome = await persistently(() => exchange(request, options, signal), signal);
		if (outcome.kind === "answered") return read(outcome.json, texts.length, address);
		const smaller = smallerThan(texts);
		if (smaller.length === 0) throw outcome.failure;
		const parts: ReadVectors[] = [];
		for (const part of smaller) parts.push(await embedBatch(part, signal));
		return join(parts, address);
	}
}

function toRequest(input: readonly string[], { model, dimensions }: HttpEmbedderOptions): EmbeddingRequest {
	return { model, input, ...(dimensions !== undefined && { dimensions }) };
}

function smallerThan(texts: readonly string[]): (readonly string[])[] {
	const half = texts.length >> 1;
	if (half > 0) return [texts.slice(0, half), texts.slice(half)];
	const [text = ""] = texts;
	return text.length > SHORTEST_CUT ? [[text.slice(0, text.length >> 1)]] : [];
}

function read(json: string, texts: number, { name }: EmbeddingAddress): ReadVectors {
	try {
		return readEmbeddings(json, texts);
	} catch (cause) {
		throw new Failure(
			"ENDPOINT_FAILED",
			`${name} does not answer like an embeddings endpoint (${messageOf(cause)}). Check the setting copilot-ld.embedding.endpoint.`,
			{ cause },
		);
	}
}

function join(parts: readonly ReadVectors[], { name }: EmbeddingAddress): ReadVectors {
	const [{ dimensions } = { dimensions: 0 }] = parts;
	if (parts.some((part) => part.dimensions !== dimensions))
		throw new Failure("ENDPOINT_FAILED", `${name} returns vectors of different lengths. Check the endpoint.`);
	const vectors = new Float32Array(parts.reduce((sum, part) => sum + part.vectors.length, 0));
	let filled = 0;
	for (const part of parts) {
		vectors.set(part.vectors, filled);
		filled += part.vectors.length;
	}
	return { dimensions, vectors };
}
