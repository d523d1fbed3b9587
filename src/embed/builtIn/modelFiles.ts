import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Failure, messageOf } from "../../base/failure.ts";
import { createRowSums, type RowSums } from "./rowSums.ts";
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
