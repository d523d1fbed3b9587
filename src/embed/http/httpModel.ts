import { Failure, messageOf } from "../../base/failure.ts";
import { keyHeaders, networkReasonOf, wordsOf } from "../../base/http/endpointWords.ts";
import { createPersistently, Passing, type Patience, retryAfterOf } from "../../base/http/persistent.ts";
import { inParallel } from "../../base/jobs/inParallel.ts";
import { fieldOf, listOf, runsOf } from "../../base/values.ts";
import type { EmbeddingSettings } from "../../core/knowledge/embedder.ts";
import { SECRET_VARIABLES } from "../../core/knowledge/secretVariables.ts";
import { joinVectors, type Model, normalize } from "../model.ts";

export interface HttpModelOptions {
	readonly settings: EmbeddingSettings;
	readonly keyOf: (origin: string) => Promise<string | undefined>;
}

const PASSAGES = {
	// A busy server may have to load the model first.
	timeLimitMs: 120_000,
	patience: { tries: 5, firstWaitMs: 500, longestWaitMs: 60_000 },
};
const QUESTIONS = { timeLimitMs: 5_000, patience: { tries: 1, firstWaitMs: 0, longestWaitMs: 0 } };

interface HttpEmbedderOptions {
	readonly address: EmbeddingAddress;
	readonly settings: EmbeddingSettings;
	/** Covers one request, including the response body. */
	readonly timeLimitMs: number;
	readonly patience: Patience;
	readonly prefix?: string | undefined;
	/** Is called for each request, because keys may change at any time. */
	readonly key: () => Promise<string | undefined>;
}

const BATCH_SIZE = 64;
const MOST_CONCURRENT_REQUESTS = 4;
/** Minimum number of characters of a refused text that is shortened. Shorter texts are not refused for their length. */
const SHORTEST_CUT = 400;

/** Throws a `Failure` if the settings have no model or an invalid endpoint. */
export function createHttpModel({ settings, keyOf }: HttpModelOptions): Model {
	const address = readEmbeddingAddress(settings.endpoint ?? "");
	if (!settings.model)
		throw new Failure(
			"BAD_INPUT",
			"The setting copilot-LD.embedding.options.model is empty. Enter the name of the model as the endpoint knows it.",
		);
	const common = { address, settings, key: () => keyOf(address.origin) };
	return {
		id: modelIdOf(settings),
		passages: createHttpEmbedder({ ...common, ...PASSAGES, prefix: settings.passagePrefix }),
		questions: createHttpEmbedder({ ...common, ...QUESTIONS, prefix: settings.queryPrefix }),
	};
}

/** Works with any endpoint of OpenAI's embeddings protocol: Ollama, TEI, vLLM, GitHub Models, Azure OpenAI. */
export function createHttpEmbedder(options: HttpEmbedderOptions) {
	const { address, prefix = "", settings } = options;
	const persistently = createPersistently(options.patience);
	return async (texts: readonly string[], signal: AbortSignal): Promise<Float32Array> => {
		const prefixed = texts.map((text) => prefix + text);
		const batches = batchesOf(prefixed, settings.batchSize ?? BATCH_SIZE);
		return join((await inParallel(batches, MOST_CONCURRENT_REQUESTS, embedBatch, signal)).flat(), options);
	};

	/** If the endpoint refuses a batch, tries both halves. If it refuses a single text, tries the first half. */
	async function embedBatch(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
		const answer = await persistently(() => exchange(texts, options, signal), signal);
		if ("json" in answer) return read(answer.json, texts.length, address);
		const smaller = smallerThan(texts);
		if (smaller.length === 0) throw answer.refused;
		const vectors: Float32Array[] = [];
		for (const part of smaller) vectors.push(...(await embedBatch(part, signal)));
		return vectors;
	}
}

function smallerThan(texts: readonly string[]): (readonly string[])[] {
	const half = texts.length >> 1;
	if (half > 0) return [texts.slice(0, half), texts.slice(half)];
	const [text = ""] = texts;
	return text.length > SHORTEST_CUT ? [[text.slice(0, text.length >> 1)]] : [];
}

function read(json: string, texts: number, { name }: EmbeddingAddress): Float32Array[] {
	try {
		return readEmbeddings(json, texts);
	} catch (cause) {
		throw failed(
			`${name} does not answer like an embeddings endpoint (${messageOf(cause)}). Check the setting copilot-LD.embedding.options.endpoint.`,
			cause,
		);
	}
}

function failed(message: string, cause?: unknown): Failure {
	return new Failure("ENDPOINT_FAILED", message, { cause });
}

function join(vectors: readonly Float32Array[], { address: { name }, settings }: HttpEmbedderOptions) {
	const { dimensions } = settings;
	const [{ length } = { length: dimensions }] = vectors;
	if (vectors.some((vector) => vector.length !== length))
		throw failed(`${name} returns vectors of different lengths. Check the endpoint.`);
	if (dimensions === undefined || length === dimensions) return joinVectors(vectors);
	throw failed(
		`${name} returns vectors of ${length} numbers, not of ${dimensions}. Correct the setting copilot-LD.embedding.options.dimensions, or clear it.`,
	);
}

/** `refused` if the endpoint may accept fewer or shorter texts. */
type Answer = { readonly json: string } | { readonly refused: Failure };

/** Sends the key only in the request's header. */
async function exchange(input: readonly string[], options: HttpEmbedderOptions, signal: AbortSignal) {
	const { address, settings, timeLimitMs } = options;
	const { model, dimensions } = settings;
	const secret = await options.key();
	signal.throwIfAborted();
	const timeLimit = AbortSignal.timeout(timeLimitMs);
	const explain = (thrown: unknown): never => {
		signal.throwIfAborted();
		throw new Passing(unreachable(address, thrown, timeLimit.aborted && timeLimitMs));
	};
	const response = await fetch(address.url, {
		method: "POST",
		headers: { "content-type": "application/json", ...(secret && address.headersOf(secret)) },
		body: JSON.stringify({ model, input, dimensions, encoding_format: "float" }),
		redirect: "manual",
		signal: AbortSignal.any([signal, timeLimit]),
	}).catch(explain);
	const json = await readLimited(response).catch(explain);
	if (response.ok) return { json };
	const words = wordsOf(json, secret);
	const failure = failed(messageFor(response.status, words, options));
	return refusedBy(response, failure, input.length > 1 || TOO_LONG.test(words));
}

const TOO_LONG = /too (?:long|large)|context|batch size/i;

function refusedBy({ status, headers }: Response, failure: Failure, mayBeTooMuch: boolean): Answer {
	// Some servers answer 500 if a batch is too large or exceeds their memory.
	if ([400, 413, 422].includes(status) || (status === 500 && mayBeTooMuch)) return { refused: failure };
	const mayRetry = status === 408 || status === 429 || status >= 500;
	throw mayRetry ? new Passing(failure, retryAfterOf(headers)) : failure;
}

/** `words` is the endpoint's own message after a colon, or empty. */
function messageFor(status: number, words: string, { settings: { model }, address }: HttpEmbedderOptions) {
	const { name } = address;
	if (status === 401 || status === 403)
		return `${name} denied access (${status}${words}). Run "Copilot-LD: Set Embedding API Key"; for a program outside of the editor, set the variable ${SECRET_VARIABLES.embedding}.`;
	if (status === 404)
		return `${name} does not know the model "${model}", or is not an embeddings endpoint (404${words}). Check the settings copilot-LD.embedding.options.model and ${ENDPOINT_SETTING}.`;
	if (status === 429) return `${name} accepts no more requests for now (429${words}).`;
	if (status >= 300 && status < 400)
		return `${name} redirects to another address, and redirects are not followed. If that is the endpoint, enter it in the setting ${ENDPOINT_SETTING}.`;
	if (status >= 500) return `${name} answered ${status}${words}. Check the endpoint.`;
	return `${name} refused the texts (${status}${words}). Check the settings copilot-LD.embedding.*.`;
}

function unreachable({ name }: EmbeddingAddress, thrown: unknown, timeLimitMs: number | false): Failure {
	const reason = timeLimitMs ? `no answer within ${timeLimitMs / 1000} s` : networkReasonOf(thrown);
	return failed(
		`${name} cannot be reached (${reason}). Start the endpoint, or correct the setting ${ENDPOINT_SETTING}.`,
		thrown,
	);
}

/** Omits the endpoint, because the model returns the same vectors at every endpoint. */
function modelIdOf({ model, dimensions, passagePrefix }: EmbeddingSettings): string {
	const length = dimensions === undefined ? "" : ` ${dimensions}d`;
	return `openai-compatible/${model}${length}${passagePrefix ? ` ${JSON.stringify(passagePrefix)}` : ""}`;
}

/** Parses an OpenAI-compatible response, which may have vectors in any order. Throws if the response is invalid. */
function readEmbeddings(json: string, texts: number): Float32Array[] {
	const data = listOf(JSON.parse(json), "data");
	if (data.length !== texts) throw new Error(`it has ${data.length || "no"} vectors for ${texts} texts`);
	const rows = new Map(data.map((entry, place) => [Number(fieldOf(entry, "index") ?? place), entry]));
	return data.map((_, index) => {
		if (!rows.has(index)) throw new Error(`the vector of text ${index} is missing`);
		return readVector(rows.get(index));
	});
}

function readVector(entry: unknown): Float32Array {
	const vector = Float32Array.from(listOf(entry, "embedding"), Number);
	if (vector.length === 0 || !vector.every(Number.isFinite))
		throw new Error("a vector in it is not a list of numbers");
	normalize(vector);
	return vector;
}

const MAX_BYTES = 64 * 1024 * 1024;

async function readLimited({ body }: Response): Promise<string> {
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

/** Maximum number of characters per request: about 8,000 tokens, which even small servers accept. */
const MOST_CHARACTERS = 32_000;

function batchesOf(texts: readonly string[], size: number): string[][] {
	return runsOf(texts, (batch, text) => {
		const characters = batch.reduce((sum, { length }) => sum + length, text.length);
		return batch.length < size && characters <= MOST_CHARACTERS;
	});
}

type EmbeddingAddress = ReturnType<typeof readEmbeddingAddress>;

const ENDPOINT_SETTING = "copilot-LD.embedding.options.endpoint";

/** Accepts the full or the base address (`…/v1`) of an endpoint. Throws a `Failure` if the address is invalid. */
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
		url: url.href,
		/** For messages: omits the query string, which may contain keys. */
		name: origin + pathname,
		origin,
		headersOf: (key: string) => keyHeaders(hostname, key),
	};
}
