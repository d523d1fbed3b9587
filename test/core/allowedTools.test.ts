import assert from "node:assert/strict";
import { test } from "node:test";
import { mayStartAgents, mayUse, mayUseKind } from "../../src/core/agent/allowedTools.ts";

const CASES: readonly (readonly [allowed: readonly string[] | undefined, tool: string, may: boolean])[] = [
	[undefined, "bash", true],
	[["*"], "bash", true],
	[[], "view", false],
	[["view"], "view", true],
	[["view"], "grep", false],
	[["read"], "view", true],
	[["read"], "bash", false],
	[["Bash"], "bash", true],
	[["execute"], "powershell", true],
	[["edit"], "apply_patch", true],
	[["create"], "apply_patch", false],
	[["search"], "glob", true],
	[["web"], "web_fetch", true],
	[["#runTests"], "runTests", true],
	[["github/*"], "github-create_issue", true],
	[["github/create_issue"], "github-create_issue", true],
	[["github/*"], "githubs-create_issue", false],
	[["git/*"], "github-create_issue", false],
	[["copilot-ld/*"], "copilot-ld_search_knowledge", true],
	[["copilot-ld/search_knowledge"], "copilot-ld-search_knowledge", true],
	[["copilot-ld_search_knowledge"], "copilot-ld-read_resource", false],
	[["copilot-ld/*"], "copilot-ld-run_agent", false],
	[["**", "/*", "-*", "*/*", "b*", ".*", ""], "bash", false],
	[["__proto__", "constructor"], "bash", false],
	[["view"], "__proto__", false],
];

for (const [allowed, tool, may] of CASES)
	test(`an agent with ${allowed ? JSON.stringify(allowed) : "all tools"} ${may ? "may" : "may not"} use ${tool}`, () => {
		assert.equal(mayUse(allowed, tool), may);
	});

test("of a kind of tools, one that is allowed is enough", () => {
	assert.equal(mayUseKind(["bash"], "shell"), true);
	assert.equal(mayUseKind(["create"], "edit"), true);
	assert.equal(mayUseKind(["view"], "delete"), false);
	assert.equal(mayUseKind(["view"], "shell"), false);
});

test("other agents are started only by whom a file names it for", () => {
	assert.deepEqual(
		[undefined, ["*"], ["read"], ["agent"], ["task"], ["Task"], ["custom-agent"]].map(mayStartAgents),
		[false, false, false, true, true, true, true],
	);
});
