import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentEvent } from "../../src/core/agent/agentEvent.ts";
import type { StepRun, TranscriptTurn } from "../../src/core/session/session.ts";
import { timeAgo } from "../../webview/parts/l10n.ts";
import { isWhole, resumableTurn, stepTree } from "../../webview/sessions/stepTree.ts";
import { stepsOf as turnStepsOf } from "../../webview/sessions/turnStep.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { manySessions, oneTurn } from "./fakeSessions.ts";

const NOW = 1_700_000_000_000;
const run = (step: string, part: Partial<StepRun> = {}): StepRun => ({
	...{ step, agent: step, attempt: 1, startedAt: NOW - 90_000, heardAt: NOW - 1000, tokens: 10 },
	...part,
});
const stepsOf = (steps: Record<string, string>) =>
	Object.entries(steps).map(([id, agent]) => ({ id, agent }));
const stage = (steps: Record<string, string>) => ({ steps: stepsOf(steps) });
const stages = [stage({ read: "reader" }), stage({ a: "writer", b: "tester" }), stage({ last: "closer" })];
const plan: AgentEvent = { kind: "chain", chain: { onFailure: "continue", stages } };
const ended = { at: NOW - 60_000, outcome: "succeeded", text: "Read." } as const;

function treeOf(runs: readonly StepRun[], { isLive = true, events = [] as AgentEvent[], ends = false } = {}) {
	const { outcome: done, ...turn } = oneTurn(0, { events: [plan, ...events], runs });
	return stepTree({ ...turn, ...(ends && done && { outcome: done }) }, { now: NOW, isLive });
}

test("the tree has the stages of the plan, with what each step is at", () => {
	const quiet = run("b", { heardAt: NOW - 61_000 });
	const stages = treeOf([run("read", { ended }), run("a", { tool: "bash" }), quiet]);
	assert.deepEqual(
		stages.map((stage) => stage.map(({ agent, state }) => `${agent} ${state}`)),
		[["reader succeeded"], ["writer working", "tester stalled"], ["closer waiting"]],
	);
	assert.deepEqual([stages[0]?.[0]?.age, stages[1]?.[0]?.age], [30_000, 90_000]);
});

test("a step that was tried again shows its last try, and the tokens of all", () => {
	const late = { ...ended, outcome: "timedOut" } as const;
	const [[node] = []] = treeOf([run("read", { ended: late }), run("read", { attempt: 2 })]);
	assert.deepEqual([node?.state, node?.tokens, node?.run?.attempt], ["working", 20, 2]);
});

test("where the window has closed, what was at work was cut off", () => {
	for (const ways of [{ isLive: false }, { ends: true }])
		assert.equal(treeOf([run("read")], ways)[0]?.[0]?.state, "lost");
});

test("a step that was skipped never began, and one that is not in the plan is seen", () => {
	const skipped = { kind: "stepFinished", step: "a", agent: "writer", outcome: "skipped", text: "" } as const;
	const stages = treeOf([run("extra")], { events: [skipped] });
	assert.equal(stages[1]?.[0]?.state, "skipped");
	assertMapped(stages.at(-1) ?? [], ({ step }) => step, ["extra"]);
});

test("only the last chain of a session goes on, and only once it is over", () => {
	const [made] = manySessions(1);
	assert.ok(made);
	const chain = oneTurn(0, { events: [plan], runs: [run("read")] });
	const { outcome: _, ...atWork } = { ...chain, turn: 1 };
	const resumable = (turns: readonly TranscriptTurn[], updatedAt = NOW) =>
		resumableTurn({ session: { ...made.session, updatedAt }, turns }, NOW)?.turn;
	assert.equal(resumable([chain, oneTurn(1, {})]), 0);
	assert.equal(resumable([chain, atWork]), undefined);
	assert.equal(resumable([chain, atWork], NOW - 3_600_000), 1, "its window was closed");
	assert.equal(resumable([oneTurn(0, {})]), undefined);
	const trees = [treeOf([run("read", { ended })]), treeOf([run("read")], { isLive: false })];
	assert.deepEqual(trees.map(isWhole), [false, false]);
});

const call = (id: string) => ({ id, name: "search_knowledge", input: { query: id } });

test("a call and its result are one step where the call began, and one without a result is seen", () => {
	const events: AgentEvent[] = [
		{ kind: "toolStarted", call: call("a") },
		{ kind: "toolStarted", call: call("b") },
		{ kind: "notice", text: "slow" },
		{ kind: "toolFinished", call: call("a"), ok: true, text: "found" },
	];
	assert.deepEqual(turnStepsOf(events), [
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
	assert.deepEqual(turnStepsOf(events), [{ kind: "thought", text: "Let me see." }]);
});

test("changes are steps, and of plans only the last one is", () => {
	const diff = { kind: "diff", callId: "a", path: "/notes/a.md", oldText: "dark", newText: "light" } as const;
	const plan = (status: "pending" | "done"): AgentEvent => {
		const steps = [{ title: "Light the lamp", status }];
		return { kind: "plan", text: "", steps };
	};
	assert.deepEqual(turnStepsOf([plan("pending"), diff, plan("done")]), [diff, plan("done")]);
});

test("times are told in the longest unit that has passed", () => {
	const now = 1_700_000_000_000;
	const hour = 3_600_000;
	const passed = [0, 5 * 60_000, 3 * hour, 30 * hour, 24 * 20 * hour].map((ms) => timeAgo(now - ms, now));
	assert.deepEqual(passed, ["now", "5m ago", "3h ago", "yesterday", "2w ago"]);
});
