import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelPart } from "../../src/core/agent/agentEvent.ts";
import { createRepetitionWatch } from "../../src/models/boundAnswer.ts";
import { isReadByOthers, readServerAddress } from "../../src/models/serverAddress.ts";
import { createThoughts } from "../../src/models/thoughts.ts";
import { shareWindow } from "../../src/models/tokenEstimate.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { openServer } from "./openServer.ts";
import { type Answer, beats, callPiece, delta, finish, json, says, streams } from "./scriptedServer.ts";

const TOOLS = [{ name: "search", description: "Searches.", inputSchema: { type: "object" } }];

const wordsOf = (parts: readonly ModelPart[], kind: "text" | "thought") =>
	parts.map((part) => (part.kind === kind ? part.text : "")).join("");

const noticesOf = (parts: readonly ModelPart[]) => parts.filter((part) => part.kind === "notice");

const written = (content: string) => `data: ${JSON.stringify(delta({ content }))}\n\n`;

test("every request has an output limit, which callers can only lower, in the field that the server accepts", async (t) => {
	const { scripted, ask } = await openServer(t);
	scripted.play(says("ok"));
	const limited = async (request: Parameters<typeof ask>[0]) => {
		await ask(request);
		const { max_tokens, max_completion_tokens } = scripted.asked.at(-1)?.body ?? {};
		return [max_tokens, max_completion_tokens];
	};
	const limits = { tokens: 512, seconds: 60 };
	assert.deepEqual(await limited({}), [4096, undefined]);
	for (const [options, tokens] of [
		[{ max_tokens: 100 }, 100],
		[{ max_completion_tokens: 99_999 }, 512],
		[{ max_tokens: "all" }, 512],
		[{ max_tokens: -1 }, 512],
	] as const)
		assert.deepEqual(await limited({ limits, options }), [tokens, undefined]);
	const message = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.";
	scripted.play(json({ error: { message } }, 400), says("ok"));
	for (const _ of [1, 2]) assert.deepEqual(await limited({ limits }), [undefined, 512]);
	assert.equal(scripted.asked.length, 8);
});

const ended = (content: string, reason: string) => streams(delta({ content }), finish(reason));
const AT_LIMIT =
	/its limit \(512 tokens\), after “… Anna Well is 63”.*go on, or raise its limit in the setting/;

for (const [name, answer, words] of [
	["at the limit of output", ended("The Anna Well is 63", "length"), AT_LIMIT],
	["by a filter", ended("It is", "content_filter"), /filter of the server/],
	["by its time limit", beats(...["so ", "it ", "is. "].map(written)), /time limit \(0\.2 s\)/],
	["by repeating", says(...("And so on, and on. ".repeat(90).match(/.{7}/gs) ?? [])), /repeated itself/],
	["within brackets", ended("It is [a.md:3]", "length"), /“… is \(a\.md:3\)”/],
] as const)
	test(`an answer that is cut off ${name} ends with a notice that quotes its end`, async (t) => {
		const { scripted, ask } = await openServer(t);
		scripted.play(answer);
		const parts = await ask({ limits: { tokens: 512, seconds: name.includes("time") ? 0.2 : 60 } });
		const [notice, ...more] = noticesOf(parts);
		assert.match(notice?.text ?? "", words);
		assert.deepEqual([notice?.isCut, more.length, wordsOf(parts, "text") !== ""], [true, 0, true]);
	});

test("only long series of the same text count as repetition", () => {
	const stops = (text: string) => {
		const watch = createRepetitionWatch();
		return (text.match(/.{1,13}/gs) ?? []).some(watch);
	};
	const paragraph = "The light was built in 1844 by a harbour board, and its keeper lived in it. ".repeat(3);
	for (const loop of ["ha", "\n", paragraph, `Intro, then: ${paragraph}`.slice(0, 300)])
		assert.ok(stops(`Once. ${loop.repeat(Math.max(6, Math.ceil(1300 / loop.length)))}`), loop);
	const rows = Array.from({ length: 200 }, (_, row) => `| ${row} | lamp | ${row * 7} |\n`).join("");
	for (const fine of [rows, "-".repeat(300), "| 0 | 0 |\n".repeat(60), paragraph.repeat(4), "=".repeat(79)])
		assert.ok(!stops(`Once. ${fine}`), fine.slice(0, 40));
});

test("reasoning is separated from the answer in every known field or tag, however the server splits the text", async (t) => {
	const read = (pieces: readonly string[], beginsSo: boolean) => {
		const thoughts = createThoughts({ beginsSo, onStrayEnd: () => undefined });
		const said = [...pieces.flatMap(thoughts.add), ...thoughts.rest()];
		return (["thought", "text"] as const).map((kind) =>
			said.map((part) => (part.kind === kind ? part.text : "")).join(""),
		);
	};
	for (const [answer, thought, text, beginsSo = false] of [
		["\n<think>Is a < b?</think>\n\nIt is.", "Is a < b?", "It is."],
		["<thinking>hm</think></thinking>It is.", "hm</think>", "It is."],
		["<think></think>It is.", "", "It is."],
		["<think>never ends </thin", "never ends </thin", ""],
		["<table>It is.</table>", "", "<table>It is.</table>"],
		["It is <think>so</think>.", "", "It is <think>so</think>."],
		["  <", "", "  <"],
		["Is a < b?</think>\n\nIt is.", "Is a < b?", "It is.", true],
		["<think>hm</think>It is.", "<think>hm", "It is.", true],
	] as const)
		for (let size = 1; size <= answer.length; size++) {
			const pieces = answer.match(new RegExp(`.{1,${size}}`, "gs")) ?? [];
			assert.deepEqual(read(pieces, beginsSo), [thought, text], answer);
		}
	assert.equal(read(["It is ", "so, at dusk."], true)[1], "It is so, at dusk.");
	const { scripted, ask } = await openServer(t);
	const pieces = [delta({ content: "hm</thi" }), delta({ content: "nk>It is." })];
	for (const [said, thought, text] of [
		// The first answer shows that this model's reasoning has no opening tag.
		[pieces, "", "hm</think>It is."],
		[pieces, "hm", "It is."],
		...["reasoning_content", "reasoning"].map(
			(field) => [[delta({ [field]: "hm" }), delta({ content: "It is." })], "hm", "It is."] as const,
		),
	] as const) {
		scripted.play(streams(...said, finish("stop")));
		const parts = await ask();
		assert.deepEqual([wordsOf(parts, "thought"), wordsOf(parts, "text")], [thought, text]);
	}
});

// Messages from the servers' manuals and sources, not recorded from running servers.
for (const [status, message] of [
	[400, "registry.ollama.ai/library/gemma3:4b does not support tools"],
	[400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
	[500, "tools param requires --jinja flag"],
	[404, "No endpoints found that support tool use."],
	[422, "Function calling is not enabled for this model"],
] as const)
	test(`after the message "${message}", the model is asked without tools, now and later`, async (t) => {
		const { scripted, ask } = await openServer(t);
		const refused: Answer = (response, asked) =>
			(asked.body["tools"] ? json({ error: { message } }, status) : says("At dusk."))(response, asked);
		scripted.play(refused);
		for (const _ of [1, 2]) {
			const parts = await ask({ tools: TOOLS });
			assert.equal(wordsOf(parts, "text"), "At dusk.");
			assert.ok(noticesOf(parts)[0]?.text.includes(`without tools, which the server refuses: ${message}`));
		}
		assert.equal(scripted.asked.filter(({ body }) => body["tools"]).length, 1);
		await assert.rejects(ask({ tools: TOOLS, mustCall: true }), /server|model|request/);
	});

test("a refusal for other reasons is not retried without tools", async (t) => {
	const { scripted, ask } = await openServer(t);
	for (const [status, message] of [
		[401, "no key for this tool"],
		[400, "temperature must be 1"],
		[400, "This model's maximum context length is 8192 tokens: 8000 in the messages, 900 in the functions."],
	] as const) {
		scripted.play(json({ error: { message } }, status));
		await assert.rejects(ask({ tools: TOOLS }), { name: "Failure" });
	}
	scripted.play(streams(callPiece(0, { id: "a", name: "search", arguments: "{}" }), finish("tool_calls")));
	await ask({ tools: TOOLS });
	assert.deepEqual([scripted.asked.length, Array.isArray(scripted.asked.at(-1)?.body["tools"])], [4, true]);
});

test("an answer gets a quarter of a small window, and its limit in a large window", () => {
	assert.deepEqual(shareWindow(2049, 4096), { maxInputTokens: 1536, maxOutputTokens: 513 });
	assert.deepEqual(shareWindow(128_000, 4096), { maxInputTokens: 123_904, maxOutputTokens: 4096 });
});

const { signal } = new AbortController();

test("an address is read in the forms of manuals; only plain HTTP to other machines counts as readable by others", () => {
	for (const [text, ...bases] of [
		["localhost:11434", "http://localhost:11434/v1"],
		[" http://localhost:1234/v1/ ", "http://localhost:1234/v1"],
		["https://api.example.org/v1/chat/completions", "https://api.example.org/v1"],
		["https://router.ai/api", "https://router.ai/api", "https://router.ai/api/v1"],
		["http://[::1]:8080?key=1#x", "http://[::1]:8080/v1"],
	] as const)
		assertMapped(readServerAddress(text), ({ base }) => base, bases);
	for (const bad of ["", "ftp://x", "http://me:secret@host/v1", "file:///etc/passwd", "not an address"])
		assert.throws(() => readServerAddress(bad), { code: "BAD_INPUT" });
	const isRead = (text: string) => isReadByOthers(readServerAddress(text)[0]);
	const own = "localhost:1 http://127.0.0.9/v1 http://[::1]:1 http://x.localhost https://x.org".split(" ");
	const read = "http://10.0.0.2:1 http://localhost.example.org http://127.example.o http://[::2]".split(" ");
	assert.deepEqual([...own, ...read].filter(isRead), read);
});

test("the models of a server are listed with their details; a server that lists no models is an error", async (t) => {
	const { scripted, server } = await openServer(t);
	const router = { architecture: { input_modalities: ["text", "image"] }, supported_parameters: ["tools"] };
	const mistral = { capabilities: { function_calling: false, vision: false } };
	const data = [
		{ id: "vllm", max_model_len: 8192 },
		{ id: "router", context_length: 200_000, ...router },
		{ id: "mistral", max_context_length: 32_768, ...mistral },
		{ id: "plain", context_length: -1 },
		...[{ id: "x".repeat(301) }, { id: 7 }, null],
	];
	scripted.pages.set("/v1/models", json({ object: "list", data }));
	assert.deepEqual(await server.models(signal), [
		{ name: "vllm", contextTokens: 8192 },
		{ name: "router", contextTokens: 200_000, canCallTools: true, canSeeImages: true },
		{ name: "mistral", contextTokens: 32_768, canCallTools: false, canSeeImages: false },
		{ name: "plain" },
	]);
	scripted.pages.set("/v1/models", json({ data: "world" }));
	await assert.rejects(server.models(signal), { kind: "malformed", message: /it lists no models/ });
	scripted.pages.delete("/v1/models");
	await assert.rejects(server.models(signal), { kind: "modelUnknown", message: /does not list its models/ });
});

const shown = {
	capabilities: ["completion", "tools"],
	model_info: { "general.architecture": "llama", "llama.context_length": 131_072 },
};
const isSet = { ...shown, parameters: 'stop "x"\nnum_ctx            8192\n' };
const loaded = { models: [{ name: "qwen/small", context_length: 16_384 }] };
const sizes = { max_context_length: 32_768, loaded_context_length: 4096 };
const studio = { type: "vlm", ...sizes, capabilities: ["tool_use"] };
const llama = { default_generation_settings: { n_ctx: 2048 }, modalities: { vision: false } };
const page: Answer = (response) => response.end("<html>");
const tools = { canCallTools: true, canSeeImages: false };
const both = { ...tools, canSeeImages: true };

test("the details of a model have its abilities and the window that the server uses, not the model's maximum", async (t) => {
	const { scripted, server } = await openServer(t);
	const name = "qwen/small";
	for (const [pages, contextTokens, abilities] of [
		[{ "/api/show": json(shown) }, 4096, tools],
		[{ "/api/show": json(shown), "/api/ps": json(loaded) }, 16_384, tools],
		[{ "/api/show": json(isSet), "/api/ps": json(loaded) }, 8192, tools],
		[{ [`/api/v0/models/${name}`]: json(studio) }, 4096, both],
		[{ "/props": json(llama) }, 2048, { canSeeImages: false }],
		[{ "/props": page }],
	] as const) {
		scripted.pages.clear();
		for (const [path, answer] of Object.entries(pages)) scripted.pages.set(path, answer);
		const expected = { name, ...abilities, ...(contextTokens && { contextTokens }) };
		assert.deepEqual(await server.describe({ name }, signal), expected);
	}
	assert.deepEqual(scripted.asked[0]?.body, { model: name });
});
