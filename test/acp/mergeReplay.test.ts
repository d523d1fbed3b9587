import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { mergeReplay } from "../../src/acp/mergeReplay.ts";
import type { AgentEvent } from "../../src/core/agentEvent.ts";
import type { TranscriptTurn } from "../../src/core/session.ts";

const user = (text: string): SessionUpdate => ({
	sessionUpdate: "user_message_chunk",
	content: { type: "text", text },
});
const agent = (text: string): SessionUpdate => ({
	sessionUpdate: "agent_message_chunk",
	content: { type: "text", text },
});
const call = (toolCallId: string, status: "pending" | "completed" = "completed"): SessionUpdate => ({
	sessionUpdate: "tool_call",
	toolCallId,
	title: "Look",
	status,
});
const thought: AgentEvent = { kind: "thought", text: "Hm" };
const started = (id: string): AgentEvent => ({
	kind: "toolStarted",
	call: { id, name: "shell", input: {} },
});

function own(question: string, rest: Partial<TranscriptTurn> = {}): TranscriptTurn {
	return {
		turn: 0,
		at: 1,
		question,
		attachments: [],
		events: [],
		answer: "An answer",
		outcome: "done",
		tokens: 7,
		...rest,
	};
}

test("a turn that both know keeps the thoughts of ours, and is there once", () => {
	const [turn, ...others] = mergeReplay(
		[own("Why?", { events: [thought] })],
		[user("<current_datetime>2026-01-01</current_datetime>\n\nWhy?"), agent("An answer")],
	);
	assert.deepEqual(others, []);
	assert.deepEqual(turn?.events, [thought]);
	assert.equal(turn?.tokens, 7);
});

test("turns are the same that share a call, whatever their words", () => {
	const merged = mergeReplay(
		[own("Attached words", { events: [started("c1")], answer: "Half", outcome: "cancelled" })],
		[user("Other words"), call("c1"), agent("Half and more")],
	);
	assert.equal(merged.length, 1);
	assert.equal(merged[0]?.question, "Attached words");
	assert.equal(merged[0]?.answer, "Half and more");
	assert.deepEqual(
		merged[0]?.events.map(({ kind }) => kind),
		["toolStarted", "toolFinished"],
	);
});

test("a turn that was made elsewhere comes in its place", () => {
	const merged = mergeReplay(
		[own("One"), own("Three")],
		[user("One"), agent("1"), user("Two"), agent("2"), user("Three"), agent("3")],
	);
	assert.deepEqual(
		merged.map(({ question, turn }) => [question, turn]),
		[
			["One", 0],
			["Two", 1],
			["Three", 2],
		],
	);
	assert.equal(merged[1]?.answer, "2");
});

test("a turn that failed is known only to us, and stays where it was", () => {
	const failed = own("Two", { outcome: "failed", error: "No model", answer: "" });
	const merged = mergeReplay(
		[own("One"), failed, own("Three")],
		[user("One"), user("Three")].flatMap((u) => [u, agent("x")]),
	);
	assert.deepEqual(
		merged.map(({ question, error }) => [question, error]),
		[
			["One", undefined],
			["Two", "No model"],
			["Three", undefined],
		],
	);
});

test("the same question twice is two turns", () => {
	const replay = [user("Again"), agent("1"), user("Again"), agent("2")];
	assert.equal(mergeReplay([own("Again"), own("Again")], replay).length, 2);
});

test("without a playback the journal is all there is, and the other way round", () => {
	assert.equal(mergeReplay([own("One")], []).length, 1);
	assert.equal(mergeReplay([], [user("One"), agent("1")])[0]?.answer, "1");
});
