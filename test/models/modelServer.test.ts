import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import type { ModelPart } from "../../src/core/agent/agentEvent.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { openServer, partsOf, REQUEST } from "./openServer.ts";
import { callPiece, delta, finish, json, says, sends, stalls, streams } from "./scriptedServer.ts";

const never = new AbortController().signal;
const text = (words: string): ModelPart => ({ kind: "text", text: words });

test("an answer is streamed with the server's token counts", async (t) => {
	const { scripted, ask } = await openServer(t);
	const usage = { choices: [], usage: { prompt_tokens: 7, completion_tokens: 2 } };
	scripted.play(streams(delta({ content: "I " }), delta({ content: "F" }), finish("stop"), usage));
	assert.deepEqual(await ask(), [text("I "), text("F"), { kind: "usage", inputTokens: 7, outputTokens: 2 }]);
	const { path, body } = scripted.asked[0] ?? assert.fail();
	assert.equal(path, "/v1/chat/completions");
	const messages = [{ role: "user", content: "Who?" }];
	assert.partialDeepStrictEqual(body, { messages, stream_options: { include_usage: true } });
});

const search = (parts: { id?: string; arguments: string }) => callPiece(0, { name: "search", ...parts });

test("calls are complete and in order, however the server splits, numbers and names them; unreadable calls are errors", async (t) => {
	const { scripted, ask } = await openServer(t);
	const b = callPiece(1, { id: "b", name: "read", arguments: '{"path":' });
	const first = [search({ id: "a", arguments: "" }), callPiece(0, { arguments: '{"que' })];
	const rest = [callPiece(0, { arguments: 'ry":"x"}' }), callPiece(1, { arguments: '"a.md"}' })];
	const whole = ['search a {"query":"x"}', 'read b {"path":"a.md"}'];
	const alike = callPiece(0, { id: "b", name: "read", arguments: "" });
	for (const [pieces, ...expected] of [
		[[...first, b, ...rest], ...whole],
		[[b, ...first, ...rest], ...whole],
		[[search({ id: "a", arguments: "{}" }), alike], "search a {}", "read b {}"],
		[[search({ arguments: "null" })], "search call_ {}"],
	] as const) {
		scripted.play(streams(...pieces, finish("tool_calls")));
		const calls = (await ask()).map((part) =>
			part.kind === "toolCall" ? part.call : assert.fail(part.kind),
		);
		const nameOf = (id: string) => id.replace(/(?<=^call_).+/, "");
		assertMapped(calls, ({ id, name, input }) => `${name} ${nameOf(id)} ${JSON.stringify(input)}`, expected);
	}
	for (const cut of ['{"path":"a', "[1]", '"a.md"', "7"]) {
		scripted.play(streams(search({ id: "a", arguments: cut }), finish("length")));
		await assert.rejects(ask(), { kind: "brokenOff", message: /called search .* cannot be read/ });
	}
});

test("tools, results, images and instructions are sent in the protocol's form", async (t) => {
	const { scripted, ask } = await openServer(t);
	scripted.play(says("ok"));
	await ask({
		messages: [
			{ role: "system", text: "Be short." },
			{ role: "user", text: "Look:", images: [{ mimeType: "image/png", data: "QUJD" }] },
			{ role: "user", text: "and say." },
			{ role: "assistant", text: "", toolCalls: [{ id: "a", name: "search", input: { query: "x" } }] },
			{ role: "tool", callId: "a", text: "found" },
		],
		tools: [{ name: "search", description: "Searches.", inputSchema: { type: "object" } }],
		mustCall: true,
		options: { temperature: 0, model: "another", stream: false, user: "me" },
	});
	const { messages, tools, tool_choice, temperature, model, stream, user } = scripted.asked[0]?.body ?? {};
	const image = { type: "image_url", image_url: { url: "data:image/png;base64,QUJD" } };
	const searching = { name: "search", arguments: '{"query":"x"}' };
	assert.deepEqual(messages, [
		{ role: "system", content: "Be short." },
		{ role: "user", content: [{ type: "text", text: "Look:\n\nand say." }, image] },
		{ role: "assistant", content: "", tool_calls: [{ id: "a", type: "function", function: searching }] },
		{ role: "tool", tool_call_id: "a", content: "found" },
	]);
	const search = { name: "search", description: "Searches.", parameters: { type: "object" } };
	assert.deepEqual(tools, [{ type: "function", function: search }]);
	assert.deepEqual([tool_choice, temperature, model, stream, user], ["required", 0, "tiny", true, undefined]);
});

test("the connection closes if the user cancels before or during an answer, or if the consumer stops reading", async (t) => {
	const { scripted, server } = await openServer(t);
	scripted.play(stalls("Ida"));
	const controller = new AbortController();
	const reason = new Error("the person pressed stop");
	await assert.rejects(async () => {
		for await (const _ of server.respond(REQUEST, controller.signal)) controller.abort(reason);
	}, reason);
	await scripted.asked[0]?.left;
	const early = new AbortController();
	scripted.play(() => early.abort(reason));
	await assert.rejects(partsOf(server.respond(REQUEST, early.signal)), reason);
	await scripted.asked[1]?.left;
	assert.equal(scripted.asked.length, 2);
	scripted.play(stalls("Ida"));
	for await (const _ of server.respond(REQUEST, never)) break;
	await scripted.asked[2]?.left;
});

const said = (status: number, error: object, after = "0.01") =>
	json({ error }, status, { "retry-after": after });
const SLOW_DOWN = { message: "slow down" };
const SPENT = { message: "No credit.", code: "insufficient_quota" };

test("a temporary failure is retried; a lasting failure, or one after the start of the answer, is thrown at once", async (t) => {
	const { scripted, ask } = await openServer(t);
	for (const [answers, times, trouble] of [
		[[said(429, SLOW_DOWN), said(500, { message: "oh" }), says("here")], 3, undefined],
		[[sends(": wait\n\n"), (response: ServerResponse) => response.destroy(), says("here")], 3, undefined],
		[[said(429, SLOW_DOWN, "3600")], 1, /for now \(429: slow down, and asks to wait 60 minutes\)/],
		[[said(429, SPENT)], 1, /No credit/],
		[[sends(`data: ${JSON.stringify(delta({ content: "Ida" }))}\n\n`)], 1, /was cut off/],
		[[stalls("Ida", (response) => response.destroy())], 1, /was cut off/],
	] as const) {
		const before = scripted.asked.length;
		scripted.play(...answers);
		if (trouble) await assert.rejects(ask(), { name: "Failure", message: trouble });
		else assert.deepEqual(await ask(), [text("here")]);
		assert.equal(scripted.asked.length - before, times);
	}
});

test("a redirect is not followed, so no other server gets the key or the question", async (t) => {
	const { scripted, ask, server } = await openServer(t, { key: "sk-secret" });
	const { scripted: other } = await openServer(t);
	for (const status of [301, 302, 307, 308]) {
		scripted.play((response) => response.writeHead(status, { location: `${other.origin}/v1` }).end());
		await assert.rejects(ask(), { kind: "redirected", message: /redirects to another address/ });
	}
	scripted.pages.set("/v1/models", (response) => response.writeHead(302, { location: other.origin }).end());
	await assert.rejects(server.models(never), { kind: "redirected" });
	assert.equal(other.asked.length, 0);
});

test("the server gets the key and the trace span, but nothing else about this machine or its environment", async (t) => {
	const environment = {
		...{ OPENAI_API_KEY: "sk-other", OPENAI_ORG_ID: "org", OPENAI_PROJECT_ID: "project" },
		...{ OPENAI_BASE_URL: "http://127.0.0.1:1/v1", OPENAI_CUSTOM_HEADERS: "x-secret: 1" },
	};
	Object.assign(process.env, environment);
	t.after(() => {
		for (const name of Object.keys(environment)) delete process.env[name];
	});
	const { scripted, ask } = await openServer(t);
	scripted.play(says("ok"));
	await ask();
	const { headers } = scripted.asked[0] ?? {};
	assert.equal(headers?.authorization, undefined);
	assert.doesNotMatch(JSON.stringify(headers), /sk-other|org|project|x-secret|stainless/i);
	const keyed = await openServer(t, { key: "sk-secret" });
	keyed.scripted.play(says("ok"));
	const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
	for (const named of [traceparent, "00-nonsense"]) await keyed.ask({ options: { traceparent: named } });
	const heard = keyed.scripted.asked.map(({ headers }) => [headers.authorization, headers["traceparent"]]);
	assert.deepEqual(
		heard,
		[traceparent, undefined].map((parent) => ["Bearer sk-secret", parent]),
	);
	assert.ok(keyed.scripted.asked.every((asked) => !("traceparent" in asked.body)));
});
