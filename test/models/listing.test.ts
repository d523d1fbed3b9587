import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { type TestContext, test } from "node:test";
import { createModelServer } from "../../src/models/modelServer.ts";
import { isReadByOthers, readServerAddress } from "../../src/models/serverAddress.ts";
import { json, scriptedServer } from "./scriptedServer.ts";

const { signal } = new AbortController();

async function open(t: TestContext) {
	const scripted = await scriptedServer(t);
	const [address] = readServerAddress(scripted.origin);
	return { scripted, server: createModelServer({ address, key: undefined }) };
}

test("an address is taken as manuals give it", () => {
	const basesOf = (text: string) => readServerAddress(text).map(({ base }) => base);
	assert.deepEqual(basesOf("localhost:11434"), ["http://localhost:11434/v1"]);
	assert.deepEqual(basesOf(" http://localhost:1234/v1/ "), ["http://localhost:1234/v1"]);
	assert.deepEqual(basesOf("https://api.example.org/v1/chat/completions"), ["https://api.example.org/v1"]);
	assert.deepEqual(basesOf("https://router.ai/api"), ["https://router.ai/api", "https://router.ai/api/v1"]);
	assert.deepEqual(basesOf("http://[::1]:8080?key=1#x"), ["http://[::1]:8080/v1"]);
	for (const bad of ["", "ftp://x", "http://me:secret@host/v1", "file:///etc/passwd", "not an address"])
		assert.throws(() => readServerAddress(bad), { code: "BAD_INPUT" });
});

test("only what leaves this machine unencrypted is read by others", () => {
	const isRead = (text: string) => isReadByOthers(readServerAddress(text)[0]);
	const own = "localhost:1 http://127.0.0.9/v1 http://[::1]:1 http://x.localhost https://x.org".split(" ");
	const read = "http://10.0.0.2:1 http://localhost.example.org http://127.example.o http://[::2]".split(" ");
	assert.deepEqual([...own, ...read].filter(isRead), read);
});

test("the models that a server lists are told with what it says of them", async (t) => {
	const { scripted, server } = await open(t);
	const data = [
		{ id: "vllm", max_model_len: 8192 },
		{
			id: "router",
			context_length: 200_000,
			architecture: { input_modalities: ["text", "image"] },
			supported_parameters: ["tools"],
		},
		{ id: "mistral", max_context_length: 32_768, capabilities: { function_calling: false, vision: false } },
		{ id: "plain", context_length: -1 },
		{ id: 7 },
		null,
	];
	scripted.pages.set("/v1/models", json({ object: "list", data }));
	assert.deepEqual(await server.models(signal), [
		{ name: "vllm", contextTokens: 8192 },
		{ name: "router", contextTokens: 200_000, canCallTools: true, canSeeImages: true },
		{ name: "mistral", contextTokens: 32_768, canCallTools: false, canSeeImages: false },
		{ name: "plain" },
	]);
});

test("a list of a hundred thousand models is read, without names that are none", async (t) => {
	const { scripted, server } = await open(t);
	const data = Array.from({ length: 100_000 }, (_, n) => ({ id: `model-${n}` }));
	scripted.pages.set("/v1/models", json({ data: [...data, { id: "x".repeat(100_000) }] }));
	assert.equal((await server.models(signal)).length, 100_000);
});

test("a server without a list of models is told in words", async (t) => {
	const { scripted, server } = await open(t);
	scripted.pages.set("/v1/models", json({ data: "world" }));
	await assert.rejects(server.models(signal), { kind: "malformed", message: /it lists no models/ });
	scripted.pages.delete("/v1/models");
	await assert.rejects(server.models(signal), { kind: "modelUnknown", message: /does not list its models/ });
});

test("Ollama tells the window that it serves, not the longest that the model could take", async (t) => {
	const { scripted, server } = await open(t);
	const shown = {
		capabilities: ["completion", "tools"],
		model_info: { "general.architecture": "llama", "llama.context_length": 131_072 },
	};
	scripted.pages.set("/api/show", json(shown));
	const can = { name: "llama3.2", canCallTools: true, canSeeImages: false };
	assert.deepEqual(await server.describe({ name: "llama3.2" }, signal), { ...can, contextTokens: 4096 });
	scripted.pages.set("/api/ps", json({ models: [{ name: "llama3.2", context_length: 16_384 }] }));
	assert.deepEqual(await server.describe({ name: "llama3.2" }, signal), { ...can, contextTokens: 16_384 });
	scripted.pages.set("/api/show", json({ ...shown, parameters: 'stop "x"\nnum_ctx            8192\n' }));
	assert.deepEqual(await server.describe({ name: "llama3.2" }, signal), { ...can, contextTokens: 8192 });
	assert.deepEqual(scripted.asked[0]?.body, { model: "llama3.2" });
});

const able = { canCallTools: true, canSeeImages: true };
const sizes = { max_context_length: 32_768, loaded_context_length: 4096 };
const studio = { type: "vlm", ...sizes, capabilities: ["tool_use"] };
const llama = { default_generation_settings: { n_ctx: 2048 }, modalities: { vision: false } };

for (const [server, path, page, expected] of [
	["LM Studio", "/api/v0/models/qwen/small", json(studio), { contextTokens: 4096, ...able }],
	["llama.cpp", "/props", json(llama), { contextTokens: 2048, canSeeImages: false }],
	["a server that tells nothing", "/props", (response: ServerResponse) => response.end("<html>"), {}],
] as const)
	test(`the window and abilities of a model are asked of ${server}, and it is no failure if it has none`, async (t) => {
		const { scripted, server } = await open(t);
		scripted.pages.set(path, page);
		const name = "qwen/small";
		assert.deepEqual(await server.describe({ name }, signal), { name, ...expected });
	});
