import assert from "node:assert/strict";
import { test } from "node:test";
import { readEmbeddingAddress } from "../../../src/embed/http/embeddingAddress.ts";
import { createHttpEmbedder } from "../../../src/embed/http/httpEmbedder.ts";
import { modelIdOf, readModelId } from "../../../src/embed/http/modelId.ts";
import { batchesOf } from "../../../src/embed/http/textBatches.ts";
import { serveEmbeddings } from "./fakeEmbeddings.ts";

test("base addresses and whole ones lead to the endpoint, with their query", () => {
	const urlOf = (text: string) => readEmbeddingAddress(text).url;
	assert.equal(urlOf("http://localhost:11434/v1"), "http://localhost:11434/v1/embeddings");
	assert.equal(urlOf(" https://api.example.org/v1/embeddings/ "), "https://api.example.org/v1/embeddings");
	const azure = "https://me.openai.azure.com/openai/deployments/small/embeddings?api-version=2024-10-21";
	assert.equal(urlOf(azure), azure);
	const { name, headersOf } = readEmbeddingAddress(azure);
	assert.equal(name, "https://me.openai.azure.com/openai/deployments/small/embeddings");
	assert.deepEqual(headersOf("k"), { "api-key": "k" });
});

test("the id of a model tells which one it was", () => {
	for (const choice of [
		{ model: "nomic-embed-text:latest" },
		{ model: "BAAI/bge-m3", dimensions: 256 },
		{ model: "e5", passagePrefix: 'passage: "x" ' },
		{ model: "e5", dimensions: 64, passagePrefix: "passage: " },
	])
		assert.deepEqual(readModelId(modelIdOf(choice)), choice);
	assert.equal(readModelId("static-embedding-1-32000x256"), undefined);
});

test("batches keep the order, and a text that is too long stands alone", () => {
	const texts = ["a", "b", "x".repeat(40_000), "c"];
	assert.deepEqual(batchesOf(texts, 64), [["a", "b"], ["x".repeat(40_000)], ["c"]]);
	assert.deepEqual(batchesOf([], 64), []);
});

test("an endpoint that is too slow is a failure that tells the limit", async (t) => {
	const fake = await serveEmbeddings(t, () => undefined);
	const options = {
		address: readEmbeddingAddress(fake.endpoint),
		model: "words",
		key: async () => undefined,
	};
	const patience = { tries: 2, firstWaitMs: 1, longestWaitMs: 1 };
	const slow = createHttpEmbedder({ ...options, timeLimitMs: 20, patience });
	const asking = slow.embed(["lamp"], new AbortController().signal);
	await assert.rejects(asking, { code: "ENDPOINT_FAILED", message: /no answer within 0\.02 s/ });
});
