import assert from "node:assert/strict";
import { test } from "node:test";
import { readChainFile } from "../../src/orchestrator/plan/chainFile.ts";

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
		"a loop without an end",
		"stages:\n  - steps: [a]\n    until:\n      condition: { step: a, contains: x }\n      max: 1000000\n",
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
