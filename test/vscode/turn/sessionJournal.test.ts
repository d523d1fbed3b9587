import assert from "node:assert/strict";
import { test } from "node:test";
import { Failure } from "../../../src/base/failure.ts";
import type { AgentEvent } from "../../../src/core/agent/agentEvent.ts";
import type { Sessions } from "../../../src/core/session/session.ts";
import { createSessionJournal } from "../../../src/vscode/turn/sessionJournal.ts";
import { never, openTemporary } from "../../sessions/temporarySessions.ts";
import { WORKSPACE } from "../../sessions/turns.ts";

const call = { id: "1", name: "search_knowledge", input: { query: "clock" } };
const EVENTS: AgentEvent[] = [
	{ kind: "progress", text: "Thinking" },
	{ kind: "toolStarted", call },
	{ kind: "thought", text: "The clock " },
	{ kind: "thought", text: "must be wound." },
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

test("a turn stands in the journal before it is answered, and whole when it has ended", async (t) => {
	const { sessions } = await openTemporary(t);
	const turn = await journalOn(sessions).begin("s", question);
	const [asked] = (await sessions.read("s", never)).turns;
	assert.deepEqual([asked?.question, asked?.command, asked?.attachments], ["When?", "graph", ["a.md"]]);
	for (const event of EVENTS) turn.note(event);
	await turn.end({ text: "Every morning.", outcome: "done" });
	const { session, turns } = await sessions.read("s", never);
	assert.equal(turns[0]?.answer, "Every morning.");
	assert.equal(session.tokens, 1025);
	assert.equal(session.workspace, WORKSPACE);
	const kinds = (turns[0]?.events ?? []).map(({ kind }) => kind);
	assert.deepEqual(kinds, ["toolStarted", "thought", "usage", "usage", "ended"]);
	assert.ok(
		turns[0]?.events.some((event) => event.kind === "thought" && event.text === "The clock must be wound."),
	);
});

test("a turn that was cut short keeps what was said, and says why", async (t) => {
	const { sessions } = await openTemporary(t);
	const turn = await journalOn(sessions).begin("s", question);
	await turn.end({ text: "Every", outcome: "failed", error: "The model failed." });
	const [kept] = (await sessions.read("s", never)).turns;
	assert.deepEqual([kept?.answer, kept?.outcome, kept?.error], ["Every", "failed", "The model failed."]);
});

test("a session goes on where its journal ends, also in another window", async (t) => {
	const { sessions } = await openTemporary(t);
	const journal = journalOn(sessions);
	for (const isFirst of [true, false])
		await (await journal.begin("s", { ...question, isFirst })).end({ text: "So.", outcome: "done" });
	const other = await journalOn(sessions).begin("s", { ...question, isFirst: false });
	await other.end({ text: "Still.", outcome: "done" });
	const { turns } = await sessions.read("s", never);
	assert.deepEqual(
		turns.map(({ turn, answer }) => [turn, answer]),
		[
			[0, "So."],
			[1, "So."],
			[2, "Still."],
		],
	);
});

test("a session whose journal is gone begins a new one", async (t) => {
	const { sessions } = await openTemporary(t);
	const turn = await journalOn(sessions).begin("older-than-journals", { ...question, isFirst: false });
	await turn.end({ text: "So.", outcome: "done" });
	assert.equal((await sessions.read("older-than-journals", never)).turns.length, 1);
});

test("what could not be written is told at the end of the turn", async (t) => {
	const { sessions } = await openTemporary(t);
	let isFull = false;
	const full: Sessions = {
		...sessions,
		append: (...args) =>
			isFull
				? Promise.reject(new Failure("STORE_UNREADABLE", "The disk is full."))
				: sessions.append(...args),
	};
	const journal = journalOn(full);
	const turn = await journal.begin("s", question);
	isFull = true;
	turn.note({ kind: "toolStarted", call });
	await assert.rejects(turn.end({ text: "So.", outcome: "done" }), /The disk is full/);
	await assert.rejects(journal.begin("t", question), /The disk is full/);
});

test("a chat whose session was deleted is kept anew from the next question on", async (t) => {
	const { sessions } = await openTemporary(t);
	const journal = journalOn(sessions);
	await (await journal.begin("s", question)).end({ text: "So.", outcome: "done" });
	await sessions.delete("s", never);
	await (await journal.begin("s", { ...question, text: "And now?", isFirst: false })).end({
		text: "Kept.",
		outcome: "done",
	});
	const { session, turns } = await sessions.read("s", never);
	assert.deepEqual(
		turns.map((turn) => [turn.question, turn.answer]),
		[["And now?", "Kept."]],
	);
	assert.equal(session.workspace, WORKSPACE);
});
