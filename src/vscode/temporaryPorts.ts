import * as vscode from "vscode";
import { Failure } from "../core/failure.ts";
import type { Memory } from "../core/memory.ts";
import type { PermissionRule, Permissions } from "../core/permission.ts";
import type { SessionSummary, Sessions, TranscriptTurn } from "../core/session.ts";
import type { SessionsViewDeps } from "./sessionsViewDeps.ts";

// TEMPORARY: stands in for the journals, the memory and the rules until their rooms are merged; delete this file then.

const HOUR = 3_600_000;
const session: SessionSummary = {
	id: "s1",
	title: "Who maintains the lamp at Gannet Rock?",
	engine: "model",
	workspace: "",
	createdAt: Date.now() - 2 * HOUR,
	updatedAt: Date.now() - HOUR,
	turns: 1,
	tokens: 3412,
	archived: false,
};
const call = { id: "1", name: "copilot-ld_search_knowledge", input: { query: "lamp Gannet Rock" } };
const turn: TranscriptTurn = {
	turn: 0,
	at: session.updatedAt,
	question: session.title,
	attachments: [],
	events: [
		{ kind: "toolStarted", call },
		{ kind: "toolFinished", call, ok: true, text: "[people.html:3-9] Person Lotte Varga" },
		{ kind: "permission", tool: "run_command", title: "git status", effect: "allow", by: "person" },
		{ kind: "citation", citation: { path: "people.html", lines: { start: 3, end: 9 } } },
	],
	answer:
		"**Lotte Varga** looks after the lamp [people.html:3-9].\n\n- relamping every *second* year\n- `fog` signals",
	outcome: "done",
	tokens: 3412,
};
const rule: PermissionRule = {
	id: "r1",
	effect: "allow",
	scope: "always",
	door: "cli",
	tool: "run_command",
	argument: { kind: "command", value: "git status" },
	origin: "person",
	createdAt: Date.now() - 50 * HOUR,
};

const temporarySessions: Sessions = {
	append: async () => undefined,
	list: async ({ archived = false }) => ({
		sessions: archived ? [] : [session],
		total: archived ? 0 : 1,
	}),
	read: async () => ({ session, turns: [turn] }),
	search: async () => [{ session, turn: 0, role: "question", excerpt: session.title, score: 1 }],
	fork: async () => session.id,
	delete: async () => undefined,
	restore: async () => undefined,
};

const temporaryMemory: Memory = {
	remember: async () => Promise.reject(new Failure("NOT_FOUND", "Nothing is remembered yet.")),
	recall: async () => [],
	facts: async () => [],
	edit: async () => Promise.reject(new Failure("NOT_FOUND", "Nothing is remembered yet.")),
	forget: async () => undefined,
};

const temporaryPermissions: Permissions = {
	verdictFor: async () => ({ effect: "ask" }),
	record: async () => undefined,
	add: async (draft) => ({ ...draft, id: "r2", origin: "person", createdAt: Date.now() }),
	revoke: async () => undefined,
	rules: async () => [
		{
			rule: {
				...rule,
				id: "r0",
				effect: "deny",
				origin: "settings",
				argument: { kind: "path", value: "**/.env" },
			},
		},
		{ rule, lastUsedAt: Date.now() - HOUR },
	],
	decisions: async () => [
		{
			at: Date.now() - HOUR,
			request: {
				door: "cli",
				tool: "run_command",
				title: "Run git status",
				arguments: [{ kind: "command", value: "git status" }],
				workspace: "",
				mutates: true,
			},
			effect: "allow",
			by: "rule",
			rule: "r1",
		},
	],
	preview: async () => [],
};

export function temporaryViewDeps(extensionUri: vscode.Uri, log: vscode.LogOutputChannel): SessionsViewDeps {
	return {
		sessions: temporarySessions,
		memory: temporaryMemory,
		permissions: temporaryPermissions,
		policies: async () => [],
		onDidChange: new vscode.EventEmitter<never>().event,
		workspace: () => vscode.workspace.workspaceFolders?.[0]?.uri.toString() ?? "",
		extensionUri,
		log,
	};
}
