import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { makeFolder } from "../../support/folder.ts";

/** Groups of synonyms; each group is a dimension of the vectors. */
const MEANINGS = [["[CLS]"], ["[SEP]"], ["[UNK]"], ["cost", "price"], ["car", "auto"], ["keeper"], ["lamp"]];

const MODULES = ["Transformer", "Pooling", "Normalize"];

export const WORDS = MEANINGS.flat();
export const DIMENSIONS = MEANINGS.length;
export const MAX_TOKENS = 16;

/** Files of a model in the layout of sentence-transformers. A token's vector is that of its group. */
export function tinyFiles(): Record<string, string | Uint8Array> {
	const json = (value: unknown) => JSON.stringify(value);
	return {
		"config.json": json({ max_position_embeddings: 512 }),
		"tokenizer.json": json(tokenizer()),
		"tokenizer_config.json": json({ tokenizer_class: "PreTrainedTokenizer", model_max_length: MAX_TOKENS }),
		"modules.json": json(MODULES.map((name) => ({ type: `sentence_transformers.models.${name}` }))),
		"1_Pooling/config.json": json({ pooling_mode_mean_tokens: true }),
		"onnx/model.onnx": lookup(),
	};
}

export async function writeTinyModel(t: TestContext, changes: Record<string, string | undefined> = {}) {
	const folder = await makeFolder(t);
	for (const [path, content] of Object.entries({ ...tinyFiles(), ...changes })) {
		if (content === undefined) continue;
		await mkdir(join(folder, path, ".."), { recursive: true });
		await writeFile(join(folder, path), content);
	}
	return folder;
}

function tokenizer() {
	const special = (content: string) => ({
		...{ id: WORDS.indexOf(content), content, special: true },
		...{ single_word: false, lstrip: false, rstrip: false, normalized: false },
	});
	const [cls, sep] = ["[CLS]", "[SEP]"].map((id) => ({ SpecialToken: { id, type_id: 0 } }));
	const ids = (name: string) => ({ id: name, ids: [WORDS.indexOf(name)], tokens: [name] });
	return {
		...{ version: "1.0", truncation: null, padding: null, decoder: null },
		added_tokens: ["[CLS]", "[SEP]", "[UNK]"].map(special),
		normalizer: { type: "Lowercase" },
		pre_tokenizer: { type: "BertPreTokenizer" },
		post_processor: {
			type: "TemplateProcessing",
			single: [cls, { Sequence: { id: "A", type_id: 0 } }, sep],
			pair: [],
			special_tokens: { "[CLS]": ids("[CLS]"), "[SEP]": ids("[SEP]") },
		},
		model: {
			type: "WordPiece",
			...{ unk_token: "[UNK]", continuing_subword_prefix: "##", max_input_chars_per_word: 100 },
			vocab: Object.fromEntries(WORDS.map((word, id) => [word, id])),
		},
	};
}

/** An ONNX model of one node that looks up tokens. Field numbers are from onnx.proto. */
function lookup(): Uint8Array {
	const weights = new Float32Array(WORDS.length * DIMENSIONS);
	for (const [id, word] of WORDS.entries())
		weights[id * DIMENSIONS + MEANINGS.findIndex((words) => words.includes(word))] = 1;
	const bytes = new Uint8Array(weights.buffer);
	const table = message([1, WORDS.length], [1, DIMENSIONS], [2, 1], [8, "weights"], [9, bytes]);
	const node = message([1, "weights"], [1, "input_ids"], [2, "last_hidden_state"], [4, "Gather"]);
	const inputs: Field[] = ["input_ids", "attention_mask"].map((name) => [11, value(name, 7)]);
	const output = value("last_hidden_state", 1);
	const graph = message([1, node], [2, "tiny"], [5, table], ...inputs, [12, output]);
	return message([1, 8], [7, graph], [8, message([2, 17])]);
}

function value(name: string, type: number): Uint8Array {
	return message([1, name], [2, message([1, message([1, type])])]);
}

type Field = readonly [number, number | string | Uint8Array];

/** Encodes Protocol Buffers: integers as varints, other fields with their length. */
function message(...fields: readonly Field[]): Uint8Array {
	return Buffer.concat(
		fields.map(([number, content]) => {
			if (typeof content === "number") return Buffer.concat([varint(number << 3), varint(content)]);
			const bytes = Buffer.from(content as string);
			return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
		}),
	);
}

function varint(value: number): Buffer {
	const bytes: number[] = [];
	for (let rest = value; ; rest >>>= 7) {
		if (rest < 128) return Buffer.from([...bytes, rest]);
		bytes.push((rest & 127) | 128);
	}
}
