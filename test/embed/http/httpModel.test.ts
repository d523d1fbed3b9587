import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Failure } from "../../../src/base/failure.ts";
import type { EmbeddingSettings } from "../../../src/core/knowledge/embedder.ts";
import {
	createHttpEmbedder,
	createHttpModel,
	readEmbeddingAddress,
} from "../../../src/embed/http/httpModel.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import {
	type Answer,
	answerWell,
	DIMENSIONS,
	sendJson,
	serveEmbeddings,
	vectorOf,
} from "./fakeEmbeddings.ts";

const never = new AbortController().signal;
const SECRET = "sk-very-secret";
type Settings = Omit<EmbeddingSettings, "provider">;

function modelOn({ endpoint }: { readonly endpoint: string }, settings: Settings = {}, key?: string) {
	return createHttpModel({
		settings: { provider: "openai-compatible", endpoint, model: "words", ...settings },
		keyOf: async () => key,
	});
}

function refusing(status: number, message: string, retryAfter = "0"): Answer {
	return (_asked, response) =>
		sendJson(response.setHeader("retry-after", retryAfter), { error: { message } }, status);
}

function unitVectorOf(text: string): number[] {
	const vector = vectorOf(text, "words");
	const length = Math.hypot(...vector);
	return Array.from(vector, (value) => Math.fround(value / length));
}

function failsSaying(...words: RegExp[]) {
	return (thrown: unknown) => {
		assert.ok(thrown instanceof Failure, String(thrown));
		for (const word of words) assert.match(thrown.message, word);
		assert.doesNotMatch(thrown.message, /sk-/, "the key must not be in a message, not in part either");
		return true;
	};
}

test("every text gets a unit vector of its words, whatever the order of the answers", async (t) => {
	const fake = await serveEmbeddings(t);
	const texts = Array.from({ length: 23 }, (_, at) => `lamp ${at} lit by keeper ${at % 7}`);
	const vectors = await modelOn(fake, { batchSize: 5 }).passages(texts, never);
	for (const [index, text] of texts.entries()) {
		const row = [...vectors.subarray(index * DIMENSIONS, (index + 1) * DIMENSIONS)];
		for (const [d, value] of unitVectorOf(text).entries()) assert.ok(Math.abs(value - (row[d] ?? 0)) < 1e-6);
	}
	assert.deepEqual(fake.asked.map(({ input }) => input.length).sort(), [3, 5, 5, 5, 5]);
});

test("a request has at most the characters that a small server accepts", async (t) => {
	const fake = await serveEmbeddings(t);
	await modelOn(fake).passages(new Array<string>(10).fill("word ".repeat(2000)), never);
	assert.ok(fake.asked.every(({ input }) => input.join("").length <= 32_000));
	assert.equal(fake.asked.length, 4);
});

test("the model adds prefixes to questions and passages, and the id includes the prefix of passages", async (t) => {
	const fake = await serveEmbeddings(t);
	const model = modelOn(fake, { queryPrefix: "query: ", passagePrefix: "passage: ", dimensions: 16 });
	await model.passages(["lamp"], never);
	await model.questions(["lamp"], never);
	assertMapped(fake.asked, ({ input }) => input.join(), ["passage: lamp", "query: lamp"]);
	assertMapped(fake.asked, ({ dimensions }) => dimensions, [16, 16]);
	assert.equal(model.id, 'openai-compatible/words 16d "passage: "');
});

test("a server error and a closed connection are retried", async (t) => {
	const fake = await serveEmbeddings(t, (_asked, response) => {
		fake.answer = (_next, cut) => {
			fake.answer = answerWell;
			cut.destroy();
		};
		sendJson(response, "broken", 503);
	});
	await modelOn(fake).passages(["lamp"], never);
	assert.equal(fake.asked.length, 3);
});

for (const [name, status, ...words] of [
	["with a requested pause of an hour", 429, /429: no, not not/],
	["of a wrong key", 401, /Set Embedding API Key/],
	["of an unknown model", 404, /not know the model "words"/, /embedding\.options\.model/],
	["by a redirect", 307, /redirects to another address/, /embedding\.options\.endpoint/],
] as const)
	test(`a refusal ${name} is not retried, and the message asks for an action`, async (t) => {
		const fake = await serveEmbeddings(t, refusing(status, `no, ${"not ".repeat(48)}${SECRET}`, "3600"));
		await assert.rejects(modelOn(fake, {}, SECRET).passages(["lamp"], never), failsSaying(...words));
		assert.equal(fake.asked.length, 1);
	});

for (const status of [400, 500])
	test(`the model sends texts separately after status ${status}, and cuts a long text`, async (t) => {
		const fake = await serveEmbeddings(t, (asked, response) => {
			if (asked.input.join("").length > 1000) sendJson(response, { error: "input is too long" }, status);
			else answerWell(asked, response);
		});
		const long = "lamp ".repeat(500);
		const vectors = await modelOn(fake).passages(["bread", long, "storm"], never);
		const rows = [0, 1, 2].map((row) => [...vectors.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS)]);
		assert.deepEqual([rows[0], rows[2]], [unitVectorOf("bread"), unitVectorOf("storm")]);
		assert.equal(Math.max(...(rows[1] ?? [])) > 0.9, true);
		assert.ok(fake.asked.length < 10);
	});

test("other refusals and vectors of a wrong length fail with a message that states the error", async (t) => {
	const fake = await serveEmbeddings(t, refusing(400, "unknown field"));
	await assert.rejects(modelOn(fake).passages(["lamp", "bread"], never), failsSaying(/400: unknown field/));
	fake.answer = (asked, reply) => answerWell({ ...asked, dimensions: 8 }, reply);
	const asking = modelOn(fake, { dimensions: 16 }).passages(["lamp"], never);
	await assert.rejects(asking, failsSaying(/of 8 numbers, not of 16/, /embedding\.options\.dimensions/));
	const uneven = [0, 1].map((index) => ({ index, embedding: new Array(index + 1).fill(1) }));
	fake.answer = (_asked, response) => sendJson(response, { data: uneven });
	await assert.rejects(modelOn(fake).passages(["lamp", "bread"], never), failsSaying(/different lengths/));
});

test("an invalid answer fails with a message that names the endpoint", async (t) => {
	const fake = await serveEmbeddings(t);
	const repeated = [0, 0].map((index) => ({ index, embedding: [1] }));
	for (const data of [undefined, [], repeated, [0, 1].map((index) => ({ index, embedding: [null, "x"] }))]) {
		fake.answer = (_asked, response) => sendJson(response, { data });
		const asking = modelOn(fake).passages(["lamp", "bread"], never);
		await assert.rejects(asking, failsSaying(/does not answer like an embeddings endpoint/));
	}
});

test("cancellation ends a hanging request and the pause before a retry", async (t) => {
	const arrived = Promise.withResolvers<void>();
	const fake = await serveEmbeddings(t, () => arrived.resolve());
	const controller = new AbortController();
	const asking = assert.rejects(modelOn(fake).passages(["lamp"], controller.signal), { name: "AbortError" });
	await arrived.promise;
	controller.abort();
	await asking;
	const resting = new AbortController();
	fake.answer = (_asked, response) => {
		response.setHeader("retry-after", "50");
		sendJson(response, {}, 503);
		once(response, "close").then(() => resting.abort());
	};
	await assert.rejects(modelOn(fake).passages(["lamp"], resting.signal), { name: "AbortError" });
});

test("invalid settings fail with a message that names the setting", () => {
	const endpoints = ["localhost:11434", "file:///etc", "http://me:secret@localhost/v1"];
	const wrong: Settings[] = [{ model: "" }, ...endpoints.map((endpoint) => ({ endpoint }))];
	const fake = { endpoint: "http://localhost/v1" };
	for (const settings of wrong) assert.throws(() => modelOn(fake, settings), failsSaying(/copilot-LD\.emb/));
});

test("the address of the endpoint may be a base address or complete, and keeps its query", () => {
	const urlOf = (text: string) => readEmbeddingAddress(text).url;
	assert.equal(urlOf("http://localhost:11434/v1"), "http://localhost:11434/v1/embeddings");
	assert.equal(urlOf(" https://api.example.org/v1/embeddings/ "), "https://api.example.org/v1/embeddings");
	const azure = "https://me.openai.azure.com/openai/deployments/small/embeddings?api-version=2024-10-21";
	assert.equal(urlOf(azure), azure);
	const { name, headersOf } = readEmbeddingAddress(azure);
	assert.equal(name, "https://me.openai.azure.com/openai/deployments/small/embeddings");
	assert.deepEqual(headersOf("k"), { "api-key": "k" });
});

test("a slow endpoint fails with a message that states the time limit", async (t) => {
	const fake = await serveEmbeddings(t, () => undefined);
	const address = readEmbeddingAddress(fake.endpoint);
	const settings = { provider: "openai-compatible", model: "words" } as const;
	const options = { address, settings, key: async () => undefined };
	const patience = { tries: 2, firstWaitMs: 1, longestWaitMs: 1 };
	const slow = createHttpEmbedder({ ...options, timeLimitMs: 20, patience });
	const asking = slow(["lamp"], new AbortController().signal);
	await assert.rejects(asking, { code: "ENDPOINT_FAILED", message: /no answer within 0\.02 s/ });
});
