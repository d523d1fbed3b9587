import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentEvent } from "../../src/core/agent/agentEvent.ts";
import { answerIn, answering } from "../../src/core/agent/turnAnswer.ts";

const text = (words: string): AgentEvent => ({ kind: "text", text: words });

const cite = (path: string): AgentEvent => ({
	kind: "citation",
	citation: { path, lines: { start: 1, end: 1 } },
});

test("reasoning without an opening tag is removed from a complete answer", () => {
	for (const [said, answer] of [
		["Is it so?\n</think>\n\nIt is.", "It is."],
		["Is it so? </think>\nIt is.", "It is."],
		["Is it so?\n</think>", ""],
		["Write `</think>` at its end.", "Write `</think>` at its end."],
		["Between <think> and\n</think>\nthe model thinks.", "Between <think> and\n</think>\nthe model thinks."],
	] as const)
		assert.equal(answerIn(said), answer);
	const notice: AgentEvent = { kind: "notice", text: "note" };
	const events = ["Is ", cite("a.md"), "it?\n</thi", notice, "nk>\n\nIt is ", cite("b.md"), "."].map((one) =>
		typeof one === "string" ? text(one) : one,
	);
	assert.deepEqual(answering(events), [notice, text("It is "), cite("b.md"), text(".")]);
	assert.deepEqual(answering(events.slice(0, 2)), events.slice(0, 2));
});
