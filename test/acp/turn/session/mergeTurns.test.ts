import assert from "node:assert/strict";
import { test } from "node:test";
import { mergeTurns } from "../../../../src/acp/turn/session/mergeTurns.ts";
import type { AgentEvent } from "../../../../src/core/agent/agentEvent.ts";
import type { TranscriptTurn } from "../../../../src/core/session/session.ts";

const thought: AgentEvent = { kind: "thought", text: "Hm" };
const call = (id: string) => ({ id, name: "shell", input: {} });
const started = (id: string): AgentEvent => ({ kind: "toolStarted", call: call(id) });
const finished = (id: string): AgentEvent => ({ kind: "toolFinished", call: call(id), ok: true, text: "" });

function stored(question: string, answer: string, events: readonly AgentEvent[] = []): TranscriptTurn {
	return own(question, { answer, events });
}

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

test("a turn that both have appears once, with the thoughts from our journal", () => {
	const [turn, ...others] = mergeTurns(
		[own("Why?", { events: [thought] })],
		[stored("Attached, x:\n\nWhy?", "An answer")],
	);
	assert.deepEqual(others, []);
	assert.deepEqual(turn?.events, [thought]);
	assert.equal(turn?.tokens, 7);
});

test("turns that share a call are the same, whatever their words", () => {
	const merged = mergeTurns(
		[own("Attached words", { events: [started("c1")], answer: "Half", outcome: "cancelled" })],
		[stored("Other words", "Half and more", [started("c1"), finished("c1")])],
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
	const merged = mergeTurns(
		[own("One"), own("Three")],
		[stored("One", "1"), stored("Two", "2"), stored("Three", "3")],
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
	const merged = mergeTurns([own("One"), failed, own("Three")], [stored("One", "x"), stored("Three", "x")]);
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
	const twice = [stored("Again", "1"), stored("Again", "2")];
	assert.equal(mergeTurns([own("Again"), own("Again")], twice).length, 2);
});

test("without what the CLI has stored, the journal is all there is, and the other way round", () => {
	assert.equal(mergeTurns([own("One")], []).length, 1);
	assert.equal(mergeTurns([], [stored("One", "1")])[0]?.answer, "1");
});
