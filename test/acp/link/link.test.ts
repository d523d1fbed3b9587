import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { AnyMessage } from "@agentclientprotocol/sdk";
import { createIdleStop } from "../../../src/acp/link/idleStop.ts";
import { meterMessages } from "../../../src/acp/link/meterMessages.ts";
import { createRecorder } from "../../../src/base/traces/recorder.ts";
import { answerOf, startScriptedAgent } from "../realCli.ts";

async function noted(messages: readonly unknown[]) {
	const recorder = createRecorder();
	const readable = ReadableStream.from(messages as AnyMessage[]);
	const metered = meterMessages({ readable, writable: new WritableStream() }, recorder);
	const passed: unknown[] = [];
	for await (const message of metered.readable) passed.push(message);
	assert.deepEqual(passed, messages);
	return recorder.entries();
}

test("of a turn the kind, size and duration of each message are noted, and no word of it", async (t) => {
	const recorder = createRecorder();
	const { ask, folder } = await startScriptedAgent(t, { recorder });
	const question = "garbage";
	const shown = await ask(question);
	const entries = recorder.entries();
	const answers = entries.filter(({ event }) => event === "acp answer").map(({ facts }) => facts);
	const actual = answers.map((facts) => facts?.["method"]);
	assert.deepEqual(actual, ["initialize", "session/new", "session/prompt"]);
	for (const facts of answers) assert.equal(typeof facts?.["ms"], "number");
	const text = JSON.stringify(entries);
	for (const word of [question, answerOf(shown), folder, "Still"]) assert.ok(!text.includes(word), word);
	assert.ok(entries.every((entry) => entry.text === undefined));
});

test("words that an agent makes up are not noted", async () => {
	const secret = "ghp_0123456789";
	const entries = await noted([
		{ jsonrpc: "2.0", method: secret, params: { [secret]: secret } },
		{ jsonrpc: "2.0", id: secret, method: secret },
		{ jsonrpc: "2.0", id: secret, error: { code: secret, message: secret } },
		{
			jsonrpc: "2.0",
			method: "session/update",
			params: { sessionId: secret, update: { sessionUpdate: secret } },
		},
	]);
	assert.equal(entries.length, 4);
	assert.ok(!JSON.stringify(entries).includes(secret));
});

test("a flood of updates is one entry, and what is nested without end does no harm", async () => {
	const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "x" } };
	const chunk = { jsonrpc: "2.0", method: "session/update", params: { sessionId: "1", update } };
	const deep = JSON.parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`);
	const entries = await noted([...Array.from({ length: 5000 }, () => chunk), { ...chunk, params: deep }]);
	assert.deepEqual(
		entries.map(({ facts }) => [facts?.["update"], facts?.["count"]]),
		[
			["agent_message_chunk", 5000],
			[undefined, undefined],
		],
	);
});

function open(t: TestContext, idleMs = 1000) {
	t.mock.timers.enable({ apis: ["setTimeout"] });
	const stopping = Promise.withResolvers<void>();
	const seen: string[] = [];
	const idle = createIdleStop({
		idleMs: () => idleMs,
		stop: async () => {
			seen.push("stop");
			await stopping.promise;
			seen.push("stopped");
		},
	});
	return { idle, seen, stopping, tick: (ms: number) => t.mock.timers.tick(ms) };
}

test("what nobody uses is stopped after a while, and once", async (t) => {
	const { idle, seen, tick } = open(t);
	await idle.during(async () => undefined);
	tick(999);
	assert.deepEqual(seen, []);
	tick(5000);
	assert.deepEqual(seen, ["stop"]);
});

test("nothing is stopped while one of two is at work, however long that takes", async (t) => {
	const { idle, seen, tick } = open(t);
	const long = Promise.withResolvers<void>();
	const used = idle.during(() => long.promise);
	await idle.during(async () => undefined);
	tick(100_000);
	assert.deepEqual(seen, []);
	long.resolve();
	await used;
	tick(1000);
	assert.deepEqual(seen, ["stop"]);
});

test("who comes while it is being stopped waits for that, and then begins", async (t) => {
	const { idle, seen, stopping, tick } = open(t);
	await idle.during(async () => undefined);
	tick(1000);
	const next = idle.during(async () => void seen.push("used"));
	stopping.resolve();
	await next;
	assert.deepEqual(seen, ["stop", "stopped", "used"]);
});

test("a use that fails is over, too; and with no time set nothing is ever stopped", async (t) => {
	const { idle, seen, tick } = open(t, 0);
	await assert.rejects(
		idle.during(() => Promise.reject(new Error("no"))),
		/no/,
	);
	tick(10_000_000);
	assert.deepEqual(seen, []);
});
