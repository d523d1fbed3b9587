import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentEvent } from "../../src/core/agent/agentEvent.ts";
import type { SessionSummary, StepRun, TranscriptTurn } from "../../src/core/session/session.ts";
import type { ViewRequest, ViewUpdate } from "../../src/protocol/webview.ts";
import type { Action, ViewState } from "../../webview/model/state.ts";
import { NO_FILTERS, openingState, savedState } from "../../webview/model/state.ts";
import { chooseTab, hear, open, retry, undo } from "../../webview/pageActions.ts";
import { timeAgo } from "../../webview/parts/l10n.ts";
import * as view from "../../webview/sessions/sessionActions.ts";
import { isWhole, resumableTurn, stepTree } from "../../webview/sessions/stepTree.ts";
import { stepsOf } from "../../webview/sessions/turnStep.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { manySessions, oneSession, oneTurn } from "./fakeSessions.ts";

const NOW = 1_700_000_000_000;
const OPENING = openingState(undefined, NOW);
const sessions = manySessions(250).map(({ session }) => session);

/** The state after these actions, and the requests of the last one. */
function after(first: ViewState, ...actions: readonly Action[]) {
	let [state, asked]: [ViewState, readonly ViewRequest[]] = [first, []];
	for (const action of actions) ({ state, requests: asked } = action(state));
	return { state, asked };
}

const page = (all: readonly SessionSummary[], offset = 0): ViewUpdate => {
	const rows = all.slice(offset, offset + 300);
	return { kind: "sessions", filters: NO_FILTERS, offset, sessions: rows, total: all.length };
};
const { state: listed } = after(OPENING, open, hear(page(sessions)));
const listing = (offset: number) =>
	({ kind: "listSessions", filters: NO_FILTERS, offset, limit: 300 }) as const;
const opening = (session: string, turn?: number) => (state: ViewState) =>
	view.openSession(state, session, turn);
const changed = (part: "sessions" | "memory") => hear({ kind: "changed", part });

test("a page reopens with the previous tab, session, position, filters and search text", () => {
	assert.deepEqual(after(OPENING, open).asked, [{ kind: "ready" }, listing(0)]);
	const filtering = view.chooseFilters({ thisWorkspace: true, archived: false });
	const actions = [view.search("lamp"), filtering, opening("s1", 3), view.scrollTranscript(120)];
	const { state } = after(OPENING, ...actions);
	const saved = structuredClone(savedState(state));
	assert.deepEqual(savedState(openingState(saved, NOW)), saved);
	assert.deepEqual(saved.sessions.open, { session: "s1", turn: 3, scroll: 120 });
	const left = openingState({ ...savedState(OPENING), tab: "permissions" }, NOW);
	assertMapped(after(left, open).asked, ({ kind }) => kind, ["ready", "listRules", "listDecisions"]);
});

test("rows of sessions are requested once, when the visible rows come near", () => {
	assert.deepEqual(after(listed, view.showRows(150, 190)).asked, []);
	const shown = after(listed, view.showRows(210, 240));
	assert.deepEqual(shown.asked, [listing(100)]);
	assert.deepEqual(after(shown.state, view.showRows(211, 241)).asked, []);
	const { rows } = after(shown.state, hear(page(sessions, 100))).state.sessions;
	assert.deepEqual(rows?.length, sessions.length);
	assert.ok(rows?.every((row) => row !== undefined));
});

test("the active row follows the active session when the list changes, or is the last row of a shorter list", () => {
	const moved = [...sessions.slice(7, 8), ...sessions.toSpliced(7, 1)];
	const activeOf = (row: number, all: typeof sessions) =>
		after(listed, view.chooseRow(row), hear(page(all))).state.sessions.active;
	assert.deepEqual([activeOf(3, moved), activeOf(99, sessions.slice(0, 3))], [4, 2]);
});

test("answers to outdated requests are dropped", () => {
	const { state } = after(listed, view.search("lamp"));
	for (const late of [
		page(sessions),
		{ kind: "hits", filters: NO_FILTERS, text: "lam", hits: [] },
		{ kind: "transcript", transcript: oneSession(0) },
	] satisfies ViewUpdate[])
		assert.equal(after(state, hear(late)).state, state, late.kind);
});

test("changed parts of the view are requested again only while visible; facts include facts of the open session", () => {
	const { state } = after(listed, view.showRows(120, 130), opening("s1"));
	assert.deepEqual(after(state, changed("sessions")).asked, [{ kind: "readSession", session: "s1" }]);
	assert.deepEqual(after(state, view.closeSession).asked, [listing(0)]);
	assert.deepEqual(after(state, changed("memory")).asked, []);
	assert.deepEqual(after(state, chooseTab("memory")).asked, [{ kind: "listFacts", session: "s1" }]);
	const { asked } = after(listed, view.search("lamp"), changed("sessions"));
	assertMapped(asked, ({ kind }) => kind, ["searchSessions"]);
});

const DELETED: ViewRequest = { kind: "deleteSession", session: "s2" };
const archived = (is: boolean) => ({ kind: "archiveSession", session: "s2", archived: is }) as const;

test("archiving a session can be undone", () => {
	const { state } = after(listed, hear({ kind: "did", request: archived(true) }));
	assert.match(state.undo?.label ?? "", /^Archived “Session 2 /);
	assert.ok(state.announcement.startsWith(state.undo?.label ?? "-"));
	const undone = after(state, undo);
	assert.deepEqual([undone.asked, undone.state.undo], [[archived(false)], undefined]);
});

test("deleting the open session closes the transcript, and a new fork opens", () => {
	const { state } = after(listed, opening("s2"), hear({ kind: "did", request: DELETED }));
	assert.equal(state.sessions.open, undefined);
	const forked = after(listed, hear({ kind: "forked", session: "s9" }));
	assert.equal(forked.state.sessions.open?.session, "s9");
	assert.deepEqual(forked.asked, [{ kind: "readSession", session: "s9" }]);
});

test("a failed request is reported, and can be retried", () => {
	const request = listing(0);
	const { state } = after(OPENING, hear({ kind: "failed", request, message: "The worker stopped." }));
	assert.equal(state.problem?.message, "The worker stopped.");
	const retried = after(state, retry);
	assert.deepEqual([retried.asked, retried.state.problem], [[request], undefined]);
});

test("a running step can be stopped, and an ended chain resumed", () => {
	const step = run("a", { session: "step", heardAt: NOW });
	const { outcome: _, ...atWork } = oneTurn(0, { events: [plan], runs: [step] });
	const over = oneTurn(0, { events: [plan], runs: [{ ...step, ended }] });
	const session = { ...oneSession(0).session, updatedAt: NOW };
	const asked = (turn: TranscriptTurn, action: Action) => {
		const transcript = { session, turns: [turn] };
		return after(listed, opening("s0"), hear({ kind: "transcript", transcript }), action).asked;
	};
	const [stop, resume] = [view.stopStep("step"), view.resumeChain("a")];
	assert.deepEqual(asked(atWork, stop), [{ kind: "stopStep", session: "step" }]);
	for (const other of [view.stopStep("of another"), resume]) assert.deepEqual(asked(atWork, other), []);
	assert.deepEqual(asked(over, stop), []);
	assert.deepEqual(asked(over, resume), [{ kind: "resumeChain", session: "s0", step: "a" }]);
});

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

test("the tree of a chain has planned stages and unplanned steps, with states and durations", () => {
	const quiet = run("test", { heardAt: NOW - 61_000 });
	const runs = [run("read", { ended }), run("writ", { tool: "bash" }), quiet, run("extra")];
	const skipped = { kind: "stepFinished", step: "clos", agent: "", outcome: "skipped", text: "" } as const;
	const shown = (events: AgentEvent[]) =>
		treeOf(runs, { events }).map((stage) => stage.map(({ step, state, age }) => `${step} ${state} ${age}`));
	const atWork = [["read succeeded 30000"], ["writ working 90000", "test stalled 90000"]];
	assert.deepEqual(shown([]), [...atWork, ["clos waiting 0"], ["extra working 90000"]]);
	assert.deepEqual(shown([skipped])[2], ["clos skipped 0"]);
});

test("a step shows the last attempt and the tokens of all attempts, and is lost if the window closed", () => {
	const late = { ...ended, outcome: "timedOut" } as const;
	const [[node] = []] = treeOf([run("read", { ended: late }), run("read", { attempt: 2 })]);
	assert.deepEqual([node?.state, node?.tokens, node?.run?.attempt], ["working", 20, 2]);
	for (const ways of [{ isLive: false }, { ends: true }])
		assert.equal(treeOf([run("read")], ways)[0]?.[0]?.state, "lost");
});

test("only the last chain of a session can be resumed, and only after the chain's end", () => {
	const chain = oneTurn(0, { events: [plan], runs: [run("read")] });
	const { outcome: _, ...atWork } = { ...chain, turn: 1 };
	const resumable = (turns: readonly TranscriptTurn[], updatedAt = NOW) =>
		resumableTurn({ session: { ...oneSession(0).session, updatedAt }, turns }, NOW)?.turn;
	assert.equal(resumable([chain, oneTurn(1, {})]), 0);
	assert.equal(resumable([chain, atWork]), undefined);
	assert.equal(resumable([chain, atWork], NOW - HOUR), 1, "the window of the chain was closed");
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
		"a call with its result is a step at the call's position; a call without a result is a step, too",
		[started("a"), started("b"), notice, { kind: "toolFinished", call: call("a"), ...result }],
		[{ kind: "tool", call: call("a"), result }, { kind: "tool", call: call("b") }, notice],
	],
	[
		"consecutive thoughts are a single step, and parts of the answer are not steps",
		[
			...["Let me ", "see."].map((text) => ({ kind: "thought", text }) as const),
			{ kind: "text", text: "Lotte" },
			{ kind: "usage", inputTokens: 3, outputTokens: 4 },
			{ kind: "ended", reason: "done" },
		],
		[{ kind: "thought", text: "Let me see." }],
	],
	[
		"every file change is a step, but of plans only the last",
		[planned("pending"), diff, planned("done")],
		[diff, planned("done")],
	],
] satisfies [string, AgentEvent[], object[]][])
	test(title, () => {
		assert.deepEqual(stepsOf(events), steps);
	});

test("a time is shown in the longest unit that has passed since", () => {
	const passed = [0, 5 * 60_000, 3 * HOUR, 30 * HOUR, 24 * 20 * HOUR].map((ms) => timeAgo(NOW - ms, NOW));
	assert.deepEqual(passed, ["now", "5m ago", "3h ago", "yesterday", "2w ago"]);
});
