import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestPermissionRequest } from "@agentclientprotocol/sdk";
import { answerWith, toPermissionRequest } from "../../../src/acp/turn/permissionMapping.ts";
import type { CallState } from "../../../src/acp/updates/toolCalls.ts";
import type { PermissionRequest } from "../../../src/core/permission/permission.ts";
import { offersFor } from "../../../src/permissions/offers.ts";

const ORIGIN = { session: "s", workspace: "file:///w" };
const CWD = "/w/sub";

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
	toPermissionRequest(request(toolCall), known, { ...ORIGIN, cwd: CWD });

const widerArgument = (wanted: PermissionRequest) => offersFor(wanted)[0]?.argument;
const canAllowTool = (wanted: PermissionRequest) => offersFor(wanted).some(({ argument }) => !argument);

test("a command is a call of the shell, with the whole line", () => {
	const mapped = map({ kind: "execute", title: "List", rawInput: { command: "ls; rm x" } });
	assert.deepEqual(mapped, {
		door: "cli",
		tool: "shell",
		title: "ls; rm x (List)",
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

test("a path within the folder of the session is judged as the whole path that it is", () => {
	for (const [fileName, value] of [
		["src/a.ts", "/w/sub/src/a.ts"],
		["../../etc/passwd", "/etc/passwd"],
		["/etc/passwd", "/etc/passwd"],
	] as const) {
		const { arguments: args } = map({ kind: "edit", rawInput: { fileName } });
		assert.deepEqual(args, [{ kind: "path", value }]);
	}
});

test("no rule is made of a path or a host that would stand for others", () => {
	assert.equal(widerArgument(map({ kind: "edit", rawInput: { fileName: "/w/**" } })), undefined);
	assert.equal(widerArgument(map({ kind: "fetch", rawInput: { url: "https://*/x" } })), undefined);
	assert.deepEqual(widerArgument(map({ kind: "edit", rawInput: { fileName: "/w/a.md" } })), {
		kind: "path",
		value: "/w/a.md",
	});
});

test("a rule for a whole tool is offered only where the tool has a name, and no argument was unreadable", () => {
	assert.ok(canAllowTool(map({ kind: "other", title: "lamps-light_lamp" })));
	assert.ok(!canAllowTool(map({ kind: "other", title: "other" })));
	assert.ok(!canAllowTool(map({ kind: "execute", rawInput: { script: "rm x" } })));
	assert.ok(!canAllowTool(map({ kind: "fetch", rawInput: { url: "no address" } })));
});

test("a tool of ours has the name that it has at every door", () => {
	assert.equal(map({ kind: "other", title: "copilot-ld-remember" }).tool, "remember");
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
	["npm run build", "npm run build"],
	["git config core.pager x", "git config core.pager x"],
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
