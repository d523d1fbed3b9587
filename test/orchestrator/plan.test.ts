import assert from "node:assert/strict";
import { test } from "node:test";
import type { Chain } from "../../src/core/agent/chain.ts";
import { readChainFile } from "../../src/orchestrator/plan/chainFile.ts";
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

const NO_CHAINS = ["TODO: see a.ts", "x > y: do it", "a >: do", "a > > b: do it", "../a: do it", ": do it"];
for (const text of [...NO_CHAINS, "a\u202e: do it", `${"a>".repeat(20)}a: do it`])
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

test("a saved chain has stages, conditions and a loop", () => {
	const text = `description: Until the tests are green
onFailure: stop
stages:
  - steps: [fixer]
  - steps:
      - agent: tester
        id: check
        prompt: Run the tests.
        tools: [view, bash]
        timeout: 60
      - agent: reviewer
        when: { step: fixer, is: succeeded }
    until:
      condition: { step: check, contains: green }
      max: 3
      from: fixer
`;
	assert.deepEqual(readChainFile(text, "release.yaml"), {
		description: "Until the tests are green",
		problems: [],
		chain: {
			name: "release",
			onFailure: "stop",
			stages: [
				{ steps: [{ id: "fixer", agent: "fixer" }] },
				{
					steps: [
						{
							...{ id: "check", agent: "tester", prompt: "Run the tests." },
							...{ tools: ["view", "bash"], timeout: 60_000 },
						},
						{ id: "reviewer", agent: "reviewer", when: { step: "fixer", is: "succeeded" } },
					],
					until: { condition: { step: "check", contains: "green" }, max: 3, from: 0 },
				},
			],
		},
	});
});

const broken: readonly [what: string, text: string, line: number, message: RegExp][] = [
	["an empty file", "", 1, /expected object/],
	["a broken one", "stages: [\n  - a", 2, /./],
	["an agent without a name", 'stages:\n  - steps:\n      - ok\n      - ""\n', 4, /./],
	["a field that there is not", "stages:\n  - steps: [a]\n    loop: 3\n", 2, /loop/],
	["two steps of a name", "stages:\n  - steps:\n      - a\n      - a\n", 4, /two steps “a”/],
	[
		"a condition on a step beside it",
		"stages:\n  - steps:\n      - a\n      - agent: b\n        when: { step: a, is: failed }\n",
		5,
		/There is no earlier step “a”/,
	],
	[
		"a prompt with the answer of no earlier step",
		"stages:\n  - steps:\n      - a\n      - agent: b\n        prompt: Sum up {{step.c}}\n",
		5,
		/There is no earlier step “c”/,
	],
	[
		"an endless loop",
		"stages:\n  - steps: [a]\n    until:\n      condition: { step: a, contains: x }\n      max: 1e6\n",
		5,
		/./,
	],
	[
		"a loop without a maximum",
		"stages:\n  - steps: [a]\n    until:\n      condition: { step: a, contains: x }\n",
		4,
		/max|number/,
	],
	["brackets without end", `stages: ${"[".repeat(20_000)}`, 1, /./],
	[
		"aliases that multiply",
		`a: &a [${"x,".repeat(99)}x]\nb: &b [${"*a,".repeat(99)}*a]\nstages: [${"*b,".repeat(99)}*b]\n`,
		1,
		/./,
	],
];

for (const [what, text, line, message] of broken)
	test(`${what} is no chain, and its problem stands at its line`, () => {
		const { chain, problems } = readChainFile(text, "x.yaml");
		assert.equal(chain, undefined);
		assert.equal(problems[0]?.line, line);
		assert.match(problems[0]?.message ?? "", message);
	});
