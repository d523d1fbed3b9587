import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { Failure, messageOf } from "../../base/failure.ts";
import { memoize, once } from "../../base/jobs/lazily.ts";
import { createKernels } from "../../base/kernels/kernels.ts";
import { createWasmMemory, WASM_PAGE } from "../../base/kernels/wasmMemory.ts";
import type { Reading } from "../../base/words/textReader.ts";
import type { Counted } from "../../base/words/wordTable.ts";
import type { Embedder, WordModel } from "../../core/knowledge/embedder.ts";
import { normalize } from "../model.ts";
import { openTensorFile, type QuantizedMatrix, readHalfBytes, readMatrix } from "./safetensors.ts";
import { createTokenizer, type Language, readPieces, type Tokenizer, type Tokens } from "./tokenizer.ts";

/** Number of characters that are embedded, in some milliseconds, before the event loop gets a turn. */
const TURN_CHARACTERS = 100_000;
/** First id of the vocabulary for other languages. Both vocabularies begin with the most frequent pieces. */
const FIRST_OTHER = 32_000;

/** Embeds a text as the sum of vectors of its tokens, from the tokenizer for English or for other languages. */
export interface StaticEmbedder extends Embedder, Tokenizer, WordModel {
	addUp(names: Reading<Name>, into: Float32Array): void;
}

interface Name extends Counted {
	readonly tokens: Tokens;
}

interface ModelConfig {
	readonly model_type: string;
	readonly version: number;
	readonly pieces: string;
	readonly languages: readonly string[];
	readonly weights: {
		readonly file: string;
		readonly tensor: string;
		readonly scale_tensor: string;
		readonly new_rows: { readonly tensor: string };
	};
	readonly router: { readonly tensor: string };
}

const embedderIn = memoize((folder: string) => once(() => openStaticEmbedder(folder)));

export function shareStaticEmbedder(folder: string): Promise<StaticEmbedder> {
	return embedderIn(folder).get();
}

/** Opens the bundled model, in which a text's vector is the normalized sum of rows. Throws a `Failure`. */
export async function openStaticEmbedder(folder: string): Promise<StaticEmbedder> {
	const model = reading(folder, () => openModelFiles(folder));
	const { tokenizer, columns: dimensions } = model;
	const add = createAddition(model);
	return {
		...tokenizer,
		id: model.id,
		languages: model.languages,
		dimensions,
		isStatic: true,
		embed,
		rankOf: (word) => {
			const { english, other } = tokenizer.tokensOfName(word.toLowerCase());
			const ids = [english, other].flatMap((tokens) => (tokens.length === 1 ? tokens : []));
			if (ids.length === 0) return undefined;
			const rank = Math.min(...ids.map((id) => (id < FIRST_OTHER ? id : id - FIRST_OTHER))) + 1;
			// Divides the rank, because all other languages share one list.
			return english.length === 1 ? rank : Math.ceil(rank / (model.languages.size - 1));
		},
		addUp,
	};

	function addUp({ folded, written }: Reading<Name>, into: Float32Array): void {
		const foreignness = written.reduce((sum, { tokens, times }) => sum + tokens.foreignness * times, 0);
		if (foreignness <= 0) return void add(folded, "english", into);
		model.readOthers();
		add(written, "other", into);
	}

	async function embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array> {
		const vectors = new Float32Array(texts.length * dimensions);
		let characters = 0;
		for (const [index, text] of texts.entries()) {
			if (characters > TURN_CHARACTERS) {
				await setImmediate();
				signal?.throwIfAborted();
				characters = 0;
			}
			addUp(tokenizer.read(text), vectors.subarray(index * dimensions, (index + 1) * dimensions));
			characters += text.length;
		}
		return vectors;
	}
}

function createAddition({ rows, sums }: ReturnType<typeof openModelFiles>) {
	const times = new Uint32Array(rows);
	return (names: readonly Name[], tokenizer: Language, into: Float32Array) => {
		const different = countTokens(names, tokenizer, times);
		sums.add(different, times, into);
		for (const token of different) times[token] = 0;
		normalize(into);
	};
}

/** Returns the distinct tokens. Counts each token in `times`, which must be all zeros. */
function countTokens(names: readonly Name[], tokenizer: Language, times: Uint32Array): readonly number[] {
	const different: number[] = [];
	for (const name of names)
		for (const token of name.tokens[tokenizer]) {
			if (times[token] === 0) different.push(token);
			times[token] = (times[token] as number) + name.times;
		}
	return different;
}

function openModelFiles(folder: string) {
	const config = JSON.parse(readFileSync(join(folder, "config.json"), "utf8")) as ModelConfig;
	const { model_type: type, version, languages, weights, router } = config;
	const file = openTensorFile(join(folder, weights.file));
	const matrix = readMatrix(file, weights.tensor, weights.scale_tensor);
	const { columns } = matrix;
	const rows = matrix.scales.length;
	const vocabulary = openTensorFile(join(folder, config.pieces));
	const [english, other] = [readPieces(vocabulary, "english"), readPieces(vocabulary, "other")];
	if (english.size > matrix.rows || other.size > rows || columns % LANES !== 0)
		throw new Error("The vocabulary and the weights do not match.");
	const route = new Int8Array(file(router.tensor, "I8", rows).bytes.buffer);
	const sums = createRowSums(matrix);
	let isWhole = false;
	return {
		id: `${type}-${version}-${rows}x${columns}`,
		languages: new Set(languages),
		rows,
		columns,
		sums,
		tokenizer: createTokenizer({ english: english.table, other: other.table, route }),
		/** Reads the rows of other languages for the first text that is not English. */
		readOthers: () => {
			if (isWhole) return;
			const length = (rows - matrix.rows) * columns;
			sums.append(reading(folder, () => readHalfBytes(file, weights.new_rows.tensor, length)));
			isWhole = true;
		},
	};
}

function reading<Result>(folder: string, read: () => Result): Result {
	try {
		return read();
	} catch (cause) {
		throw new Failure(
			"MODEL_MISSING",
			`The built-in embedding model in ${folder} cannot be read (${messageOf(cause)}). Reinstall the extension.`,
			{ cause },
		);
	}
}

const ENTRY_BYTES = 8;
/** Number of columns that the kernel adds at once. */
const LANES = 16;

/** Layout of the memory: sums, then entries (at most one per scale), then rows. */
function createRowSums({ columns, weights, scales }: QuantizedMatrix) {
	const entries = columns * Float32Array.BYTES_PER_ELEMENT;
	const first = Math.ceil((entries + scales.length * ENTRY_BYTES) / LANES) * LANES;
	const memory = createWasmMemory(first);
	const { sumRows } = createKernels(memory);
	let end = first;
	let views = viewsOf(memory.buffer);
	append(weights);
	return { append, add };

	/** Writes the sum of the rows `added`, which must be distinct, into `into`. Each row is weighted by `times`. */
	function add(added: readonly number[], times: Uint32Array, into: Float32Array): void {
		const { addresses, factors, sums } = views;
		for (let index = 0; index < added.length; index++) {
			const row = added[index] as number;
			addresses[2 * index] = first + row * columns;
			factors[2 * index + 1] = (scales[row] as number) * (times[row] as number);
		}
		sumRows(entries, entries + added.length * ENTRY_BYTES, columns, 0);
		into.set(sums);
	}

	/** Appends rows up to the last one that has a scale. */
	function append(more: Int8Array): void {
		const missing = end + more.length - memory.buffer.byteLength;
		if (missing > 0) memory.grow(Math.ceil(missing / WASM_PAGE));
		new Int8Array(memory.buffer).set(more, end);
		end += more.length;
		views = viewsOf(memory.buffer);
	}

	function viewsOf(buffer: ArrayBuffer) {
		return {
			addresses: new Uint32Array(buffer, entries, 2 * scales.length),
			factors: new Float32Array(buffer, entries, 2 * scales.length),
			sums: new Float32Array(buffer, 0, columns),
		};
	}
}
