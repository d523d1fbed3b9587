import assert from "node:assert/strict";
import { test } from "node:test";
import type { ViewRequest, ViewUpdate } from "../../src/protocol/webview.ts";
import type { ViewEvent } from "../../webview/model/event.ts";
import { NO_FILTERS, openingState, savedState, type ViewState } from "../../webview/model/state.ts";
import { reduce } from "../../webview/reduce.ts";
import { assertNone } from "../support/assertNone.ts";
import { oneDecision, oneRule } from "../support/fakePermissions.ts";
import { oneFact } from "./fakeMemory.ts";
import { manySessions, oneTurn } from "./fakeSessions.ts";

const NOW = 1_700_000_000_000;
const sessions = manySessions(250).map(({ session }) => session);

function after(
	state: ViewState,
	...events: readonly ViewEvent[]
): { state: ViewState; asked: ViewRequest[] } {
	let asked: ViewRequest[] = [];
	let current = state;
	for (const event of events) {
		const step = reduce(current, event);
		current = step.state;
		asked = [...step.requests];
	}
	return { state: current, asked };
}

function listed() {
	return after(openingState(undefined, NOW), { kind: "opened" }, told(page(sessions, 0)));
}

function page(all: typeof sessions, offset: number, total = all.length): ViewUpdate {
	const rows = all.slice(offset, offset + 100);
	return { kind: "sessions", filters: NO_FILTERS, offset, sessions: rows, total };
}

function told(update: ViewUpdate): ViewEvent {
	return { kind: "told", update };
}

function kindsOf(requests: readonly ViewRequest[]): string[] {
	return requests.map(({ kind }) => kind);
}

const listing = (offset: number) =>
	({ kind: "listSessions", filters: NO_FILTERS, offset, limit: 100 }) as const;

test("a page that opens says so, and asks for the tab that it was left on", () => {
	const opened = after(openingState(undefined, NOW), { kind: "opened" });
	assert.deepEqual(opened.asked, [{ kind: "ready" }, listing(0)]);
	const left = { ...savedState(openingState(undefined, NOW)), tab: "permissions" as const };
	const { asked } = after(openingState(left, NOW), { kind: "opened" });
	assert.deepEqual(kindsOf(asked), ["ready", "listRules", "listDecisions"]);
});

test("a page opens where it was left: the session, its place, the filters and the words", () => {
	const state = openingState(undefined, NOW);
	const { state: left } = after(
		state,
		{ kind: "searched", text: "lamp" },
		{ kind: "filtersChosen", filters: { thisWorkspace: true, archived: false } },
		{ kind: "sessionOpened", session: "s1", turn: 3 },
		{ kind: "transcriptScrolled", top: 120 },
	);
	const saved = structuredClone(savedState(left));
	assert.deepEqual(savedState(openingState(saved, NOW)), saved);
	assert.deepEqual(saved.open, { session: "s1", turn: 3, scroll: 120 });
});

test("pages are asked for when their rows come to the screen, and once", () => {
	const { state } = listed();
	const shown = after(state, { kind: "rowsShown", first: 95, last: 110 });
	assert.deepEqual(shown.asked, [listing(100)]);
	assert.deepEqual(after(shown.state, { kind: "rowsShown", first: 96, last: 111 }).asked, []);
});

test("a list that became shorter keeps the keyboard on its last row", () => {
	const { state } = after(listed().state, { kind: "rowChosen", index: 99 });
	const short = sessions.slice(0, 3);
	assert.equal(after(state, told(page(short, 0, 3))).state.sessions.active, 2);
});

test("an answer to a question that nobody asks any more is dropped", () => {
	const { state } = after(listed().state, { kind: "searched", text: "lamp" });
	assert.equal(after(state, told(page(sessions, 0))).state, state);
	const late: ViewUpdate = { kind: "hits", filters: NO_FILTERS, text: "lam", hits: [] };
	assert.equal(after(state, told(late)).state, state);
	const transcript = { session: sessions[0] ?? fail(), turns: [oneTurn(0, {})] };
	assert.equal(after(state, told({ kind: "transcript", transcript })).state, state);
});

test("what changed is asked for again where it is shown, and only there", () => {
	const shown = after(listed().state, { kind: "rowsShown", first: 120, last: 130 });
	const { state } = after(shown.state, { kind: "sessionOpened", session: "s1" });
	const changed = after(state, told({ kind: "changed", part: "sessions" }));
	assert.deepEqual(changed.asked, [listing(100), { kind: "readSession", session: "s1" }]);
	// Rows elsewhere may be old now: they are asked for when they are looked at.
	assert.equal(changed.state.sessions.rows?.[0], undefined);
	assert.deepEqual(after(state, told({ kind: "changed", part: "memory" })).asked, []);
});

test("a session that changed moves in the list, the keyboard with its row, and nothing else is asked for", () => {
	const { state } = after(listed().state, { kind: "rowChosen", index: 3 });
	const before = sessions[7] ?? fail();
	const changed = { ...before, title: "Another one", updatedAt: (sessions[0]?.updatedAt ?? 0) + 1 };
	const changes = [{ id: before.id, before, after: changed }];
	const moved = after(state, told({ kind: "sessionsChanged", changes }));
	assert.deepEqual(moved.asked, []);
	assert.deepEqual(moved.state.sessions.rows?.[0], changed);
	assert.equal(moved.state.sessions.active, 4);
	assert.equal(moved.state.sessions.rows?.length, sessions.length);
	const open = after(state, { kind: "sessionOpened", session: before.id });
	const { asked } = after(open.state, told({ kind: "sessionsChanged", changes }));
	assert.deepEqual(asked, [{ kind: "readSession", session: before.id }]);
});

test("changes of sessions are not looked at on another tab, and search again for what is searched", () => {
	const changes = [{ id: "s1" }];
	const away = after(listed().state, { kind: "tabChosen", tab: "memory" });
	assert.deepEqual(after(away.state, told({ kind: "sessionsChanged", changes })).asked, []);
	const searching = after(listed().state, { kind: "searched", text: "lamp" });
	const { asked } = after(searching.state, told({ kind: "sessionsChanged", changes }));
	assert.deepEqual(kindsOf(asked), ["searchSessions"]);
});

test("the facts of the session that is open are asked for with the others", () => {
	const { state } = after(listed().state, { kind: "sessionOpened", session: "s1" });
	const { asked } = after(state, { kind: "tabChosen", tab: "memory" });
	assert.deepEqual(asked, [{ kind: "listFacts", session: "s1" }]);
});

const DELETED: ViewRequest = { kind: "deleteSession", session: "s2" };
const text = "Answers are wanted in short sentences";
const FACT = { text, scope: "user", source: { by: "person" } } as const;
const RULE = { effect: "deny", scope: "always", tool: "delete_*" } as const;
const archived = (is: boolean) => ({ kind: "archiveSession", session: "s2", archived: is }) as const;

const UNDOABLE: readonly (readonly [done: ViewRequest, undo: ViewRequest, label: RegExp])[] = [
	[DELETED, { kind: "restoreSession", session: "s2" }, /^Deleted “Session 2 /],
	[archived(true), archived(false), /^Archived “Session 2 /],
	[{ kind: "forgetFact", fact: "f1" }, { kind: "rememberFact", fact: FACT }, /^Forgot “Answers/],
	[{ kind: "revokeRule", rule: "r1" }, { kind: "addRule", rule: RULE }, /^Revoked “deny, tool delete_\*.*”$/],
];

for (const [done, undo, label] of UNDOABLE)
	test(`${done.kind} can be undone by ${undo.kind}`, () => {
		const { state } = after(
			listed().state,
			told({ kind: "facts", facts: [oneFact("f1", {})] }),
			told({ kind: "rules", rules: [{ rule: oneRule("r1", { effect: "deny", tool: "delete_*" }) }] }),
			told({ kind: "did", request: done }),
		);
		assert.match(state.undo?.label ?? "", label);
		assert.ok(state.announcement.startsWith(state.undo?.label ?? "-"));
		const undone = after(state, { kind: "undone" });
		assert.deepEqual(undone.asked, [undo]);
		assert.equal(undone.state.undo, undefined);
	});

test("a session that was restored elsewhere is not offered to be restored", () => {
	const deleted = after(listed().state, told({ kind: "did", request: DELETED }));
	const session = sessions.find(({ id }) => id === "s2") ?? fail();
	const gone = told({ kind: "sessionsChanged", changes: [{ id: "s2", before: session }] });
	assert.ok(after(deleted.state, gone).state.undo);
	const back = told({ kind: "sessionsChanged", changes: [{ id: "s2", after: session }] });
	assert.equal(after(deleted.state, back).state.undo, undefined);
});

test("a session that is deleted while it is open closes", () => {
	const open = after(listed().state, { kind: "sessionOpened", session: "s1" });
	const deleted = told({ kind: "did", request: { kind: "deleteSession", session: "s1" } });
	const { state } = after(open.state, deleted);
	assert.equal(state.sessions.open, undefined);
});

test("a fork opens", () => {
	const { state, asked } = after(listed().state, told({ kind: "forked", session: "s9" }));
	assert.equal(state.sessions.open?.session, "s9");
	assert.deepEqual(asked, [{ kind: "readSession", session: "s9" }]);
});

test("what failed is said, and asked again on demand", () => {
	const request = listing(0);
	const failed = told({ kind: "failed", request, message: "The worker stopped." });
	const { state } = after(openingState(undefined, NOW), failed);
	assert.equal(state.problem?.message, "The worker stopped.");
	const retried = after(state, { kind: "retried" });
	assert.deepEqual(retried.asked, [request]);
	assert.equal(retried.state.problem, undefined);
});

test("a list in which a title is being written stays as it is, and is asked for again afterwards", () => {
	const { state } = listed();
	const begun = after(state, { kind: "renameBegun", session: "s0" });
	const changes = sessions
		.slice(1, 2)
		.map((before) => ({ id: before.id, before, after: { ...before, title: "New" } }));
	const meanwhile = after(begun.state, told({ kind: "sessionsChanged", changes }));
	assert.equal(meanwhile.state.sessions.rows, state.sessions.rows);
	assert.deepEqual(meanwhile.asked, []);
	const ended = after(meanwhile.state, { kind: "renameEnded" });
	assert.deepEqual(kindsOf(ended.asked), ["listSessions"]);
	assert.equal(ended.state.sessions.isBehind, false);
});

test("a title that was not changed, or is empty, renames nothing", () => {
	const begun: ViewEvent = { kind: "renameBegun", session: "s0" };
	const { state } = listed();
	for (const title of ["  ", sessions[0]?.title ?? "", undefined])
		assertNone(after(state, begun, { kind: "renameEnded", ...(title !== undefined && { title }) }).asked);
	const { asked } = after(state, begun, { kind: "renameEnded", title: " New " });
	assert.deepEqual(asked, [{ kind: "renameSession", session: "s0", title: "New" }]);
});

test("a preview is shown for the rule that it was asked for, and goes when the fields change", () => {
	const filled: ViewEvent = { kind: "formFilled", fields: { effect: "deny", tool: "run_command" } };
	const form: ViewEvent[] = [{ kind: "formOpened" }, filled, { kind: "formPreviewed" }];
	const { state, asked } = after(openingState(undefined, NOW), ...form);
	const rule = { effect: "deny", scope: "always", tool: "run_command" } as const;
	assert.deepEqual(asked.at(-1), { kind: "previewRule", rule });
	const other = told({ kind: "preview", rule: { ...rule, tool: "other" }, decisions: [] });
	assert.equal(after(state, other).state.permissions.preview?.decisions, undefined);
	const answered = after(state, told({ kind: "preview", rule, decisions: [oneDecision({})] })).state;
	assert.equal(answered.permissions.preview?.decisions?.length, 1);
	assert.equal(after(answered, filled).state.permissions.preview, undefined);
});

function fail(): never {
	throw new Error("There is no session.");
}
