import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import * as vscode from "vscode";
import { type ViewPart, type ViewUpdate, viewRequest } from "../../../src/protocol/webview.ts";
import { askRule, isWanted } from "../../../src/vscode/sessionsView/askInFields.ts";
import { sessionMarkdown } from "../../../src/vscode/sessionsView/exportSession.ts";
import { answerFor, openSessionsView, type ViewPorts } from "../../../src/vscode/sessionsView/host.ts";
import { menuOf } from "../../../webview/model/state.ts";
import { createFakePermissions, oneDecision } from "../../support/fakePermissions.ts";
import { createFakeMemory, oneFact } from "../../webview/fakeMemory.ts";
import { createFakeSessions, oneSession, oneTurn } from "../../webview/fakeSessions.ts";

test("changes of a part of the view are reported together after a pause", async () => {
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

test("VS Code asks for a session's title or a fact's text, and saves only a new text", async (t) => {
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

test("a workspace rule belongs to the window's folder, and is refused in a window without a folder", async () => {
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

test("a command of a session's menu gets the session, title and turns that its request needs from the menu's context", () => {
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

test("unknown, incomplete and invalid requests of the page are rejected", () => {
	const listing = { filters: { thisWorkspace: false, archived: false }, offset: -1, limit: 10 };
	const addRule = { rule: { effect: "allow", scope: "once" } };
	const requests = { runCommand: {}, deleteSession: {}, listSessions: listing, addRule };
	for (const [kind, fields] of Object.entries(requests))
		assert.equal(viewRequest.safeParse({ kind, ...fields }).success, false, kind);
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

/** Chooses these labels and types these texts; resolves to the rule, and whether each text was refused. */
async function ruleOf(t: TestContext, chosen: readonly string[], typed: readonly string[]) {
	const [labels, texts] = [[...chosen], [...typed]];
	const refused: boolean[] = [];
	t.mock.method(vscode.window, "showQuickPick", async (items: readonly { readonly label: string }[]) => {
		const label = labels.shift();
		return items.find((item) => item.label === label);
	});
	t.mock.method(vscode.window, "showInputBox", async ({ validateInput }: vscode.InputBoxOptions) => {
		const text = texts.shift();
		if (text !== undefined) refused.push(validateInput?.(text) !== undefined);
		return text;
	});
	return { rule: await askRule(), refused };
}

test("a permission rule is asked for part by part, and omits the parts that the user left open", async (t) => {
	const all = ["Deny", "Command", "Copilot CLI", "In this workspace"];
	const { rule } = await ruleOf(t, all, [" git push ", " shell "]);
	const argument = { kind: "command", value: "git push" };
	assert.deepEqual(rule, { effect: "deny", scope: "workspace", channel: "cli", tool: "shell", argument });
	const least = await ruleOf(t, ["Allow", "Any argument", "Every channel", "Always"], ["search_*"]);
	assert.deepEqual(least, { rule: { effect: "allow", scope: "always", tool: "search_*" }, refused: [false] });
});

test("canceling any of the questions about a rule adds no rule", async (t) => {
	const all = ["Deny", "Path", "Every channel", "Always"];
	for (const count of all.keys())
		assert.equal((await ruleOf(t, all.slice(0, count), ["a/**", ""])).rule, undefined);
	for (const texts of [[], ["a/**"]]) assert.equal((await ruleOf(t, all, texts)).rule, undefined);
});

test("invalid tools, commands, paths and hosts of a rule are refused", async (t) => {
	for (const [effect, kind, texts, expected] of [
		["Allow", "Any argument", [""], [true]],
		["Deny", "Any argument", [""], [false]],
		["Deny", "Any argument", ["run command"], [true]],
		["Allow", "Command", [" ", ""], [true, false]],
		["Allow", "Path", ["C:\\notes", ""], [true, false]],
		["Allow", "Path", ["../notes/**", ""], [true, false]],
		["Allow", "Path", ["C:/notes/**", ""], [false, false]],
		["Allow", "Host", ["https://example.org/a", ""], [true, false]],
		["Allow", "Host", ["*.example.org:8080", ""], [false, false]],
	] as const) {
		const { refused } = await ruleOf(t, [effect, kind, "Every channel", "Always"], texts);
		assert.deepEqual(refused, expected, `${effect} ${kind} ${texts}`);
	}
});

test("before adding a rule, the user can read every decision that the rule would have changed", async (t) => {
	const asked: unknown[] = [];
	const answers = ["Add Rule", undefined];
	const warn = async (message: string, { detail }: vscode.MessageOptions) => {
		asked.push([message, detail?.split("\n").length]);
		return answers.shift();
	};
	t.mock.method(vscode.window, "showWarningMessage", warn);
	const decisions = [oneDecision({}), oneDecision({ effect: "deny" })];
	assert.equal(await isWanted([]), true);
	assert.deepEqual([await isWanted(decisions), await isWanted(decisions)], [true, false]);
	const message = "With this rule, 2 decisions of the last 30 days would have been different.";
	assert.deepEqual(asked, Array(2).fill([message, 2]));
});

test("a session is exported with questions, tools and answers; a tool's result cannot close the fence around it", () => {
	const call = { id: "1", name: "read_resource", input: { target: "a.md" } };
	const session = { ...oneSession(0).session, title: "Who keeps the *lamp*?", createdAt: 0, tokens: 12 };
	const { outcome: _cutOff, ...turn } = oneTurn(0, {
		...{ question: "Who?\nSay it.", attachments: ["notes.md"], answer: "**Lotte** [people.html:3-9]" },
		events: [{ kind: "toolFinished", call, ok: true, text: "```\nfence" }],
	});
	assert.equal(
		sessionMarkdown({ session, turns: [turn] }),
		[
			"# Who keeps the \\*lamp\\*?",
			"Started 1970-01-01T00:00:00.000Z, 12 tokens.",
			"## Turn 1",
			"> Who?\\\n> Say it.",
			"Attached: notes.md",
			"**Tool read\\_resource**",
			'```\n{\n  "target": "a.md"\n}\n```',
			"````\n```\nfence\n````",
			"**Lotte** [people.html:3-9]",
			"*The turn was cut off before it ended.*\n",
		].join("\n\n"),
	);
});
