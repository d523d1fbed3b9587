import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionSummary, TranscriptTurn } from "../../src/core/session/session.ts";
import type { ViewRequest, ViewUpdate } from "../../src/protocol/webview.ts";
import {
	type Action,
	NO_FILTERS,
	openingState,
	savedState,
	type ViewState,
} from "../../webview/model/state.ts";
import { chooseTab, hear, open, retry, undo } from "../../webview/pageActions.ts";
import { previewRule } from "../../webview/permissions/permissionActions.ts";
import {
	chooseFilters,
	chooseRow,
	closeSession,
	openSession,
	resumeChain,
	scrollTranscript,
	search,
	showRows,
	stopStep,
} from "../../webview/sessions/sessionActions.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { oneDecision, oneRule } from "../support/fakePermissions.ts";
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
const opening =
	(session: string, turn?: number): Action =>
	(state) =>
		openSession(state, session, turn);
const changed = (part: "sessions" | "memory") => hear({ kind: "changed", part });

test("a page reopens with the same tab, session, position, filters and search text", () => {
	assert.deepEqual(after(OPENING, open).asked, [{ kind: "ready" }, listing(0)]);
	const filters = chooseFilters({ thisWorkspace: true, archived: false });
	const { state } = after(OPENING, search("lamp"), filters, opening("s1", 3), scrollTranscript(120));
	const saved = structuredClone(savedState(state));
	assert.deepEqual(savedState(openingState(saved, NOW)), saved);
	assert.deepEqual(saved.sessions.open, { session: "s1", turn: 3, scroll: 120 });
	const left = openingState({ ...savedState(OPENING), tab: "permissions" }, NOW);
	assertMapped(after(left, open).asked, ({ kind }) => kind, ["ready", "listRules", "listDecisions"]);
});

test("rows are requested once, when the screen comes near them", () => {
	assert.deepEqual(after(listed, showRows(150, 190)).asked, []);
	const shown = after(listed, showRows(210, 240));
	assert.deepEqual(shown.asked, [listing(100)]);
	assert.deepEqual(after(shown.state, showRows(211, 241)).asked, []);
	const { rows } = after(shown.state, hear(page(sessions, 100))).state.sessions;
	assert.deepEqual(rows?.length, sessions.length);
	assert.ok(rows?.every((row) => row !== undefined));
});

test("the active row follows its session when the list moves, and is the last row of a shorter list", () => {
	const moved = [...sessions.slice(7, 8), ...sessions.toSpliced(7, 1)];
	const activeOf = (row: number, all: typeof sessions) =>
		after(listed, chooseRow(row), hear(page(all))).state.sessions.active;
	assert.deepEqual([activeOf(3, moved), activeOf(99, sessions.slice(0, 3))], [4, 2]);
});

test("answers to outdated requests are dropped", () => {
	const { state } = after(listed, search("lamp"));
	for (const late of [
		page(sessions),
		{ kind: "hits", filters: NO_FILTERS, text: "lam", hits: [] },
		{ kind: "transcript", transcript: oneSession(0) },
	] satisfies ViewUpdate[])
		assert.equal(after(state, hear(late)).state, state, late.kind);
});

test("changed parts are requested again only while they are shown; facts include those of the open session", () => {
	const { state } = after(listed, showRows(120, 130), opening("s1"));
	assert.deepEqual(after(state, changed("sessions")).asked, [{ kind: "readSession", session: "s1" }]);
	assert.deepEqual(after(state, closeSession).asked, [listing(0)]);
	assert.deepEqual(after(state, changed("memory")).asked, []);
	assert.deepEqual(after(state, chooseTab("memory")).asked, [{ kind: "listFacts", session: "s1" }]);
	const { asked } = after(listed, search("lamp"), changed("sessions"));
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

test("deleting the open session closes it, and a new fork opens", () => {
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

test("a preview is shown only for the rule that was previewed last", () => {
	const own = oneRule("own", { effect: "deny", tool: "run_command" });
	const { state, asked } = after(OPENING, previewRule({ rule: own }));
	const rule = { effect: "deny", scope: "always", tool: "run_command" } as const;
	assert.deepEqual(asked, [{ kind: "previewRule", rule }]);
	const shown = (tool: string) => {
		const answer = { kind: "preview", rule: { ...rule, tool }, decisions: [oneDecision({})] } as const;
		return after(state, hear(answer)).state.permissions.preview?.decisions?.length;
	};
	assert.deepEqual([shown("other"), shown("run_command")], [undefined, 1]);
});

test("a step can be stopped while it runs, and its chain resumed once it is over", () => {
	const run = { step: "a", agent: "b", attempt: 1, startedAt: NOW, heardAt: NOW, tokens: 0, session: "step" };
	const events = [{ kind: "chain", chain: { onFailure: "stop", stages: [] } }] as const;
	const { outcome: _, ...atWork } = oneTurn(0, { events, runs: [run] });
	const ended = { at: NOW, outcome: "failed", text: "" } as const;
	const over = oneTurn(0, { events, runs: [{ ...run, ended }] });
	const session = { ...oneSession(0).session, updatedAt: NOW };
	const asked = (turn: TranscriptTurn, action: Action) => {
		const transcript = { session, turns: [turn] };
		return after(listed, opening("s0"), hear({ kind: "transcript", transcript }), action).asked;
	};
	const [stop, resume] = [stopStep("step"), resumeChain("a")];
	assert.deepEqual(asked(atWork, stop), [{ kind: "stopStep", session: "step" }]);
	for (const other of [stopStep("of another"), resume]) assert.deepEqual(asked(atWork, other), []);
	assert.deepEqual(asked(over, stop), []);
	assert.deepEqual(asked(over, resume), [{ kind: "resumeChain", session: "s0", step: "a" }]);
});
