import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentEvent } from "../../src/core/agent/agentEvent.ts";
import type { StepRun, TranscriptTurn } from "../../src/core/session/session.ts";
import { timeAgo } from "../../webview/parts/l10n.ts";
import { isWhole, resumableTurn, stepTree } from "../../webview/sessions/stepTree.ts";
import { stepsOf } from "../../webview/sessions/turnStep.ts";
import { oneSession, oneTurn } from "./fakeSessions.ts";

const NOW = 1_700_000_000_000;
const HOUR = 3_600_000;
const run = (step: string, part: Partial<StepRun> = {}): StepRun => ({
	...{ step, agent: step, attempt: 1, startedAt: NOW - 90_000, heardAt: NOW - 1000, tokens: 10 },
	...part,
});
const stage = (...ids: readonly string[]) => ({ steps: ids.map((id) => ({ id, agent: `${id}er` })) });
const stages = [stage("read"), stage("writ", "test"), stage("clos")];
const plan: AgentEvent = { kind: "chain", chain: { onFailure: "continue", stages } };
const ended = { at: NOW - 60_000, outcome: "succeeded", text: "Read." } as const;

function treeOf(runs: readonly StepRun[], { isLive = true, events = [] as AgentEvent[], ends = false } = {}) {
	const { outcome: done, ...turn } = oneTurn(0, { events: [plan, ...events], runs });
	return stepTree({ ...turn, ...(ends && done && { outcome: done }) }, { now: NOW, isLive });
}

test("the tree has the planned stages and unplanned steps, with the state and duration of each", () => {
	const quiet = run("test", { heardAt: NOW - 61_000 });
	const runs = [run("read", { ended }), run("writ", { tool: "bash" }), quiet, run("extra")];
	const skipped = { kind: "stepFinished", step: "clos", agent: "", outcome: "skipped", text: "" } as const;
	const shown = (events: AgentEvent[]) =>
		treeOf(runs, { events }).map((stage) => stage.map(({ step, state, age }) => `${step} ${state} ${age}`));
	const atWork = [["read succeeded 30000"], ["writ working 90000", "test stalled 90000"]];
	assert.deepEqual(shown([]), [...atWork, ["clos waiting 0"], ["extra working 90000"]]);
	assert.deepEqual(shown([skipped])[2], ["clos skipped 0"]);
});

test("a step shows its last attempt and the tokens of all; it was cut off if the window closed", () => {
	const late = { ...ended, outcome: "timedOut" } as const;
	const [[node] = []] = treeOf([run("read", { ended: late }), run("read", { attempt: 2 })]);
	assert.deepEqual([node?.state, node?.tokens, node?.run?.attempt], ["working", 20, 2]);
	for (const ways of [{ isLive: false }, { ends: true }])
		assert.equal(treeOf([run("read")], ways)[0]?.[0]?.state, "lost");
});

test("only the last chain of a session can be resumed, and only when it is over", () => {
	const chain = oneTurn(0, { events: [plan], runs: [run("read")] });
	const { outcome: _, ...atWork } = { ...chain, turn: 1 };
	const resumable = (turns: readonly TranscriptTurn[], updatedAt = NOW) =>
		resumableTurn({ session: { ...oneSession(0).session, updatedAt }, turns }, NOW)?.turn;
	assert.equal(resumable([chain, oneTurn(1, {})]), 0);
	assert.equal(resumable([chain, atWork]), undefined);
	assert.equal(resumable([chain, atWork], NOW - HOUR), 1, "its window was closed");
	assert.equal(resumable([oneTurn(0, {})]), undefined);
	const trees = [treeOf([run("read", { ended })]), treeOf([run("read")], { isLive: false })];
	assert.deepEqual(trees.map(isWhole), [false, false]);
});

const call = (id: string) => ({ id, name: "search_knowledge", input: { query: id } });
const started = (id: string): AgentEvent => ({ kind: "toolStarted", call: call(id) });
const notice = { kind: "notice", text: "slow" } as const;
const diff = { kind: "diff", callId: "a", path: "/notes/a.md", oldText: "dark", newText: "light" } as const;
const planned = (status: "pending" | "done"): AgentEvent => {
	return { kind: "plan", text: "", steps: [{ title: "Light the lamp", status }] };
};
const result = { ok: true, text: "found" };

for (const [title, events, steps] of [
	[
		"a call and its result are one step at the call's position; calls without a result are shown, too",
		[started("a"), started("b"), notice, { kind: "toolFinished", call: call("a"), ...result }],
		[{ kind: "tool", call: call("a"), result }, { kind: "tool", call: call("b") }, notice],
	],
	[
		"consecutive thoughts are one step, and parts of the answer are no steps",
		[
			...["Let me ", "see."].map((text) => ({ kind: "thought", text }) as const),
			{ kind: "text", text: "Lotte" },
			{ kind: "usage", inputTokens: 3, outputTokens: 4 },
			{ kind: "ended", reason: "done" },
		],
		[{ kind: "thought", text: "Let me see." }],
	],
	[
		"every change is a step, but only the last plan is one",
		[planned("pending"), diff, planned("done")],
		[diff, planned("done")],
	],
] satisfies [string, AgentEvent[], object[]][])
	test(title, () => {
		assert.deepEqual(stepsOf(events), steps);
	});

test("times are shown in the longest unit that has passed", () => {
	const passed = [0, 5 * 60_000, 3 * HOUR, 30 * HOUR, 24 * 20 * HOUR].map((ms) => timeAgo(NOW - ms, NOW));
	assert.deepEqual(passed, ["now", "5m ago", "3h ago", "yesterday", "2w ago"]);
});
