import assert from "node:assert/strict";
import { test } from "node:test";
import * as vscode from "vscode";
import { type ViewPart, type ViewUpdate, viewRequest } from "../../../src/protocol/webview.ts";
import { answerFor, openSessionsView, type ViewPorts } from "../../../src/vscode/sessionsView/host.ts";
import { menuOf } from "../../../webview/sessions/sessionMenu.ts";
import { createFakePermissions } from "../../support/fakePermissions.ts";
import { createFakeMemory, oneFact } from "../../webview/fakeMemory.ts";
import { createFakeSessions, oneSession } from "../../webview/fakeSessions.ts";

test("changes of a part are reported together once they pause", async () => {
	const changed = new vscode.EventEmitter<ViewPart>();
	const told = Promise.withResolvers<void>();
	const updates: ViewUpdate[] = [];
	const webview = {
		postMessage: (update: ViewUpdate) => void (updates.push(update) === 2 && told.resolve()),
		onDidReceiveMessage: new vscode.EventEmitter<unknown>().event,
		asWebviewUri: (uri: vscode.Uri) => uri,
	};
	const view = { webview, visible: true, onDidChangeVisibility: new vscode.EventEmitter<void>().event };
	openSessionsView(view as unknown as vscode.WebviewView, {
		...portsWith({}),
		onDidChange: changed.event,
		extensionUri: vscode.Uri.file("/isles"),
		log: { warn: assert.fail, error: assert.fail } as unknown as vscode.LogOutputChannel,
	});
	for (const part of ["sessions", "permissions", "sessions"] as const) changed.fire(part);
	await told.promise;
	const expected = ["sessions", "permissions"].map((part) => ({ kind: "changed", part }));
	assert.deepEqual(updates, expected);
});

test("VS Code asks for a title or a fact, and only a new text is saved", async (t) => {
	const shown = t.mock.method(vscode.window, "showInputBox");
	const keptOf = async (typed: string | undefined) => {
		const [sessions, memory] = [createFakeSessions([oneSession(0)]), createFakeMemory([oneFact("f1", {})])];
		shown.mock.mockImplementation(async () => typed);
		const ports = portsWith({ sessions, memory });
		await answerFor({ kind: "renameSession", session: "s0", title: "Old" }, ports, signal);
		await answerFor({ kind: "editFact", fact: "f1", text: "Old" }, ports, signal);
		return [sessions.isChanged && sessions.transcripts[0]?.session.title, memory.known[0]?.text];
	};
	assert.deepEqual(await keptOf(" New "), ["New", "New"]);
	const { text } = oneFact("f1", {});
	for (const typed of [undefined, " ", "Old"]) assert.deepEqual(await keptOf(typed), [false, text]);
});

const { signal } = new AbortController();
const DAY = 24 * 60 * 60_000;

test("the view's filters become the query for sessions", async (t) => {
	const sessions = createFakeSessions();
	const listing = t.mock.method(sessions, "list");
	const filters = { engine: "cli", thisWorkspace: true, days: 1, archived: true } as const;
	const request = viewRequest.parse({ kind: "listSessions", filters, offset: 100, limit: 50 });
	const before = Date.now();
	await answerFor(request, portsWith({ sessions }), signal);
	const [{ since = 0, ...query } = { limit: 0 }] = listing.mock.calls[0]?.arguments ?? [];
	const wanted = { engine: "cli", workspace: "file:///isles", archived: true, offset: 100, limit: 50 };
	assert.deepEqual(query, wanted);
	assert.ok(since >= before - DAY && since <= Date.now() - DAY);
});

test("a workspace rule belongs to the window's folder, and is refused without one", async () => {
	const permissions = createFakePermissions([], []);
	const rule = { effect: "allow", scope: "workspace", tool: "run_command" } as const;
	const request = { kind: "addRule", rule } as const;
	await answerFor(request, portsWith({ permissions }), signal);
	assert.equal(permissions.made[0]?.owner, "file:///isles");
	const ports = portsWith({ permissions, workspace: () => "" });
	await assert.rejects(answerFor(request, ports, signal), { code: "NO_FOLDER" });
});

test("links other than web or mail, and citations outside every folder, open nothing", async () => {
	for (const href of ["command:workbench.action.quit", "file:///etc/passwd", "javascript:alert(1)", "x"]) {
		const opening = answerFor({ kind: "openLink", href }, portsWith({}), signal);
		await assert.rejects(opening, { code: "BAD_INPUT" }, href);
	}
	const citation = { path: "../../secret.txt", lines: { start: 1, end: 1 } };
	const opening = answerFor({ kind: "openCitation", citation }, portsWith({}), signal);
	await assert.rejects(opening, { code: "NOT_FOUND" });
});

test("a session's menu data completes the requests of its commands", () => {
	const { session: summary } = oneSession(0);
	const session = JSON.parse(menuOf(summary, "row"));
	for (const [request, fields] of [
		[{ kind: "forkSession" }, { turns: 2 }],
		[{ kind: "renameSession" }, { title: summary.title }],
		[{ kind: "exportSession", format: "json" }, {}],
		[{ kind: "archiveSession", archived: true }, {}],
		[{ kind: "deleteSession" }, {}],
	] as const)
		assert.deepEqual(viewRequest.parse({ ...session, ...request }), { ...request, session: "s0", ...fields });
	const ofCli = JSON.parse(menuOf({ ...summary, engine: "cli", turns: 0 }, "row"));
	assert.equal(ofCli.canArchive, false);
	assert.ok(viewRequest.safeParse({ ...ofCli, kind: "forkSession" }).success);
});

test("forged and incomplete requests are rejected", () => {
	const filters = { thisWorkspace: false, archived: false };
	for (const message of [
		undefined,
		{ kind: "runCommand", command: "x" },
		{ kind: "deleteSession" },
		{ kind: "listSessions", filters, offset: -1, limit: 10 },
		{ kind: "addRule", rule: { effect: "allow", scope: "once" } },
	])
		assert.equal(viewRequest.safeParse(message).success, false, JSON.stringify(message));
});

function portsWith(part: Partial<ViewPorts>): ViewPorts {
	return {
		sessions: createFakeSessions(),
		memory: createFakeMemory(),
		permissions: createFakePermissions([], []),
		steps: { stop: () => false },
		policies: async () => [],
		workspace: () => "file:///isles",
		...part,
	};
}
