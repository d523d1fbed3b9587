import assert from "node:assert/strict";
import { resolve } from "node:path";
import { type TestContext, test } from "node:test";
import {
	createEmbeddingProcess,
	type EmbeddingProcess,
	troubleOfRuntime,
} from "../../../src/embed/transformer/embeddingProcess.ts";
import { batchesOf, openSentenceTransformer } from "../../../src/embed/transformer/sentenceTransformer.ts";
import { createBackgroundPace } from "../../../src/embed/transformer/transformerModel.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { times } from "../../support/times.ts";
import { DIMENSIONS, MAX_TOKENS, tinyFiles, writeTinyModel } from "./tinyModel.ts";

test("long work rests while others need the machine, short work never does", async (t) => {
	const clock = { now: 0, busy: 0, idle: 0 };
	const slept: number[] = [];
	t.mock.method(performance, "now", () => clock.now);
	const others = [0.9, 0.9, 0.1];
	const inBackground = createBackgroundPace({
		times: () => ({ idle: clock.idle, all: clock.idle + clock.busy }),
		sleep: async (ms) => {
			slept.push(ms);
			clock.now += ms;
			const share = others[Math.floor(slept.length / 2)] ?? 0;
			clock.busy += ms * share;
			clock.idle += ms * (1 - share);
		},
	});
	const step = async () => {
		clock.now += 6_000;
	};
	const signal = new AbortController().signal;
	for (const expected of [[], [], [250, 2_000, 250, 2_000, 250]]) {
		slept.length = 0;
		await inBackground(step, signal);
		assert.deepEqual(slept, expected);
	}
});

test("on a machine that is always busy, work goes on after half a minute", async (t) => {
	const clock = { now: 0 };
	t.mock.method(performance, "now", () => clock.now);
	const inBackground = createBackgroundPace({
		times: () => ({ idle: 0, all: clock.now }),
		sleep: async (ms) => {
			clock.now += ms;
		},
	});
	const signal = new AbortController().signal;
	const step = async () => {
		clock.now += 11_000;
	};
	await inBackground(step, signal);
	const before = clock.now;
	await inBackground(step, signal);
	assert.ok(clock.now - before < 11_000 + 33_000);
});

const PROGRAM = resolve("src/embed/transformer/embeddingProgram.ts");
const never = new AbortController().signal;

async function open(t: TestContext, options?: { readonly idleMs: number }): Promise<EmbeddingProcess> {
	const process = createEmbeddingProcess(PROGRAM, await writeTinyModel(t), options);
	t.after(() => process.close());
	return process;
}

test("texts are embedded in a process that starts again after it was closed or has rested", async (t) => {
	const process = await open(t, { idleMs: 1 });
	for (const text of ["cost", "car"]) {
		assert.equal((await process.embed([text], never)).dimensions, DIMENSIONS);
		process.close();
	}
});

test("what is asked while the process is closed is rejected, and so is what was cancelled", async (t) => {
	const process = await open(t);
	const asked = process.embed(["cost"], never);
	process.close();
	await assert.rejects(asked, { name: "Failure", code: "MODEL_FAILED" });
	const stop = new AbortController();
	const cancelled = process.embed(["cost"], stop.signal);
	stop.abort();
	await assert.rejects(cancelled, { name: "AbortError" });
});

test("a program that is missing, and a folder that is no model, are failures and no crashes", async (t) => {
	const nowhere = createEmbeddingProcess(resolve("nowhere.cjs"), "/nowhere");
	for (let time = 0; time < 2; time++)
		await assert.rejects(nowhere.embed(["cost"], never), { code: "MODEL_FAILED", message: /ended \(1\)/ });
	const folder = await writeTinyModel(t, { "tokenizer.json": undefined });
	const empty = createEmbeddingProcess(PROGRAM, folder);
	await assert.rejects(empty.embed(["cost"], never), { message: /tokenizer\.json is missing/ });
	assert.match((await troubleOfRuntime(resolve("nowhere.cjs"))) ?? "", /ended \(1\)/);
	assert.equal(await troubleOfRuntime(PROGRAM), undefined);
});

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
	const expected = [times(4, () => 256), [200], times(8, () => 3), [3]];
	assertMapped(batches, (batch) => batch.map(({ tokens }) => tokens.length), expected);
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
