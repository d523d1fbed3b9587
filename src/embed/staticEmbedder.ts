import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Embedder } from "../core/embedder.ts";
import { Failure, messageOf } from "../core/failure.ts";
import { normalise } from "./normalise.ts";
import { createRowSums, type RowSums } from "./rowSums.ts";
import { parseQuantisedMatrix } from "./safetensors.ts";
import { createWordPiece, type WordPiece } from "./wordPiece.ts";

/** Characters of text that are embedded before other work of the process gets its turn: some milliseconds. */
const TURN_CHARACTERS = 100_000;

interface Model {
	readonly id: string;
	readonly rows: number;
	readonly columns: number;
	readonly sums: RowSums;
	readonly tokenizer: WordPiece;
}

/** The model that ships with the extension: a text's vector is the sum of its tokens' rows, normalised. */
export async function openStaticEmbedder(folder: string): Promise<Embedder> {
	const model = await readModel(folder);
	const { rows, columns } = model;
	const times = new Uint32Array(rows);
	return {
		id: model.id,
		dimensions: columns,
		async embed(texts, signal) {
			const vectors = new Float32Array(texts.length * columns);
			let characters = 0;
			for (const [index, text] of texts.entries()) {
				if (characters > TURN_CHARACTERS) {
					await setImmediate();
					signal?.throwIfAborted();
					characters = 0;
				}
				addText(text, model, times, vectors.subarray(index * columns, (index + 1) * columns));
				characters += text.length;
			}
			return vectors;
		},
	};
}

async function readModel(folder: string): Promise<Model> {
	try {
		const config = parseConfig(await readFile(join(folder, "config.json"), "utf8"));
		const vocabulary = parseVocabulary(await readFile(join(folder, config.tokenizer), "utf8"));
		const matrix = parseQuantisedMatrix(await readFile(join(folder, config.weights.file)), {
			weights: config.weights.tensor,
			scales: config.weights.scale_tensor,
		});
		if (vocabulary.size > matrix.rows) throw new Error("The vocabulary and the weights do not match.");
		vocabulary.delete("[UNK]");
		const id = `${config.model_type}-${config.version}-${matrix.rows}x${matrix.columns}`;
		const { rows, columns } = matrix;
		return { id, rows, columns, sums: createRowSums(matrix), tokenizer: createWordPiece(vocabulary) };
	} catch (cause) {
		throw new Failure(
			"MODEL_MISSING",
			`The built-in embedding model in ${folder} cannot be read (${messageOf(cause)}). Install the extension again.`,
			{ cause },
		);
	}
}

interface ModelConfig {
	readonly model_type: string;
	readonly version: number;
	readonly tokenizer: string;
	readonly weights: { readonly file: string; readonly tensor: string; readonly scale_tensor: string };
}

/** What is missing here fails where it is used. */
function parseConfig(json: string): ModelConfig {
	return JSON.parse(json) as ModelConfig;
}

function parseVocabulary(json: string): Map<string, number> {
	const { model } = JSON.parse(json) as { model: { vocab: Record<string, number> } };
	const vocabulary = new Map<string, number>();
	for (const piece in model.vocab) vocabulary.set(piece, model.vocab[piece] as number);
	return vocabulary;
}

/** Every token is added once, as often as it stands there. `times` holds zeros, for every token of the model. */
function addText(text: string, { sums, tokenizer }: Model, times: Uint32Array, vector: Float32Array): void {
	const different: number[] = [];
	for (const id of tokenizer.idsOf(text)) {
		if (times[id] === 0) different.push(id);
		times[id] = (times[id] as number) + 1;
	}
	sums.add(different, times, vector);
	for (const id of different) times[id] = 0;
	normalise(vector);
}
