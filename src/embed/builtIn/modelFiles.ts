import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Failure, messageOf } from "../../base/failure.ts";
import { createKernels } from "../../base/kernels/kernels.ts";
import { createWasmMemory, WASM_PAGE } from "../../base/kernels/memory.ts";
import {
	openTensorFile,
	type QuantizedMatrix,
	readBytesOf,
	readHalfBytes,
	readMatrix,
	type TensorFile,
} from "./safetensors.ts";
import { createTokenizer, type Tokenizer } from "./tokenizer.ts";
import { readVocabulary } from "./vocabulary.ts";

/** The model in a folder, opened. */
export interface ModelFiles {
	readonly id: string;
	readonly rows: number;
	readonly columns: number;
	readonly tokenizer: Tokenizer;
	readonly sums: RowSums;
	/** Reads the rows of other languages, if nobody has: they are needed for the first text that is not English. */
	readOthers(): void;
}

interface ModelConfig {
	readonly model_type: string;
	readonly version: number;
	readonly pieces: string;
	readonly weights: {
		readonly file: string;
		readonly tensor: string;
		readonly scale_tensor: string;
		readonly new_rows: { readonly tensor: string };
	};
	readonly router: { readonly tensor: string };
}

export async function openModelFiles(folder: string): Promise<ModelFiles> {
	try {
		return await open(folder);
	} catch (cause) {
		throw modelMissing(folder, cause);
	}
}

async function open(folder: string): Promise<ModelFiles> {
	const config = JSON.parse(await readFile(join(folder, "config.json"), "utf8")) as ModelConfig;
	const { model_type: type, version, weights, router } = config;
	const file = openTensorFile(join(folder, weights.file));
	const matrix = readMatrix(file, { weights: weights.tensor, scales: weights.scale_tensor });
	const { columns, scales } = matrix;
	const rows = scales.length;
	const vocabulary = readVocabulary(openTensorFile(join(folder, config.pieces)));
	const [english, all] = vocabulary.sizes;
	if (english > matrix.rows || all > rows) throw new Error("The vocabulary and the weights do not match.");
	const sums = createRowSums(matrix);
	let isWhole = false;
	return {
		id: `${type}-${version}-${rows}x${columns}`,
		rows,
		columns,
		sums,
		tokenizer: createTokenizer({ ...vocabulary, route: readBytesOf(file, router.tensor, rows) }),
		readOthers: () => {
			if (isWhole) return;
			sums.append(readOthers(file, weights.new_rows.tensor, matrix, folder));
			isWhole = true;
		},
	};
}

function readOthers(
	file: TensorFile,
	name: string,
	{ rows, columns, scales }: QuantizedMatrix,
	folder: string,
): Int8Array {
	try {
		return readHalfBytes(file, name, [scales.length - rows, columns]);
	} catch (cause) {
		throw modelMissing(folder, cause);
	}
}

function modelMissing(folder: string, cause: unknown): Failure {
	return new Failure(
		"MODEL_MISSING",
		`The built-in embedding model in ${folder} cannot be read (${messageOf(cause)}). Reinstall the extension.`,
		{ cause },
	);
}

/** Adds rows of a matrix up, sixteen numbers at a time. */
interface RowSums {
	/**
	 * The sum of rows of the matrix, each as often as `times` says of it, whose numbers `rows` lists once each.
	 * Written into `into`, which has a number for every column.
	 */
	add(rows: readonly number[], times: Uint32Array, into: Float32Array): void;
	/** Takes the rows in that come behind those that are there, as far as there are scales for them. */
	append(weights: Int8Array): void;
}

/** Bytes of an entry: a row's address, and what its numbers are multiplied by. */
const ENTRY_BYTES = 8;

/** Columns that are added at once. */
const LANES = 16;

/** In the memory lie the sums, the entries, of which there are at most as many as scales, and the rows. */
export function createRowSums({ columns, weights, scales }: Omit<QuantizedMatrix, "rows">): RowSums {
	const stride = Math.ceil(columns / LANES) * LANES;
	const entries = stride * Float32Array.BYTES_PER_ELEMENT;
	const first = Math.ceil((entries + scales.length * ENTRY_BYTES) / LANES) * LANES;
	const memory = createWasmMemory(first);
	const { sumRows } = createKernels(memory);
	let end = first;
	let views = viewsOf(memory.buffer);
	append(weights);
	return { append, add };

	function add(added: readonly number[], times: Uint32Array, into: Float32Array): void {
		const { addresses, factors, sums } = views;
		for (let index = 0; index < added.length; index++) {
			const row = added[index] as number;
			addresses[2 * index] = first + row * stride;
			factors[2 * index + 1] = (scales[row] as number) * (times[row] as number);
		}
		sumRows(entries, entries + added.length * ENTRY_BYTES, stride, 0);
		into.set(sums);
	}

	function append(more: Int8Array): void {
		const rows = more.length / columns;
		const missing = end + rows * stride - memory.buffer.byteLength;
		if (missing > 0) memory.grow(Math.ceil(missing / WASM_PAGE));
		const bytes = new Int8Array(memory.buffer);
		if (stride === columns) bytes.set(more, end);
		else
			for (let row = 0; row < rows; row++)
				bytes.set(more.subarray(row * columns, (row + 1) * columns), end + row * stride);
		end += rows * stride;
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
