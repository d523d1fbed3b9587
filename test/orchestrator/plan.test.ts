import assert from "node:assert/strict";
import { test } from "node:test";
import type { Chain } from "../../src/core/agent/chain.ts";
import { chainOfNames, readAsked, readChainText } from "../../src/orchestrator/plan/chainText.ts";
import { type ChainEdit, editChain } from "../../src/orchestrator/plan/editChain.ts";
import { agentNamed, chainOf } from "./scripted.ts";

const order = ({ stages }: Chain) =>
	stages.map(({ steps }) => steps.map(({ id }) => id).join(" & ")).join(" > ");

test("a chain is written as its names, and nothing else is one", () => {
	assert.deepEqual(readChainText("a > b & c"), [["a"], ["b", "c"]]);
	for (const text of [
		"",
		"a >",
		"a > > b",
		"a b",
		"a;rm -rf /",
		"../a",
		"a > $(b)",
		"a\u202e",
		`${"a>".repeat(20)}a`,
	])
		assert.equal(readChainText(text), undefined);
});

test("a task may begin with a colon's word that is no agent", () => {
	const agents = [agentNamed("reviewer")];
	assert.deepEqual(readAsked("reviewer: look at a.ts", agents), {
		stages: [["reviewer"]],
		task: "look at a.ts",
	});
	assert.deepEqual(readAsked("TODO: look at a.ts", agents), { task: "TODO: look at a.ts" });
	assert.deepEqual(readAsked("a > b: do: it", agents), { stages: [["a"], ["b"]], task: "do: it" });
});

test("an agent that comes twice has two steps", () => {
	assert.equal(order(chainOfNames([["a"], ["b", "a"], ["a"]])), "a > b & a-2 > a-3");
});

test("a plan is edited step by step, and the chain that was there stays as it was", () => {
	const edits: readonly [edit: ChainEdit, result: string][] = [
		[{ kind: "earlier", step: "b" }, "b > a > c"],
		[{ kind: "later", step: "a" }, "b > a > c"],
		[{ kind: "drop", step: "b" }, "a > c"],
		[{ kind: "beside", step: "b" }, "a & b > c"],
		[{ kind: "add", agent: "a" }, "a > b > c > a-2"],
		[{ kind: "earlier", step: "a" }, "a > b > c"],
		[{ kind: "later", step: "c" }, "a > b > c"],
		[{ kind: "beside", step: "a" }, "a > b > c"],
		[{ kind: "alone", step: "a" }, "a > b > c"],
		[{ kind: "drop", step: "z" }, "a > b > c"],
	];
	const chain = chainOfNames([["a"], ["b"], ["c"]]);
	for (const [edit, result] of edits) assert.equal(order(editChain(chain, edit)), result, edit.kind);
	assert.equal(order(chain), "a > b > c");
	assert.equal(
		order(editChain(chainOfNames([["a", "b"], ["c"]]), { kind: "alone", step: "a" })),
		"b > a > c",
	);
});

test("a condition on a step that does not come before any more is taken away with it", () => {
	const untils = { 1: { condition: { step: "a", contains: "x" }, max: 2 } };
	const chain = chainOf(["a", [{ id: "b", agent: "b", when: { step: "a", is: "failed" } }]], { untils });
	for (const kind of ["drop", "later"] as const) {
		const { stages } = editChain(chain, { kind, step: "a" });
		assert.deepEqual(stages[0]?.steps, [{ id: "b", agent: "b" }]);
	}
	assert.equal(editChain(chain, { kind: "drop", step: "a" }).stages[0]?.until, undefined);
});
