import assert from "node:assert/strict";
import { test } from "node:test";
import type { TranscriptTurn } from "../../src/core/session/session.ts";
import type { ViewRequest, ViewUpdate } from "../../src/protocol/webview.ts";
import { type Action, NO_FILTERS, openingState, savedState } from "../../webview/model/state.ts";
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
import { oneDecision, oneRule } from "../support/fakePermissions.ts";
import { oneFact } from "./fakeMemory.ts";
import { manySessions, oneTurn } from "./fakeSessions.ts";
import { after, kindsOf, listed, NOW, page, sessions } from "./reducing.ts";

const listing = (offset: number) =>
	({ kind: "listSessions", filters: NO_FILTERS, offset, limit: 300 }) as const;

test("a page that opens says so, and asks for the tab that it was left on", () => {
	const opened = after(openingState(undefined, NOW), open);
	assert.deepEqual(opened.asked, [{ kind: "ready" }, listing(0)]);
	const left = { ...savedState(openingState(undefined, NOW)), tab: "permissions" as const };
	const { asked } = after(openingState(left, NOW), open);
	assert.deepEqual(kindsOf(asked), ["ready", "listRules", "listDecisions"]);
});

test("a page opens where it was left: the session, its place, the filters and the words", () => {
	const state = openingState(undefined, NOW);
	const { state: left } = after(
		state,
		search("lamp"),
		chooseFilters({ thisWorkspace: true, archived: false }),
		(now) => openSession(now, "s1", 3),
		scrollTranscript(120),
	);
	const saved = structuredClone(savedState(left));
	assert.deepEqual(savedState(openingState(saved, NOW)), saved);
	assert.deepEqual(saved.sessions.open, { session: "s1", turn: 3, scroll: 120 });
});

test("rows around the screen are asked for when it comes near others, and once", () => {
	const { state } = listed();
	assert.deepEqual(after(state, showRows(150, 190)).asked, []);
	const shown = after(state, showRows(210, 240));
	assert.deepEqual(shown.asked, [listing(100)]);
	assert.deepEqual(after(shown.state, showRows(211, 241)).asked, []);
	const { state: loaded } = after(shown.state, hear(page(sessions, 100)));
	assert.deepEqual(loaded.sessions.rows?.length, sessions.length);
	assert.ok(loaded.sessions.rows?.every((row) => row !== undefined));
});

test("the row of the keyboard follows its session when the list moves", () => {
	const { state } = after(listed().state, chooseRow(3));
	const [newest, ...others] = [sessions[7], ...sessions.filter((_, index) => index !== 7)];
	assert.ok(newest);
	const moved = after(state, hear(page([newest, ...others], 0)));
	assert.equal(moved.state.sessions.active, 4);
});

test("a list that became shorter keeps the keyboard on its last row", () => {
	const { state } = after(listed().state, chooseRow(99));
	const short = sessions.slice(0, 3);
	assert.equal(after(state, hear(page(short, 0))).state.sessions.active, 2);
});

test("an answer to a question that nobody asks any more is dropped", () => {
	const { state } = after(listed().state, search("lamp"));
	assert.equal(after(state, hear(page(sessions, 0))).state, state);
	const late: ViewUpdate = { kind: "hits", filters: NO_FILTERS, text: "lam", hits: [] };
	assert.equal(after(state, hear(late)).state, state);
	const transcript = { session: sessions[0] ?? fail(), turns: [oneTurn(0, {})] };
	assert.equal(after(state, hear({ kind: "transcript", transcript })).state, state);
});

test("what changed is asked for again where it is shown, and only there", () => {
	const shown = after(listed().state, showRows(120, 130));
	const { state } = after(shown.state, (now) => openSession(now, "s1"));
	const changed = after(state, hear({ kind: "changed", part: "sessions" }));
	assert.deepEqual(changed.asked, [{ kind: "readSession", session: "s1" }]);
	assert.deepEqual(after(state, closeSession).asked, [listing(0)]);
	assert.deepEqual(after(state, hear({ kind: "changed", part: "memory" })).asked, []);
	const searching = after(listed().state, search("lamp"));
	const { asked } = after(searching.state, hear({ kind: "changed", part: "sessions" }));
	assert.deepEqual(kindsOf(asked), ["searchSessions"]);
});

test("the facts of the session that is open are asked for with the others", () => {
	const { state } = after(listed().state, (now) => openSession(now, "s1"));
	const { asked } = after(state, chooseTab("memory"));
	assert.deepEqual(asked, [{ kind: "listFacts", session: "s1" }]);
});

const DELETED: ViewRequest = { kind: "deleteSession", session: "s2" };
const text = "Answers are wanted in short sentences";
const FACT = { text, scope: "user", source: { by: "person" } } as const;
const RULE = { effect: "deny", scope: "always", tool: "delete_*" } as const;
const archived = (is: boolean) => ({ kind: "archiveSession", session: "s2", archived: is }) as const;

const UNDOABLE: readonly (readonly [done: ViewRequest, undone: ViewRequest, label: RegExp])[] = [
	[DELETED, { kind: "restoreSession", session: "s2" }, /^Deleted “Session 2 /],
	[archived(true), archived(false), /^Archived “Session 2 /],
	[{ kind: "forgetFact", fact: "f1" }, { kind: "rememberFact", fact: FACT }, /^Forgot “Answers/],
	[{ kind: "revokeRule", rule: "r1" }, { kind: "addRule", rule: RULE }, /^Revoked “deny, tool delete_\*.*”$/],
];

for (const [done, back, label] of UNDOABLE)
	test(`${done.kind} can be undone by ${back.kind}`, () => {
		const { state } = after(
			listed().state,
			hear({ kind: "facts", facts: [oneFact("f1", {})] }),
			hear({ kind: "rules", rules: [{ rule: oneRule("r1", { effect: "deny", tool: "delete_*" }) }] }),
			hear({ kind: "did", request: done }),
		);
		assert.match(state.undo?.label ?? "", label);
		assert.ok(state.announcement.startsWith(state.undo?.label ?? "-"));
		const undone = after(state, undo);
		assert.deepEqual(undone.asked, [back]);
		assert.equal(undone.state.undo, undefined);
	});

test("a session that is deleted while it is open closes", () => {
	const opened = after(listed().state, (now) => openSession(now, "s1"));
	const deleted = hear({ kind: "did", request: { kind: "deleteSession", session: "s1" } });
	const { state } = after(opened.state, deleted);
	assert.equal(state.sessions.open, undefined);
});

test("a fork opens", () => {
	const { state, asked } = after(listed().state, hear({ kind: "forked", session: "s9" }));
	assert.equal(state.sessions.open?.session, "s9");
	assert.deepEqual(asked, [{ kind: "readSession", session: "s9" }]);
});

test("what failed is said, and asked again on demand", () => {
	const request = listing(0);
	const failed = hear({ kind: "failed", request, message: "The worker stopped." });
	const { state } = after(openingState(undefined, NOW), failed);
	assert.equal(state.problem?.message, "The worker stopped.");
	const retried = after(state, retry);
	assert.deepEqual(retried.asked, [request]);
	assert.equal(retried.state.problem, undefined);
});

test("a preview is shown for the rule that it was asked for last", () => {
	const own = oneRule("own", { effect: "deny", tool: "run_command" });
	const { state, asked } = after(openingState(undefined, NOW), previewRule({ rule: own }));
	const rule = { effect: "deny", scope: "always", tool: "run_command" } as const;
	assert.deepEqual(asked, [{ kind: "previewRule", rule }]);
	const other = hear({ kind: "preview", rule: { ...rule, tool: "other" }, decisions: [] });
	assert.equal(after(state, other).state.permissions.preview?.decisions, undefined);
	const answered = after(state, hear({ kind: "preview", rule, decisions: [oneDecision({})] })).state;
	assert.equal(answered.permissions.preview?.decisions?.length, 1);
});

test("a step is stopped while it is at work, and its chain goes on once it is over", () => {
	const [made] = manySessions(1);
	const run = { step: "a", agent: "b", attempt: 1, startedAt: NOW, heardAt: NOW, tokens: 0, session: "step" };
	const events = [{ kind: "chain", chain: { onFailure: "stop", stages: [] } }] as const;
	const { outcome: _, ...atWork } = oneTurn(0, { events, runs: [run] });
	const showing = (turn: TranscriptTurn) => {
		const session = { ...(made?.session ?? fail()), updatedAt: NOW };
		const opened: Action = (now) => openSession(now, session.id);
		return after(listed().state, opened, hear({ kind: "transcript", transcript: { session, turns: [turn] } }))
			.state;
	};
	const stop = stopStep("step");
	const resume = resumeChain("a");
	const asked = (turn: TranscriptTurn, action: Action) => after(showing(turn), action).asked;
	assert.deepEqual(asked(atWork, stop), [{ kind: "stopStep", session: "step" }]);
	assert.deepEqual(asked(atWork, stopStep("of another")), []);
	assert.deepEqual(asked(atWork, resume), []);
	const ended = { at: NOW, outcome: "failed", text: "" } as const;
	const over = oneTurn(0, { events, runs: [{ ...run, ended }] });
	assert.deepEqual(asked(over, stop), []);
	assert.deepEqual(asked(over, resume), [{ kind: "resumeChain", session: "s0", step: "a" }]);
});

function fail(): never {
	throw new Error("There is no session.");
}
