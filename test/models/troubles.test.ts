import assert from "node:assert/strict";
import { test } from "node:test";
import { createModelServer } from "../../src/models/modelServer.ts";
import type { ModelTrouble } from "../../src/models/modelTrouble.ts";
import { readServerAddress } from "../../src/models/serverAddress.ts";
import { openServer, partsOf, REQUEST } from "./openServer.ts";
import { begin, delta, json, sends, streams } from "./scriptedServer.ts";

for (const { name, kind, answer, words } of [
	{
		name: "a key that is refused",
		kind: "keyRefused",
		answer: json({ error: { message: "Incorrect key sk-secret." } }, 401),
		words: /does not accept the key \(401: Incorrect key …\)/,
	},
	{
		name: "an unknown model",
		kind: "modelUnknown",
		answer: json({ error: { message: "model 'tiny' not found" } }, 404),
		words: /does not know the model "tiny" \(404: model 'tiny' not found\)/,
	},
	{
		name: "a question that is too long",
		kind: "contextExceeded",
		answer: json({ error: { message: "the request exceeds the available context size" } }, 400),
		words: /longer than "tiny"/,
	},
	{
		name: "a question that turns out too long",
		kind: "contextExceeded",
		answer: streams({ error: { message: "Prompt is longer than the context length" } }),
		words: /longer than "tiny"/,
	},
	{
		name: "a request that is refused",
		kind: "refused",
		answer: json({ error: { message: "temperature must be 1" } }, 400),
		words: /refused the request \(400: temperature must be 1\)/,
	},
	{
		name: "a server that always fails",
		kind: "serverFailed",
		answer: json({ error: "out of memory" }, 503),
		words: /failed \(503: out of memory\)/,
	},
	{
		name: "a line that is no JSON",
		kind: "malformed",
		answer: sends('data: {"choices":\n\n'),
		words: /not one of OpenAI's protocol/,
	},
	{
		name: "a line without an end",
		kind: "malformed",
		answer: sends("data: ", Buffer.alloc(9 * 1024 * 1024, 97)),
		words: /larger than any answer/,
	},
	{
		name: "a page instead of an answer",
		kind: "brokenOff",
		answer: sends("<!doctype html><title>Welcome</title>"),
		words: /broke off/,
	},
]) {
	test(`${name} is told in words`, async (t) => {
		const { scripted, ask } = await openServer(t, { key: "sk-secret" });
		scripted.play(answer);
		await assert.rejects(ask(), (thrown: ModelTrouble) => {
			assert.match(thrown.message, words);
			assert.doesNotMatch(thrown.message, /sk-secret/);
			assert.deepEqual([thrown.kind, thrown.code], [kind, "MODEL_FAILED"]);
			return true;
		});
	});
}

test("nobody at the address is told at once", async () => {
	const [gone] = readServerAddress("http://127.0.0.1:2");
	const server = createModelServer({ address: gone, key: undefined });
	await assert.rejects(partsOf(server.respond(REQUEST, new AbortController().signal)), {
		kind: "unreachable",
		message: /cannot be reached \(ECONNREFUSED\)/,
	});
});

test("a server that falls silent, before or within its answer, is left", async (t) => {
	const { scripted, ask } = await openServer(t, { silenceMs: 30 });
	scripted.play(() => undefined);
	await assert.rejects(ask(), { kind: "silent", message: /said nothing for 0\.03 s/ });
	scripted.play((response) => {
		begin(response);
		response.write(`data: ${JSON.stringify(delta({ content: "Ida" }))}\n\n`);
	});
	await assert.rejects(ask(), { kind: "silent" });
	await scripted.asked[1]?.left;
	assert.equal(scripted.asked.length, 2);
});

test("a key that cannot be sent is not repeated, and the server's words are no link", async (t) => {
	const { scripted, ask } = await openServer(t, { key: "sk-\nsecret" });
	await assert.rejects(ask(), (thrown: Error) => !thrown.message.includes("secret"));
	assert.equal(scripted.asked.length, 0);
	const other = await openServer(t);
	other.scripted.play(json({ error: { message: "Go [here](command:evil) $(zap)" } }, 400));
	await assert.rejects(other.ask(), (thrown: Error) => !/\]\(|\$\(/.test(thrown.message));
});
