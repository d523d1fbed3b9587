import assert from "node:assert/strict";
import { test } from "node:test";
import * as vscode from "vscode";
import type { ViewUpdate } from "../../../src/protocol/webview.ts";
import { openSessionsView, type ViewChange } from "../../../src/vscode/sessionsView/host.ts";
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
		sessions,
		memory: new FakeMemory([]),
		permissions: new FakePermissions([], []),
		steps: { stop: () => false },
		policies: async () => [],
		workspace: () => "",
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
