import assert from "node:assert/strict";
import { test } from "node:test";
import type { Chain } from "../../src/core/agent/chain.ts";
import { chainOfNames, readAsked } from "../../src/orchestrator/plan/chainText.ts";
import { type ChainEdit, editChain } from "../../src/orchestrator/plan/editChain.ts";
import { agentNamed, chainOf } from "./scripted.ts";

const order = ({ stages }: Chain) =>
	stages.map(({ steps }) => steps.map(({ id }) => id).join(" & ")).join(" > ");

const asked = (text: string, ...names: string[]) =>
	readAsked(
		text,
		names.map((name) => agentNamed(name)),
	);

for (const [text, stages, task] of [
	["a > b & c: do: it", [["a"], ["b", "c"]], "do: it"],
	["API Architect: Review a.ts", [["API Architect"]], "Review a.ts"],
	["api-architect > a: Go", [["api-architect"], ["a"]], "Go"],
	["R&D: Ops > 1: Go", [["R&D: Ops > 1"]], "Go"],
] as const)
	test(`“${text}” is a chain of agents and a task`, () => {
		assert.deepEqual(asked(text, "a", "API Architect", "R&D", "R&D: Ops > 1"), { stages, task });
	});

for (const text of [
	"TODO: look at a.ts",
	"x > y: do it",
	"a >: do it",
	"a > > b: do it",
	"../a: do it",
	"a\u202e: do it",
	`${"a>".repeat(20)}a: do it`,
	": do it",
])
	test(`“${text}” is a task`, () => {
		assert.deepEqual(asked(text, "a"), { task: text });
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
	const actual = order(editChain(chainOfNames([["a", "b"], ["c"]]), { kind: "alone", step: "a" }));
	assert.equal(actual, "b > a > c");
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
