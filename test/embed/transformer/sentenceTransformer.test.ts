import assert from "node:assert/strict";
import { test } from "node:test";
import { batchesOf, openSentenceTransformer } from "../../../src/embed/transformer/sentenceTransformer.ts";
import { DIMENSIONS, MAX_TOKENS, tinyFiles, writeTinyModel } from "./tinyModel.ts";

const cosine = (vectors: Float32Array, a: number, b: number) => {
	const at = (index: number) => vectors.subarray(index * DIMENSIONS, (index + 1) * DIMENSIONS);
	return at(a).reduce((sum, value, d) => sum + value * (at(b)[d] ?? 0), 0);
};

test("texts of the same meaning are near, whatever stands beside them in a batch", async (t) => {
	const model = await openSentenceTransformer(await writeTinyModel(t));
	const { dimensions, vectors } = await model.embed(["cost", "price", "car ".repeat(9), "keeper lamp"]);
	assert.equal(dimensions, DIMENSIONS);
	assert.ok(Math.abs(cosine(vectors, 0, 1) - 1) < 1e-6);
	assert.ok(cosine(vectors, 0, 2) < 0.5);
	const alone = await model.embed(["cost"]);
	assert.deepEqual(alone.vectors, vectors.subarray(0, DIMENSIONS));
});

test("a text that is longer than the model's input is embedded whole", async (t) => {
	const model = await openSentenceTransformer(await writeTinyModel(t));
	const { vectors } = await model.embed([`${"lamp ".repeat(MAX_TOKENS * 3)}keeper`, "keeper", ""]);
	const short = await model.embed(["lamp ".repeat(3 * MAX_TOKENS), "keeper"]);
	assert.ok(cosine(vectors, 0, 1) > cosine(short.vectors, 0, 1), "its last word counts");
	assert.ok(vectors.every(Number.isFinite));
});

test("the first token's vector is the text's if the model says so", async (t) => {
	const pooling = JSON.stringify({ pooling_mode_cls_token: true, pooling_mode_mean_tokens: false });
	const model = await openSentenceTransformer(await writeTinyModel(t, { "1_Pooling/config.json": pooling }));
	const { vectors } = await model.embed(["cost", "car"]);
	assert.ok(Math.abs(cosine(vectors, 0, 1) - 1) < 1e-6);
});

test("batches hold at most eight inputs of nearly the same length, and a thousand tokens", () => {
	const window = (length: number, text: number) => ({ text, tokens: Array.from({ length }, () => 1) });
	const lengths = [256, 3, 200, 3, 256, 256, 256, 3, 3, 3, 3, 3, 3, 3];
	const batches = batchesOf(lengths.map(window));
	assert.deepEqual(
		batches.map((batch) => batch.map(({ tokens }) => tokens.length)),
		[[256, 256, 256, 256], [200], [3, 3, 3, 3, 3, 3, 3, 3], [3]],
	);
});

const unusable = [
	["tokenizer.json", undefined, /tokenizer\.json is missing/],
	["config.json", undefined, /config\.json is missing/],
	["config.json", "[", /config\.json has another content/],
	["config.json", '{"max_position_embeddings":2}', /config\.json has another content/],
	["1_Pooling/config.json", undefined, /1_Pooling\/config\.json is missing/],
	["onnx/model.onnx", undefined, /onnx\/model_quantized\.onnx is missing/],
	["modules.json", '[{"type":"sentence_transformers.models.Dense"}]', /module .*Dense/],
] as const;
for (const [path, content, expected] of unusable)
	test(`a folder whose ${path} is ${content ?? "missing"} is refused with the name of what is wrong`, async (t) => {
		assert.ok(path in tinyFiles());
		await assert.rejects(openSentenceTransformer(await writeTinyModel(t, { [path]: content })), {
			name: "Failure",
			message: expected,
		});
	});
