import assert from "node:assert/strict";
import { test } from "node:test";
import { commonTools, mayStartAgents, mayUse, mayUseKind } from "../../src/core/agent/allowedTools.ts";

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
	[["search/codebase"], "copilot-ld-search_knowledge", true],
	[["Read"], "query_graph", true],
	[["view"], "read_resource", true],
	[["research", "reader", "edit", "web"], "search_knowledge", false],
	[["read", "search"], "remember", false],
	[["read", "search"], "run_agent", false],
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

for (const [one, other, common] of [
	[undefined, undefined, undefined],
	[["*"], undefined, undefined],
	[["view"], ["*"], ["view"]],
	[undefined, [], []],
	[["edit", "read"], ["create", "Bash"], ["create"]],
	[["shell"], ["bash", "write_bash", "view"], ["bash", "write_bash"]],
	[["write"], ["edit"], ["write", "edit"]],
	[["bash"], ["shell(git:*)"], []],
	[["copilot-ld/*"], ["search_knowledge", "run_agent"], ["search_knowledge"]],
	[["github/*"], ["github/get_issue", "githubs/x"], ["github/get_issue"]],
	[["*view", "view*"], ["view"], []],
] as const)
	test(`what ${JSON.stringify(one)} and ${JSON.stringify(other)} both allow is ${JSON.stringify(common)}, in either order`, () => {
		const sorted = (names: readonly string[] | undefined) => names && [...names].sort();
		assert.deepEqual(sorted(commonTools(one, other)), sorted(common));
		assert.deepEqual(sorted(commonTools(other, one)), sorted(common));
	});

test("other agents are started only by whom a file names it for", () => {
	assert.deepEqual(
		[undefined, ["*"], ["read"], ["agent"], ["task"], ["Task"], ["custom-agent"]].map(mayStartAgents),
		[false, false, false, true, true, true, true],
	);
});
