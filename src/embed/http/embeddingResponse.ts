import { Failure } from "../../base/failure.ts";
import { keyHeaders } from "../../base/http/endpointWords.ts";
import { fieldOf, runsOf } from "../../base/values.ts";
import { joinVectors, normalize, type ReadVectors } from "../model.ts";

/** Response of an OpenAI-compatible endpoint, in any order. Throws if it is invalid. */
export function readEmbeddings(json: string, texts: number): ReadVectors {
	const { data } = JSON.parse(json) as { data?: unknown };
	if (!Array.isArray(data) || data.length !== texts)
		throw new Error(`it has ${Array.isArray(data) ? data.length : "no"} vectors for ${texts} texts`);
	const rows = new Map(
		data.map((entry, place) => [Number(fieldOf(entry, "index") ?? place), readVector(entry)] as const),
	);
	const parts = data.map((_, index) => {
		const vectors = rows.get(index);
		if (!vectors) throw new Error(`the vector of text ${index} is missing`);
		return { dimensions: vectors.length, vectors };
	});
	const [first] = parts;
	if (parts.some(({ dimensions }) => dimensions !== first?.dimensions))
		throw new Error("its vectors have different lengths");
	return joinVectors(parts);
}

function readVector(entry: unknown): Float32Array {
	const embedding = fieldOf(entry, "embedding");
	const vector = Array.isArray(embedding) ? Float32Array.from(embedding, Number) : new Float32Array();
	if (vector.length === 0 || !vector.every(Number.isFinite))
		throw new Error("a vector in it is not a list of numbers");
	normalize(vector);
	return vector;
}

const MAX_BYTES = 64 * 1024 * 1024;

/** Throws if the body is larger than any answer of ours. */
export async function readLimited({ body }: Response): Promise<string> {
	if (!body) return "";
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of body) {
		bytes += chunk.byteLength;
		if (bytes > MAX_BYTES) throw new Error(`its answer is larger than ${MAX_BYTES / 1024 / 1024} MB`);
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString("utf8");
}

/** Characters of one request: about 8,000 tokens, which the smallest servers accept. */
const MOST_CHARACTERS = 32_000;

export function batchesOf(texts: readonly string[], size: number): string[][] {
	return runsOf(texts, (batch, text) => {
		const characters = batch.reduce((sum, { length }) => sum + length, text.length);
		return batch.length < size && characters <= MOST_CHARACTERS;
	});
}

export type EmbeddingAddress = ReturnType<typeof readEmbeddingAddress>;

export const ENDPOINT_SETTING = "copilot-LD.embedding.options.endpoint";

/** The setting may be the endpoint itself or the base address from the servers' manuals (`…/v1`). */
export function readEmbeddingAddress(text: string) {
	const url = URL.parse(text.trim());
	if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
		throw new Failure(
			"BAD_INPUT",
			`The setting ${ENDPOINT_SETTING} is not an http or https address without an account in it. Correct it, for example to http://localhost:11434/v1.`,
		);
	url.hash = "";
	const path = url.pathname.replace(/\/+$/, "");
	url.pathname = path.endsWith("/embeddings") ? path : `${path}/embeddings`;
	const { origin, pathname, hostname } = url;
	return {
		/** Ends in `/embeddings` and keeps the query string. */
		url: url.href,
		/** For messages: without the query string, which may hold keys. */
		name: origin + pathname,
		origin,
		headersOf: (key: string) => keyHeaders(hostname, key),
	};
}
