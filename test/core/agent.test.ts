import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentEvent } from "../../src/core/agent/agentEvent.ts";
import { commonTools, mayStartAgents, mayUse, mayUseKind } from "../../src/core/agent/allowedTools.ts";
import { answerIn, answering } from "../../src/core/agent/turnAnswer.ts";

/** Lists of allowed tools, with tools that an agent with the list may use and may not use. */
const CASES: readonly (readonly [allowed: readonly string[] | undefined, may: string, mayNot: string])[] = [
	[undefined, "bash", ""],
	[["*"], "bash", ""],
	[[], "", "view"],
	[["view"], "view read_resource", "grep __proto__"],
	[["Bash"], "bash", ""],
	[["execute"], "powershell", ""],
	[["edit"], "apply_patch", ""],
	[["create"], "", "apply_patch"],
	[["search"], "glob", ""],
	[["#runTests"], "runTests", ""],
	[["github/*"], "github-create_issue", "githubs-create_issue"],
	[["github/create_issue"], "github-create_issue", ""],
	[["copilot-ld/*"], "copilot-ld_search_knowledge", "copilot-ld-run_agent"],
	[["copilot-ld_search_knowledge"], "", "copilot-ld-read_resource"],
	[["search/codebase"], "copilot-ld-search_knowledge", ""],
	[["Read"], "query_graph", ""],
	[["research", "reader", "edit", "web"], "", "search_knowledge"],
	[["read", "search"], "", "remember run_agent"],
	[["**", "/*", "-*", "*/*", "b*", ".*", ""], "", "bash"],
	[["__proto__", "constructor"], "", "bash"],
];

for (const [allowed, may, mayNot] of CASES)
	test(`the allowed tools ${JSON.stringify(allowed) ?? "of an agent without a list"} include “${may}” and exclude “${mayNot}”`, () => {
		const tools = (names: string) => names.split(" ").filter(Boolean);
		for (const tool of tools(may)) assert.ok(mayUse(allowed, tool), tool);
		for (const tool of tools(mayNot)) assert.ok(!mayUse(allowed, tool), tool);
	});

test("a kind of tools is allowed if a tool of that kind is allowed", () => {
	assert.equal(mayUseKind(["bash"], "shell"), true);
	assert.equal(mayUseKind(["create"], "edit"), true);
	assert.equal(mayUseKind(["view"], "delete"), false);
	assert.equal(mayUseKind(["view"], "shell"), false);
});

for (const [one, other, common] of [
	[undefined, undefined, undefined],
	[["*"], undefined, undefined],
	[undefined, [], []],
	[["edit", "read"], ["create", "Bash"], ["create"]],
	[["shell"], ["bash", "write_bash", "view"], ["bash", "write_bash"]],
	[["write"], ["edit"], ["write", "edit"]],
	[["bash"], ["shell(git:*)"], []],
	[["copilot-ld/*"], ["search_knowledge", "run_agent"], ["search_knowledge"]],
	[["github/*"], ["github/get_issue", "githubs/x"], ["github/get_issue"]],
	[["*view", "view*"], ["view"], []],
] as const)
	test(`lists ${JSON.stringify(one)} and ${JSON.stringify(other)} have ${JSON.stringify(common)} in common`, () => {
		const sorted = (names: readonly string[] | undefined) => names && [...names].sort();
		assert.deepEqual(sorted(commonTools(one, other)), sorted(common));
		assert.deepEqual(sorted(commonTools(other, one)), sorted(common));
	});

test("an agent may start other agents only if its file names a tool that starts agents", () => {
	for (const allowed of [undefined, ["*"], ["read"]]) assert.equal(mayStartAgents(allowed), false);
	for (const name of ["agent", "task", "Task", "custom-agent"]) assert.equal(mayStartAgents([name]), true);
});

const text = (words: string): AgentEvent => ({ kind: "text", text: words });

const cite = (path: string): AgentEvent => ({
	kind: "citation",
	citation: { path, lines: { start: 1, end: 1 } },
});

test("reasoning without an opening tag is removed from a complete answer", () => {
	for (const [said, answer] of [
		["Is it so?\n</think>\n\nIt is.", "It is."],
		["Is it so? </think>\nIt is.", "It is."],
		["Is it so?\n</think>", ""],
		["Write `</think>` at its end.", "Write `</think>` at its end."],
		["Between <think> and\n</think>\nthe model thinks.", "Between <think> and\n</think>\nthe model thinks."],
	] as const)
		assert.equal(answerIn(said), answer);
	const notice: AgentEvent = { kind: "notice", text: "note" };
	const events = ["Is ", cite("a.md"), "it?\n</thi", notice, "nk>\n\nIt is ", cite("b.md"), "."].map((one) =>
		typeof one === "string" ? text(one) : one,
	);
	assert.deepEqual(answering(events), [notice, text("It is "), cite("b.md"), text(".")]);
	assert.deepEqual(answering(events.slice(0, 2)), events.slice(0, 2));
});
