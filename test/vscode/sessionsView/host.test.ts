import assert from "node:assert/strict";
import { test } from "node:test";
import * as vscode from "vscode";
import type { SessionQuery } from "../../../src/core/session/session.ts";
import { type ViewUpdate, viewRequest } from "../../../src/protocol/webview.ts";
import {
	answerFor,
	openSessionsView,
	type ViewChange,
	type ViewPorts,
} from "../../../src/vscode/sessionsView/host.ts";
import { FakeMemory } from "../../webview/fakeMemory.ts";
import { FakePermissions } from "../../webview/fakePermissions.ts";
import { FakeSessions } from "../../webview/fakeSessions.ts";

test("a list that was read before a change is told to be old, after it was shown", async () => {
	const sessions = new FakeSessions([]);
	const list = Promise.withResolvers<{ sessions: []; total: number }>();
	sessions.list = () => list.promise;
	const { ask, change, until } = openView(sessions);
	const filters = { thisWorkspace: false, archived: false };
	ask({ kind: "listSessions", filters, offset: 0, limit: 9 });
	change({ part: "sessions", changes: [{ id: "renamed" }] });
	await until("sessionsChanged");
	list.resolve({ sessions: [], total: 0 });
	assert.deepEqual(await until("changed"), ["sessionsChanged", "sessions", "changed"]);
});

function openView(sessions: FakeSessions) {
	const changed = new vscode.EventEmitter<ViewChange>();
	const asked = new vscode.EventEmitter<unknown>();
	const told = new vscode.EventEmitter<void>();
	const kinds: ViewUpdate["kind"][] = [];
	const webview = {
		postMessage: ({ kind }: ViewUpdate) => told.fire(void kinds.push(kind)),
		onDidReceiveMessage: asked.event,
		asWebviewUri: (uri: vscode.Uri) => uri,
	};
	const view = { webview, visible: true, onDidChangeVisibility: told.event };
	openSessionsView(view as unknown as vscode.WebviewView, {
		...portsWith({ sessions }),
		onDidChange: changed.event,
		extensionUri: vscode.Uri.file("/isles"),
		log: { warn: assert.fail, error: assert.fail } as unknown as vscode.LogOutputChannel,
	});
	const until = (kind: ViewUpdate["kind"]) =>
		new Promise<typeof kinds>((resolve) => {
			const look = () => kinds.includes(kind) && resolve(kinds);
			told.event(look);
			look();
		});
	return {
		ask: (request: object) => asked.fire(request),
		change: (one: ViewChange) => changed.fire(one),
		until,
	};
}

const { signal } = new AbortController();
const DAY = 24 * 60 * 60_000;

test("what the view filters by becomes the query of the sessions", async () => {
	const queries: SessionQuery[] = [];
	const sessions = new FakeSessions([]);
	sessions.list = async (query) => {
		queries.push(query);
		return { sessions: [], total: 0 };
	};
	const filters = { engine: "cli", thisWorkspace: true, days: 1, archived: true } as const;
	const request = viewRequest.parse({ kind: "listSessions", filters, offset: 100, limit: 50 });
	const before = Date.now();
	await answerFor(request, portsWith({ sessions }), signal);
	const [{ since = 0, ...query } = { limit: 0 }] = queries;
	const wanted = { engine: "cli", workspace: "file:///isles", archived: true, offset: 100, limit: 50 };
	assert.deepEqual(query, wanted);
	assert.ok(since >= before - DAY && since <= Date.now() - DAY);
});

test("a rule for the workspace belongs to the folder of the window, and needs one", async () => {
	const permissions = new FakePermissions([], []);
	const rule = { effect: "allow", scope: "workspace", tool: "run_command" } as const;
	const request = { kind: "addRule", rule } as const;
	await answerFor(request, portsWith({ permissions }), signal);
	assert.equal(permissions.known[0]?.rule.owner, "file:///isles");
	const ports = portsWith({ permissions, workspace: () => "" });
	await assert.rejects(answerFor(request, ports, signal), { code: "NO_FOLDER" });
});

for (const href of ["command:workbench.action.quit", "file:///etc/passwd", "javascript:alert(1)", "x"])
	test(`the link ${href} is refused`, async () => {
		await assert.rejects(answerFor({ kind: "openLink", href }, portsWith({}), signal), { code: "BAD_INPUT" });
	});

test("a citation that leaves every folder opens nothing", async () => {
	const citation = { path: "../../secret.txt", lines: { start: 1, end: 1 } };
	const opening = answerFor({ kind: "openCitation", citation }, portsWith({}), signal);
	await assert.rejects(opening, { code: "NOT_FOUND" });
});

const FORGED = [
	undefined,
	{ kind: "runCommand", command: "x" },
	{ kind: "deleteSession" },
	{ kind: "listSessions", filters: { thisWorkspace: false, archived: false }, offset: -1, limit: 10 },
	{ kind: "addRule", rule: { effect: "allow", scope: "once" } },
];

for (const message of FORGED)
	test(`${JSON.stringify(message)} is no request`, () => {
		assert.equal(viewRequest.safeParse(message).success, false);
	});

function portsWith(part: Partial<ViewPorts>): ViewPorts {
	return {
		sessions: new FakeSessions([]),
		memory: new FakeMemory([]),
		permissions: new FakePermissions([], []),
		steps: { stop: () => false },
		policies: async () => [],
		workspace: () => "file:///isles",
		...part,
	};
}
