import { Tokenizer } from "@huggingface/tokenizers";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { runsOf } from "../../base/values.ts";
import { joinVectors, normalize } from "../model.ts";
import { type ModelForm, type Pooling, readModelForm } from "./modelForm.ts";

/** Maximum number of inputs per batch. Larger batches need much more memory and are no faster. */
const BATCH = 8;
/** Maximum number of tokens per batch, including padding. */
const BATCH_TOKENS = 1024;

const TOKEN_VECTORS = ["last_hidden_state", "token_embeddings"];

/** Must run in a separate process, because the runtime never frees memory and may crash. */
export type SentenceTransformer = Awaited<ReturnType<typeof openSentenceTransformer>>;

/** One input of the model: the token ids of a part of a text, including special tokens. */
interface Window {
	readonly text: number;
	readonly tokens: readonly number[];
}

export async function openSentenceTransformer(folder: string) {
	const form = await readModelForm(folder);
	const cut = createCut(form);
	const session = await InferenceSession.create(form.weights, {
		executionProviders: ["cpu"],
		graphOptimizationLevel: "all",
	});
	return {
		embed: async (texts: readonly string[]) => {
			const windows = texts.flatMap((text, index) => cut(text).map((tokens) => ({ text: index, tokens })));
			const sums: Float32Array[] = [];
			for (const batch of batchesOf(windows))
				for (const [index, vector] of (await run(session, batch, form)).entries()) {
					const { text, tokens } = batch[index] as Window;
					sums[text] = addTo(sums[text], vector, tokens.length);
				}
			for (const sum of sums) normalize(sum);
			return joinVectors(sums);
		},
	};
}

export function batchesOf(windows: readonly Window[]): Window[][] {
	const sorted = windows.toSorted((a, b) => b.tokens.length - a.tokens.length);
	return runsOf(sorted, (batch, { tokens }) => {
		const longest = batch[0]?.tokens.length ?? 0;
		const isAlike = 2 * tokens.length >= longest;
		return isAlike && batch.length < BATCH && (batch.length + 1) * longest <= BATCH_TOKENS;
	});
}

async function run(session: InferenceSession, batch: readonly Window[], form: ModelForm) {
	const length = batch[0]?.tokens.length ?? 0;
	const fed = feedsOf(batch, length, session.inputNames);
	const name =
		TOKEN_VECTORS.find((known) => session.outputNames.includes(known)) ?? session.outputNames[0] ?? "";
	const outputs = await session.run(fed, [name]);
	const output = outputs[name] as Tensor;
	if (output.type !== "float32" || output.dims.length !== 3)
		throw new Error(`its output ${name} does not hold the vectors of tokens as float32`);
	try {
		return pool(output, batch, form.pooling);
	} finally {
		for (const tensor of [output, ...Object.values(fed)]) tensor.dispose();
	}
}

function feedsOf(batch: readonly Window[], length: number, names: readonly string[]) {
	const ids = new BigInt64Array(batch.length * length);
	const mask = new BigInt64Array(ids.length);
	for (const [index, { tokens }] of batch.entries()) {
		ids.set(tokens.map(BigInt), index * length);
		mask.fill(1n, index * length, index * length + tokens.length);
	}
	const values = { input_ids: ids, attention_mask: mask, token_type_ids: new BigInt64Array(ids.length) };
	const wanted = Object.entries(values).filter(([name]) => names.includes(name));
	const tensorOf = (data: BigInt64Array) => new Tensor("int64", data, [batch.length, length]);
	return Object.fromEntries(wanted.map(([name, data]) => [name, tensorOf(data)]));
}

/** Combines token vectors of shape [inputs, length, dimensions] into one unit vector per input, ignoring padding. */
function pool(output: Tensor, batch: readonly Window[], pooling: Pooling): Float32Array[] {
	const data = output.data as Float32Array;
	const [, length = 0, dimensions = 0] = output.dims;
	return batch.map(({ tokens }, input) => {
		const vector = new Float32Array(dimensions);
		const counted = pooling === "cls" ? 1 : tokens.length;
		for (let token = 0; token < counted; token++) {
			const start = (input * length + token) * dimensions;
			for (let d = 0; d < dimensions; d++) vector[d] = (vector[d] as number) + (data[start + d] as number);
		}
		normalize(vector);
		return vector;
	});
}

/** Adds the vector of a window, weighted by length, so that a long text gets the weighted mean of its windows. */
function addTo(sum: Float32Array | undefined, vector: Float32Array, weight: number): Float32Array {
	const into = sum ?? new Float32Array(vector.length);
	for (let d = 0; d < vector.length; d++) into[d] = (into[d] as number) + weight * (vector[d] as number);
	return into;
}

function createCut({ tokenizer, tokenizerConfig, maxTokens }: ModelForm) {
	const tokens = new Tokenizer(tokenizer, tokenizerConfig);
	const idsOf = (text: string, isWhole: boolean) => tokens.encode(text, { add_special_tokens: isWhole }).ids;
	const [whole, bare] = [idsOf("a", true), idsOf("a", false)];
	const at = whole.indexOf(bare[0] ?? Number.NaN);
	const [first, last] = [whole.slice(0, at), whole.slice(at + bare.length)];
	const room = maxTokens - first.length - last.length;
	return (text: string) => {
		const ids = idsOf(text, false);
		const windows: Window["tokens"][] = [];
		for (let start = 0; start === 0 || start < ids.length; start += room)
			windows.push([...first, ...ids.slice(start, start + room), ...last]);
		return windows;
	};
}
