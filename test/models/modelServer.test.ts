import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelPart } from "../../src/core/agent/agentEvent.ts";
import { openServer, partsOf, REQUEST } from "./openServer.ts";
import {
	begin,
	callPiece,
	delta,
	finish,
	json,
	says,
	scriptedServer,
	sends,
	streams,
} from "./scriptedServer.ts";

const text = (words: string): ModelPart => ({ kind: "text", text: words });

test("an answer streams piece by piece, with what the server counted", async (t) => {
	const { scripted, ask } = await openServer(t);
	const usage = { choices: [], usage: { prompt_tokens: 7, completion_tokens: 2 } };
	scripted.play(streams(delta({ content: "I " }), delta({ content: "F" }), finish("stop"), usage));
	assert.deepEqual(await ask(), [text("I "), text("F"), { kind: "usage", inputTokens: 7, outputTokens: 2 }]);
	const [{ path, body }] = scripted.asked as [(typeof scripted.asked)[0]];
	assert.equal(path, "/v1/chat/completions");
	assert.deepEqual(body["messages"], [{ role: "user", content: "Who?" }]);
	assert.deepEqual(body["stream_options"], { include_usage: true });
});

test("tool calls that are split over chunks come whole, in order", async (t) => {
	const { scripted, ask } = await openServer(t);
	scripted.play(
		streams(
			callPiece(0, { id: "a", name: "search", arguments: "" }),
			callPiece(0, { arguments: '{"que' }),
			callPiece(1, { id: "b", name: "read", arguments: '{"path":' }),
			callPiece(0, { arguments: 'ry":"lamp"}' }),
			callPiece(1, { arguments: '"a.md"}' }),
			finish("tool_calls"),
		),
	);
	assert.deepEqual(await ask(), [
		{ kind: "toolCall", call: { id: "a", name: "search", input: { query: "lamp" } } },
		{ kind: "toolCall", call: { id: "b", name: "read", input: { path: "a.md" } } },
	]);
});

test("calls that all count as the first are told apart by their ids, and one without an id gets one", async (t) => {
	const { scripted, ask } = await openServer(t);
	const first = callPiece(0, { id: "a", name: "search", arguments: "{}" });
	scripted.play(streams(first, callPiece(0, { id: "b", name: "read", arguments: "" }), finish("stop")));
	const [one, two] = await ask();
	assert.deepEqual(one, { kind: "toolCall", call: { id: "a", name: "search", input: {} } });
	assert.deepEqual(two, { kind: "toolCall", call: { id: "b", name: "read", input: {} } });
	scripted.play(streams(callPiece(0, { name: "search", arguments: "null" }), finish("stop")));
	const [nameless] = await ask();
	assert.ok(nameless?.kind === "toolCall" && nameless.call.id.startsWith("call_"));
});

test("tools, results, images and instructions go out in the protocol's form", async (t) => {
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
	const searching = { name: "search", arguments: '{"query":"x"}' };
	assert.deepEqual(messages, [
		{ role: "system", content: "Be short." },
		{
			role: "user",
			content: [
				{ type: "text", text: "Look:\n\nand say." },
				{ type: "image_url", image_url: { url: "data:image/png;base64,QUJD" } },
			],
		},
		{ role: "assistant", content: "", tool_calls: [{ id: "a", type: "function", function: searching }] },
		{ role: "tool", tool_call_id: "a", content: "found" },
	]);
	const search = { name: "search", description: "Searches.", parameters: { type: "object" } };
	assert.deepEqual(tools, [{ type: "function", function: search }]);
	assert.deepEqual([tool_choice, temperature, model, stream, user], ["required", 0, "tiny", true, undefined]);
});

test("a cancel closes the connection, in the midst of an answer and before it, and so does who stops reading", async (t) => {
	const { scripted, server } = await openServer(t);
	scripted.play((response) => {
		begin(response);
		response.write(`data: ${JSON.stringify(delta({ content: "Ida" }))}\n\n`);
	});
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
	scripted.play((response) => {
		begin(response);
		response.write(`data: ${JSON.stringify(delta({ content: "Ida" }))}\n\n`);
	});
	for await (const _ of server.respond(REQUEST, new AbortController().signal)) break;
	await scripted.asked[2]?.left;
});

test("a busy server is asked again when it says, and one that failed as well", async (t) => {
	const { scripted, ask } = await openServer(t);
	const busy = json({ error: { message: "slow down" } }, 429, { "retry-after": "0.01" });
	scripted.play(busy, json({ error: { message: "oh" } }, 500), says("here"));
	assert.deepEqual(await ask(), [text("here")]);
	assert.equal(scripted.asked.length, 3);
});

test("a pause that is longer than anyone waits, and a spent quota, are told at once", async (t) => {
	const { scripted, ask } = await openServer(t);
	scripted.play(json({ error: { message: "slow down" } }, 429, { "retry-after": "3600" }));
	await assert.rejects(ask(), {
		kind: "rateLimited",
		message: /accepts no more requests for now \(429: slow down, and asks to wait 60 minutes\)/,
	});
	scripted.play(json({ error: { message: "No credit.", code: "insufficient_quota" } }, 429));
	await assert.rejects(ask(), { kind: "rateLimited", message: /No credit/ });
	assert.equal(scripted.asked.length, 2);
});

test("a call whose arguments cannot be read is never made, and calls out of order are put in it", async (t) => {
	const { scripted, ask } = await openServer(t);
	for (const cut of ['{"path":"a', "[1]", '"a.md"', "7"]) {
		scripted.play(streams(callPiece(0, { id: "a", name: "delete", arguments: cut }), finish("length")));
		await assert.rejects(ask(), { kind: "brokenOff", message: /called delete .* cannot be read/ });
	}
	const b = callPiece(1, { id: "b", name: "read", arguments: "{}" });
	scripted.play(streams(b, callPiece(0, { id: "a", name: "search", arguments: "{}" }), finish("tool_calls")));
	const names = (await ask()).map((part) => part.kind === "toolCall" && part.call.name);
	assert.deepEqual(names, ["search", "read"]);
});

test("a stream that breaks off before a word is asked for again, one that has begun is not", async (t) => {
	const { scripted, ask } = await openServer(t);
	scripted.play(sends(": wait\n\n"), (response) => response.destroy(), says("here"));
	assert.deepEqual(await ask(), [text("here")]);
	scripted.play(sends(`data: ${JSON.stringify(delta({ content: "Ida" }))}\n\n`));
	await assert.rejects(ask(), { kind: "brokenOff", message: /was cut off/ });
	assert.equal(scripted.asked.length, 4);
	scripted.play((response) => {
		begin(response);
		response.write(`data: ${JSON.stringify(delta({ content: "Ida" }))}\n\n`, () => response.destroy());
	});
	await assert.rejects(ask(), { kind: "brokenOff" });
	assert.equal(scripted.asked.length, 5);
});

test("a redirect is not followed, so nobody else gets the key or the question", async (t) => {
	const { scripted, ask, server } = await openServer(t, { key: "sk-secret" });
	const other = await scriptedServer(t);
	for (const status of [301, 302, 307, 308]) {
		scripted.play((response) => response.writeHead(status, { location: `${other.origin}/v1` }).end());
		await assert.rejects(ask(), { kind: "redirected", message: /redirects to another address/ });
	}
	scripted.pages.set("/v1/models", (response) => response.writeHead(302, { location: other.origin }).end());
	await assert.rejects(server.models(new AbortController().signal), { kind: "redirected" });
	assert.equal(other.asked.length, 0);
});

test("the server hears the key and nothing of this machine, whatever the environment holds", async (t) => {
	const environment = {
		OPENAI_API_KEY: "sk-other",
		OPENAI_ORG_ID: "org",
		OPENAI_PROJECT_ID: "project",
		OPENAI_BASE_URL: "http://127.0.0.1:1/v1",
		OPENAI_CUSTOM_HEADERS: "x-secret: 1",
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
	await keyed.ask();
	assert.equal(keyed.scripted.asked[0]?.headers.authorization, "Bearer sk-secret");
});

test("the span that asks goes along where it is named as the standard writes it", async (t) => {
	const { scripted, server } = await openServer(t);
	scripted.play(streams(delta({ content: "Yes" }), finish("stop")));
	const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
	for (const named of [traceparent, "00-nonsense", undefined])
		await partsOf(
			server.respond({ ...REQUEST, options: { traceparent: named } }, new AbortController().signal),
		);
	const actual = scripted.asked.map(({ headers }) => headers["traceparent"]);
	assert.deepEqual(actual, [traceparent, undefined, undefined]);
	assert.ok(scripted.asked.every(({ body }) => !("traceparent" in body)));
});
