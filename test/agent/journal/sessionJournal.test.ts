import assert from "node:assert/strict";
import { test } from "node:test";
import { createSessionJournal } from "../../../src/agent/journal/sessionJournal.ts";
import { Failure } from "../../../src/base/failure.ts";
import type { AgentEvent } from "../../../src/core/agent/agentEvent.ts";
import type { Sessions } from "../../../src/core/session/session.ts";
import { emptyDigest } from "../../../src/sessions/journal/digest.ts";
import { parseEntry, toTranscript } from "../../../src/sessions/journal/transcript.ts";
import { never, openTemporary } from "../../sessions/temporarySessions.ts";
import { WORKSPACE } from "../../sessions/turns.ts";
import { assertMapped } from "../../support/assertMapped.ts";

const call = { id: "1", name: "search_knowledge", input: { query: "clock" } };
const EVENTS: AgentEvent[] = [
	{ kind: "progress", text: "Thinking" },
	{ kind: "toolStarted", call },
	{ kind: "thought", text: "The clock " },
	{ kind: "thought", text: "stands." },
	{ kind: "text", text: "Every " },
	{ kind: "usage", inputTokens: 900, outputTokens: 20 },
	{ kind: "text", text: "morning." },
	{ kind: "usage", inputTokens: 100, outputTokens: 5 },
	{ kind: "ended", reason: "done" },
];

function journalOn(sessions: Sessions) {
	return createSessionJournal({ sessions, engine: "model", workspace: () => WORKSPACE });
}

const question = { text: "When?", command: "graph", attachments: ["a.md"], isFirst: true };

test("the journal has a turn's question before the answer, and the whole turn after the turn's end", async (t) => {
	const { sessions } = await openTemporary(t);
	const turn = await journalOn(sessions).begin("s", question);
	const [asked] = (await sessions.read("s", never)).turns;
	assert.deepEqual([asked?.question, asked?.command, asked?.attachments], ["When?", "graph", ["a.md"]]);
	for (const event of EVENTS) turn.note(event);
	await turn.end({ text: "Every morning.", outcome: "done" });
	const { session, turns } = await sessions.read("s", never);
	assert.deepEqual([session.workspace, turns[0]?.answer], [WORKSPACE, "Every morning."]);
	assert.ok(turns[0]?.events.some((event) => event.kind === "thought" && event.text === "The clock stands."));
});

test("a session continues after the last stored turn, even in another window", async (t) => {
	const { sessions } = await openTemporary(t);
	const journal = journalOn(sessions);
	for (const isFirst of [true, false])
		await (await journal.begin("s", { ...question, isFirst })).end({ text: "So.", outcome: "done" });
	const other = await journalOn(sessions).begin("s", { ...question, isFirst: false });
	await other.end({ text: "Still", outcome: "failed", error: "The model failed." });
	const { turns } = await sessions.read("s", never);
	const told = turns.map(({ turn, answer, error = "" }) => `${turn} ${answer} ${error}`);
	assert.deepEqual(told, ["0 So. ", "1 So. ", "2 Still The model failed."]);
});

for (const isWritten of [false, true])
	test(`if the worker stops ${isWritten ? "after" : "before"} a write, the turn is stored completely, and only once`, async (t) => {
		const { sessions } = await openTemporary(t);
		const stopped = new Failure("WORKER_STOPPED", "The background process stopped.");
		let left = 0;
		const append: Sessions["append"] = async (...asked) => {
			if (left === 0 || isWritten) await sessions.append(...asked);
			if (left-- > 0) throw stopped;
			left = 0;
		};
		const journal = journalOn({ ...sessions, append });
		left = 1;
		const turn = await journal.begin("s", question);
		left = 1;
		for (const event of EVENTS) turn.note(event);
		await turn.end({ text: "Every morning.", outcome: "done" });
		const { session, turns } = await sessions.read("s", never);
		assertMapped(turns, ({ answer, events }) => [answer, events.map(({ kind }) => kind).join()], [
			["Every morning.", "toolStarted,thought,usage,usage,ended"],
		]);
		assert.equal(session.tokens, 1025);
	});

test("a failed write is reported at the end of the turn", async (t) => {
	const { sessions } = await openTemporary(t);
	const full = { ...sessions };
	const journal = journalOn(full);
	const turn = await journal.begin("s", question);
	full.append = () => Promise.reject(new Failure("STORE_UNREADABLE", "It is full."));
	turn.note({ kind: "toolStarted", call });
	await assert.rejects(turn.end({ text: "So.", outcome: "done" }), /It is full/);
	await assert.rejects(journal.begin("t", question), /It is full/);
});

test("a chat with a deleted session starts a new journal at the next question", async (t) => {
	const { sessions } = await openTemporary(t);
	const journal = journalOn(sessions);
	await (await journal.begin("s", question)).end({ text: "So.", outcome: "done" });
	await sessions.delete("s", never);
	const restarted = await journal.begin("s", { ...question, text: "B?", isFirst: false });
	await restarted.end({ text: "So.", outcome: "done" });
	const { session, turns } = await sessions.read("s", never);
	assertMapped(turns, (turn) => [turn.question, turn.answer], [["B?", "So."]]);
	assert.equal(session.workspace, WORKSPACE);
});

test("each question, call and reply is a message in a thread, with a sender and a receiver", async (t) => {
	const { sessions } = await openTemporary(t);
	const turn = await journalOn(sessions).begin("s", { ...question, command: "cli" });
	const ask = { id: "k", name: "copilot-ld-plugin_keeper_ask", input: { question: "How high?" } };
	const find = { id: "keeper/1", name: "plugin_lights_find", input: { name: "Skagen" } };
	turn.note({ kind: "toolStarted", call: ask });
	turn.note({ kind: "toolStarted", call: find, within: "keeper" });
	turn.note({ kind: "toolFinished", call: find, within: "keeper", ok: true, text: "46 m" });
	turn.note({ kind: "toolFinished", call: ask, ok: true, text: "46 m high." });
	turn.note({ kind: "toolStarted", call, step: "check" });
	await turn.end({ text: "46 m.", outcome: "done" });
	const [kept] = (await sessions.read("s", never)).turns;
	const messages = kept?.messages ?? [];
	const nameOf = ({ role, id }: (typeof messages)[number]["sender"]) => `${role}:${id}`;
	assertMapped(messages, (one) => `${nameOf(one.sender)} ${nameOf(one.receiver)} ${one.contentType}`, [
		"user:user cerebrum:cli text/plain",
		"cerebrum:cli plugin:keeper command",
		"plugin:keeper plugin:lights command",
		"plugin:lights plugin:keeper command",
		"plugin:keeper cerebrum:cli command",
		"cerebrum:check plugin:search_knowledge command",
		"cerebrum:cli user:user text/markdown",
	]);
	const threads = messages.map(({ thread }) => thread);
	assert.deepEqual(threads.slice(0, 3), [threads[6], threads[4], threads[3]]);
	assert.equal(new Set(threads).size, 4);
	assert.equal(new Set(messages.map(({ id }) => id)).size, messages.length);
	assert.ok(messages.every(({ at }) => at > 0));
});

test("a journal line with an invalid message is read without the message", () => {
	const lights = { role: "plugin", id: "lights", name: "lights" };
	const model = { role: "cerebrum", id: "model", name: "Copilot-LD" };
	const good = { id: "1", thread: "t", sender: model, receiver: lights, contentType: "command" };
	const find = { id: "c", name: "plugin_lights_find", input: {} };
	const read = (message: unknown, asked = find) => {
		const lines = [
			{ kind: "question", at: 1, turn: 0, text: "How high?", attachments: [] },
			{ kind: "event", at: 2, turn: 0, event: { kind: "toolStarted", call: asked }, message },
		];
		const entries = lines.flatMap((line) => parseEntry(JSON.stringify(line)) ?? []);
		assert.equal(entries.length, 2);
		return toTranscript(emptyDigest("s").summary, entries).turns[0]?.messages;
	};
	assert.deepEqual(read(good), [{ ...good, at: 2 }]);
	for (const wrong of [
		{ receiver: undefined },
		{ receiver: { ...lights, role: "tool" } },
		{ receiver: { ...lights, id: "" } },
		{ receiver: { ...lights, id: "people" } },
		{ receiver: model, sender: { role: "user", id: "user", name: "" } },
		{ contentType: "text/plain" },
		{ thread: "" },
	])
		assert.equal(read({ ...good, ...wrong }), undefined, JSON.stringify(wrong));
	assert.equal(read(good, { ...find, name: "" }), undefined);
	assert.equal(read("a message"), undefined);
});
