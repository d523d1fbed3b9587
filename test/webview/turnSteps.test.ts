import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentEvent } from "../../src/core/agent/agentEvent.ts";
import { timeAgo } from "../../webview/parts/l10n.ts";
import { stepsOf } from "../../webview/sessions/turnStep.ts";

const call = (id: string) => ({ id, name: "search_knowledge", input: { query: id } });

test("a call and its result are one step where the call began, and one without a result is seen", () => {
	const events: AgentEvent[] = [
		{ kind: "toolStarted", call: call("a") },
		{ kind: "toolStarted", call: call("b") },
		{ kind: "notice", text: "slow" },
		{ kind: "toolFinished", call: call("a"), ok: true, text: "found" },
	];
	assert.deepEqual(stepsOf(events), [
		{ kind: "tool", call: call("a"), result: { ok: true, text: "found" } },
		{ kind: "tool", call: call("b") },
		{ kind: "notice", text: "slow" },
	]);
});

test("thoughts that follow each other are one, and what is in the answer is no step", () => {
	const events: AgentEvent[] = [
		{ kind: "thought", text: "Let me " },
		{ kind: "thought", text: "see." },
		{ kind: "text", text: "Lotte" },
		{ kind: "usage", inputTokens: 3, outputTokens: 4 },
		{ kind: "ended", reason: "done" },
	];
	assert.deepEqual(stepsOf(events), [{ kind: "thought", text: "Let me see." }]);
});

test("changes are steps, and of plans only the last one is", () => {
	const diff = { kind: "diff", callId: "a", path: "/notes/a.md", oldText: "dark", newText: "light" } as const;
	const plan = (status: "pending" | "done"): AgentEvent => {
		const steps = [{ title: "Light the lamp", status }];
		return { kind: "plan", text: "", steps };
	};
	assert.deepEqual(stepsOf([plan("pending"), diff, plan("done")]), [diff, plan("done")]);
});

test("times are told in the longest unit that has passed", () => {
	const now = 1_700_000_000_000;
	const hour = 3_600_000;
	const passed = [0, 5 * 60_000, 3 * hour, 30 * hour, 24 * 20 * hour].map((ms) => timeAgo(now - ms, now));
	assert.deepEqual(passed, ["now", "5m ago", "3h ago", "yesterday", "2w ago"]);
});
