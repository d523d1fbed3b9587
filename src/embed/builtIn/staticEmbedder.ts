import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { Failure, messageOf } from "../../base/failure.ts";
import type { Embedder } from "../../core/knowledge/embedder.ts";
import { normalize } from "../normalize.ts";
import { createRowSums, type RowSums } from "./rowSums.ts";
import { parseQuantizedMatrix } from "./safetensors.ts";
import { createWordPiece, type WordPiece } from "./wordPiece.ts";

/** Characters of text that are embedded before other work of the process gets its turn: some milliseconds. */
const TURN_CHARACTERS = 100_000;

/** An embedder whose vectors are sums over a text's tokens. */
export interface StaticEmbedder extends Embedder {
	tokensOf(text: string): readonly number[];
	/** The tokens of words of letters and digits that other characters join. */
	tokensOfName(name: string): readonly number[];
	/** Whether the tokens of a text are those of its names, one after the other. */
	isMadeOfNames(text: string): boolean;
	/** Writes the vector of all tokens of the names. */
	addUp(names: readonly { readonly tokens: readonly number[] }[], into: Float32Array): void;
}

interface Model {
	readonly id: string;
	readonly rows: number;
	readonly columns: number;
	readonly sums: RowSums;
	readonly tokenizer: WordPiece;
}

/** The model that ships with the extension: a text's vector is the sum of its tokens' rows, normalized. */
export async function openStaticEmbedder(folder: string): Promise<StaticEmbedder> {
	const { id, rows, columns, sums, tokenizer } = await readModel(folder);
	const times = new Uint32Array(rows);
	const addUp: StaticEmbedder["addUp"] = (names, into) => {
		const different = countTokens(names, times);
		sums.add(different, times, into);
		for (const token of different) times[token] = 0;
		normalize(into);
	};
	return {
		id,
		dimensions: columns,
		addUp,
		tokensOf: tokenizer.idsOf,
		tokensOfName: tokenizer.idsOfName,
		isMadeOfNames: tokenizer.isMadeOfNames,
		async embed(texts, signal) {
			const vectors = new Float32Array(texts.length * columns);
			let characters = 0;
			for (const [index, text] of texts.entries()) {
				if (characters > TURN_CHARACTERS) {
					await setImmediate();
					signal?.throwIfAborted();
					characters = 0;
				}
				addUp([{ tokens: tokenizer.idsOf(text) }], vectors.subarray(index * columns, (index + 1) * columns));
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
		const matrix = parseQuantizedMatrix(await readFile(join(folder, config.weights.file)), {
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

/** The different tokens. `times`, of zeros, then has for each how often it is there. */
function countTokens(
	names: readonly { readonly tokens: readonly number[] }[],
	times: Uint32Array,
): readonly number[] {
	const different: number[] = [];
	for (const { tokens } of names)
		for (const token of tokens) {
			if (times[token] === 0) different.push(token);
			times[token] = (times[token] as number) + 1;
		}
	return different;
}
