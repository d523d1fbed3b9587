import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdir, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join, resolve } from "node:path";
import { type TestContext, test } from "node:test";
import { sizeOf } from "../../../src/base/files/file.ts";
import { createLock } from "../../../src/base/files/lock.ts";
import { downloadModel } from "../../../src/embed/transformer/download.ts";
import { createEmbeddingProcess, troubleOfRuntime } from "../../../src/embed/transformer/embeddingProcess.ts";
import { readModelForm } from "../../../src/embed/transformer/modelForm.ts";
import type { OfferedModel } from "../../../src/embed/transformer/offeredModels.ts";
import { batchesOf, openSentenceTransformer } from "../../../src/embed/transformer/sentenceTransformer.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { makeFolder } from "../../support/folder.ts";
import { portOf } from "../../support/listening.ts";
import { times } from "../../support/times.ts";
import { untilIt } from "../../support/untilIt.ts";
import { DIMENSIONS, MAX_TOKENS, tinyFiles, writeTinyModel } from "./tinyModel.ts";

const never = new AbortController().signal;

const PROGRAM = resolve("src/embed/transformer/embeddingProgram.ts");

async function open(t: TestContext, options?: { readonly idleMs: number }) {
	const process = createEmbeddingProcess(PROGRAM, await writeTinyModel(t), options);
	t.after(() => process.close());
	return process;
}

test("the embedding process restarts after closing or idling", async (t) => {
	const process = await open(t, { idleMs: 1 });
	for (const text of ["cost", "car"]) {
		assert.equal((await process.embed([text], never)).length, DIMENSIONS);
		process.close();
	}
});

test("closing the embedding process rejects open requests, and cancellation rejects the canceled request", async (t) => {
	const process = await open(t);
	const asked = process.embed(["cost"], never);
	process.close();
	await assert.rejects(asked, { name: "Failure", code: "MODEL_FAILED" });
	const stop = new AbortController();
	const cancelled = process.embed(["cost"], stop.signal);
	stop.abort();
	await assert.rejects(cancelled, { name: "AbortError" });
});

test("a missing embedding program is reported as a failure", async () => {
	const nowhere = createEmbeddingProcess(resolve("nowhere.cjs"), "/nowhere");
	for (let time = 0; time < 2; time++)
		await assert.rejects(nowhere.embed(["cost"], never), { code: "MODEL_FAILED", message: /ended \(1\)/ });
	assert.match((await troubleOfRuntime(resolve("nowhere.cjs"))) ?? "", /ended \(1\)/);
	assert.equal(await troubleOfRuntime(PROGRAM), undefined);
});

const cosine = (vectors: Float32Array, a: number, b: number) => {
	const at = (index: number) => vectors.subarray(index * DIMENSIONS, (index + 1) * DIMENSIONS);
	return at(a).reduce((sum, value, d) => sum + value * (at(b)[d] ?? 0), 0);
};

test("texts of equal meaning have near vectors, whatever other texts are in the batch", async (t) => {
	const model = await openSentenceTransformer(await writeTinyModel(t));
	const vectors = await model.embed(["cost", "price", "car ".repeat(9), "keeper lamp"]);
	assert.ok(Math.abs(cosine(vectors, 0, 1) - 1) < 1e-6);
	assert.ok(cosine(vectors, 0, 2) < 0.5);
	assert.deepEqual(await model.embed(["cost"]), vectors.subarray(0, DIMENSIONS));
});

test("a text longer than the model's input is embedded completely", async (t) => {
	const model = await openSentenceTransformer(await writeTinyModel(t));
	const vectors = await model.embed([`${"lamp ".repeat(MAX_TOKENS * 3)}keeper`, "keeper", ""]);
	const short = await model.embed(["lamp ".repeat(3 * MAX_TOKENS), "keeper"]);
	assert.ok(cosine(vectors, 0, 1) > cosine(short, 0, 1), "its last word counts");
	assert.ok(vectors.every(Number.isFinite));
});

test("a model with CLS pooling uses the first token's vector", async (t) => {
	const pooling = JSON.stringify({ pooling_mode_cls_token: true, pooling_mode_mean_tokens: false });
	const model = await openSentenceTransformer(await writeTinyModel(t, { "1_Pooling/config.json": pooling }));
	const vectors = await model.embed(["cost", "car"]);
	assert.ok(Math.abs(cosine(vectors, 0, 1) - 1) < 1e-6);
});

test("a batch has at most eight inputs of similar length and 1,024 tokens", () => {
	const window = (length: number, text: number) => ({ text, tokens: Array.from({ length }, () => 1) });
	const lengths = [256, 3, 200, 3, 256, 256, 256, 3, 3, 3, 3, 3, 3, 3];
	const batches = batchesOf(lengths.map(window));
	const expected = [times(4, () => 256), [200], times(8, () => 3), [3]];
	assertMapped(batches, (batch) => batch.map(({ tokens }) => tokens.length), expected);
});

for (const [path, content, message] of [
	["tokenizer.json", undefined, /tokenizer\.json is missing/],
	["config.json", "[", /config\.json does not have the content/],
	["config.json", '{"max_position_embeddings":2}', /config\.json does not have the content/],
	["1_Pooling/config.json", undefined, /1_Pooling\/config\.json is missing/],
	["onnx/model.onnx", undefined, /onnx\/model_quantized\.onnx is missing/],
	["modules.json", '[{"type":"sentence_transformers.models.Dense"}]', /module .*Dense/],
] as const)
	test(`a model whose ${path} is ${content ?? "missing"} is refused with the reason`, async (t) => {
		assert.ok(path in tinyFiles());
		const folder = await writeTinyModel(t, { [path]: content });
		await assert.rejects(openSentenceTransformer(folder), { name: "Failure", message });
	});

type Answer = (request: IncomingMessage, response: ServerResponse, content: Buffer) => void;

const FILES = Object.entries(tinyFiles()).map(([path, content]) => ({ path, content: Buffer.from(content) }));
const LARGEST = "tokenizer.json";

const sendWell: Answer = ({ headers }, response, content) => {
	const start = Number(/^bytes=(\d+)-$/.exec(headers.range ?? "")?.[1] ?? 0);
	if (start >= content.length) return void response.writeHead(416).end();
	response.writeHead(start > 0 ? 206 : 200, { "content-type": "application/octet-stream" });
	response.end(content.subarray(start));
};

/** Serves a model locally and returns a function that downloads it. */
async function publish(t: TestContext, answer: Answer = sendWell) {
	const asked: string[] = [];
	const publisher = { answer, asked };
	const server = createServer((request, response) => {
		const path = (request.url ?? "").slice(1);
		asked.push(`${path} ${request.headers.range ?? ""}`);
		const file = FILES.find((each) => each.path === path);
		publisher.answer(request, response, file?.content ?? assert.fail(path));
	});
	const port = await portOf(t, server);
	const model: OfferedModel = {
		...{ name: "tiny", languages: "English", licence: "MIT", address: `http://127.0.0.1:${port}/` },
		files: FILES.map(({ path, content }) => ({
			...{ path, size: content.length + 10 },
			hash: createHash("sha256").update(content).digest("hex"),
		})),
		form: { pooling: "mean", maxTokens: 16 },
	};
	const folder = await makeFolder(t);
	const reported: number[] = [];
	const download = (signal = never) =>
		downloadModel(model, { folder, report: (done, all) => reported.push(done / all) }, signal);
	return { publisher, model, folder, reported, download, server };
}

test("a download is complete and reports its progress", async (t) => {
	const { download, reported, folder } = await publish(t);
	const whole = await download();
	assert.equal(whole, join(folder, "tiny"));
	assert.match((await readModelForm(whole)).id, /^tiny /);
	assert.deepEqual(reported.toSorted(), reported);
	assert.ok((reported.at(-1) ?? 0) > 0.9);
	assert.deepEqual(await readdir(folder), ["tiny"]);
});

test("an interrupted download resumes at the same byte", async (t) => {
	const { download, publisher, folder } = await publish(t, ({ url }, response, content) => {
		if (url !== `/${LARGEST}`) return void response.end(content);
		response.writeHead(200, { "content-length": content.length });
		response.write(content.subarray(0, 100));
		const written = () => sizeOf(join(folder, "tiny.partial", LARGEST));
		void untilIt(written, (size) => size === 100).then(() => response.socket?.end());
	});
	await assert.rejects(download(), { name: "Failure", message: /cannot be reached/ });
	assert.deepEqual(await readdir(folder), ["tiny.partial"]);
	publisher.answer = sendWell;
	publisher.asked.length = 0;
	await download();
	assert.equal(publisher.asked[0], `${LARGEST} bytes=100-`);
});

const signIn: Answer = (_, response) =>
	response.writeHead(200, { "content-type": "text/html" }).end("<p>Sign in</p>");

const endless: Answer = (_, response) => {
	response.on("error", () => undefined);
	const more = () => void (response.destroyed || response.write(Buffer.alloc(65_536), more));
	more();
};

const refused: readonly (readonly [string, Answer, RegExp])[] = [
	["a page of a captive portal", signIn, /web page came.*by hand/],
	["another file", (_, response, content) => response.end(Buffer.alloc(content.length)), /checksum differs/],
	["an endless file", endless, /larger than/],
	["an error", (_, response) => response.writeHead(503).end(), /answered 503/],
];
for (const [what, answer, expected] of refused)
	test(`a download of ${what} is rejected, and a later download succeeds`, async (t) => {
		const { download, publisher, folder } = await publish(t, answer);
		await assert.rejects(download(), { name: "Failure", message: expected });
		assert.ok(!(await readdir(folder)).includes("tiny"));
		publisher.answer = sendWell;
		await download();
	});

test("two windows do not download a model at once", async (t) => {
	const { download, folder } = await publish(t);
	await writeFile(join(folder, "indexer.lock"), JSON.stringify({ id: "x", pid: 1, host: "elsewhere" }));
	await assert.rejects(download(), { code: "BUSY" });
	assert.equal(await createLock(folder).acquire(), false);
});
