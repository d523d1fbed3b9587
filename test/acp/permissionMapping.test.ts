import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestPermissionRequest } from "@agentclientprotocol/sdk";
import { answerWith, toPermissionRequest, widerArgument } from "../../src/acp/permissionMapping.ts";
import type { CallState } from "../../src/acp/toolCalls.ts";

const ORIGIN = { session: "s", workspace: "file:///w" };

function request(toolCall: Partial<RequestPermissionRequest["toolCall"]>): RequestPermissionRequest {
	return {
		sessionId: "s",
		toolCall: { toolCallId: "c", ...toolCall },
		options: [
			{ optionId: "yes", kind: "allow_once", name: "Yes" },
			{ optionId: "no", kind: "reject_once", name: "No" },
		],
	};
}

const map = (toolCall: Partial<RequestPermissionRequest["toolCall"]>, known?: CallState) =>
	toPermissionRequest(request(toolCall), known, ORIGIN);

test("a command is a call of the shell, with the whole line", () => {
	const mapped = map({ kind: "execute", title: "List", rawInput: { command: "ls; rm x" } });
	assert.deepEqual(mapped, {
		door: "cli",
		tool: "shell",
		title: "List: ls; rm x",
		arguments: [{ kind: "command", value: "ls; rm x" }],
		...ORIGIN,
		mutates: true,
	});
});

test("a change speaks of the path, a fetch of the host", () => {
	const edit = map({ kind: "edit", title: "Edit file", rawInput: { fileName: "C:\\a\\b.txt", diff: "" } });
	assert.deepEqual(edit.arguments, [{ kind: "path", value: "C:/a/b.txt" }]);
	const fetched = map({ kind: "fetch", title: "Fetch", rawInput: { url: "https://example.org:8080/x" } });
	assert.deepEqual(fetched.arguments, [{ kind: "host", value: "example.org:8080" }]);
});

test("a tool of an MCP server has its server's name from the announcement", () => {
	const known: CallState = {
		call: { id: "c", name: "knowledge-search_knowledge", input: {} },
		title: "knowledge-search_knowledge",
		kind: "other",
		text: "",
		diffs: [],
		status: "open",
	};
	const mapped = map({ kind: "other", title: "search_knowledge", rawInput: { query: "x" } }, known);
	assert.equal(mapped.tool, "knowledge-search_knowledge");
	assert.deepEqual(mapped.arguments, []);
});

for (const [command, wider] of [
	["git status -s", "git status"],
	["npm test", "npm test"],
	["touch a.txt", "touch a.txt"],
	["git -c core.pager=x log", "git -c core.pager=x log"],
] as const)
	test(`a rule for “${command}” speaks of “${wider}”`, () => {
		const mapped = map({ kind: "execute", rawInput: { command } });
		assert.deepEqual(widerArgument(mapped), { kind: "command", value: wider });
	});

for (const command of [
	"git status && rm x",
	"git status; rm x",
	"git status | sh",
	"git status $(rm x)",
	"git status `rm x`",
	"git status > x",
	"git status\nrm x",
	"git status & rm x",
	'git "status"',
])
	test(`no rule is made of ${JSON.stringify(command)}`, () => {
		assert.equal(widerArgument(map({ kind: "execute", rawInput: { command } })), undefined);
	});

test("no rule is made of a call with several arguments: it would speak of one of them", () => {
	const mapped = map({ kind: "execute", rawInput: { command: "ls", path: "/x" } });
	assert.equal(widerArgument(mapped), undefined);
});

test("where the agent offers no such answer, nothing is allowed", () => {
	const answer = answerWith({ ...request({}), options: [] }, "allow_once");
	assert.deepEqual(answer, { outcome: { outcome: "cancelled" } });
});
