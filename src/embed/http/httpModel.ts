import { Failure } from "../../base/failure.ts";
import type { Patience } from "../../base/http/persistent.ts";
import type { EmbeddingSettings } from "../../core/knowledge/embedder.ts";
import type { Model, ReadVectors } from "../model.ts";
import { type EmbeddingAddress, readEmbeddingAddress } from "./embeddingAddress.ts";
import { createHttpEmbedder } from "./httpEmbedder.ts";
import { modelIdOf } from "./modelId.ts";

export interface HttpModelOptions {
	readonly settings: Omit<EmbeddingSettings, "provider">;
	/** The key for an endpoint, by its scheme, host and port. */
	readonly keyOf: (origin: string) => Promise<string | undefined>;
}

/** A model of a busy server may be loaded first: so long a batch may take. */
const PASSAGES = {
	timeLimitMs: 120_000,
	patience: { tries: 5, firstWaitMs: 500, longestWaitMs: 60_000 } satisfies Patience,
};

const QUESTIONS = {
	timeLimitMs: 5_000,
	patience: { tries: 1, firstWaitMs: 0, longestWaitMs: 0 } satisfies Patience,
};

/** The model of the settings; throws where they name none. */
export function createHttpModel({ settings, keyOf }: HttpModelOptions): Model {
	const { endpoint = "", model = "", dimensions, batchSize, queryPrefix, passagePrefix } = settings;
	const address = readEmbeddingAddress(endpoint);
	if (model === "")
		throw new Failure(
			"BAD_INPUT",
			"The setting copilot-ld.embedding.model is empty. Enter the name of the model as the endpoint knows it.",
		);
	const common = {
		address,
		model,
		key: () => keyOf(address.origin),
		...(dimensions !== undefined && { dimensions }),
		...(batchSize !== undefined && { batchSize }),
	};
	const passages = createHttpEmbedder({
		...common,
		...PASSAGES,
		...(passagePrefix && { prefix: passagePrefix }),
	});
	const questions = createHttpEmbedder({
		...common,
		...QUESTIONS,
		...(queryPrefix && { prefix: queryPrefix }),
	});
	const check = (read: ReadVectors) => requireLength(read, dimensions, address);
	return {
		id: modelIdOf({
			model,
			...(dimensions !== undefined && { dimensions }),
			...(passagePrefix && { passagePrefix }),
		}),
		passages: async (texts, signal) => check(await passages.embed(texts, signal)),
		questions: async (texts, signal) => check(await questions.embed(texts, signal)),
	};
}

function requireLength(
	read: ReadVectors,
	wanted: number | undefined,
	{ name }: EmbeddingAddress,
): ReadVectors {
	if (wanted === undefined || read.vectors.length === 0 || read.dimensions === wanted) return read;
	throw new Failure(
		"ENDPOINT_FAILED",
		`${name} returns vectors of ${read.dimensions} numbers, not of ${wanted}. Correct the setting copilot-ld.embedding.dimensions, or clear it.`,
	);
}
