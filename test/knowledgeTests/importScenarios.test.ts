import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { addTests } from "../../src/knowledgeTests/addTest.ts";
import { importScenarios } from "../../src/knowledgeTests/importScenarios.ts";
import { readTestFile } from "../../src/knowledgeTests/testFile.ts";

const SCENARIOS = `
- name: platform
  type: judge
  prompt: |
    What is it,
    and why?
  evaluations:
    - label: says what
      data: It says   what it is.
- name: team
  type: recall
  prompt: Who?
  evaluations: [{ data: "x:a" }, { data: "x:b" }]
- name: few calls
  type: trace
  prompt: How?
  evaluations:
    - data: "[?name==\`tool.CallTool\`] | length(@) <= \`4\`"
    - data: "[?name==\`tool.CallTool\` && events[0].attributes.function_name==\`query_by_pattern\`]"
`;

test("criteria, recall and traces are taken over", () => {
	assert.deepEqual(importScenarios(SCENARIOS), {
		tests: [
			{ name: "platform", ask: "What is it, and why?", criteria: ["It says what it is."] },
			{ name: "team", search: "Who?", finds: ["x:a", "x:b"] },
			{ name: "few calls", ask: "How?", trace: { calls: ["query_graph"], callCount: { max: 4 } } },
		],
		mistakes: [],
	});
});

test("what cannot be taken over is told at its line, and the rest is taken", () => {
	const text = `- type: judge\n${SCENARIOS.trim()}\n- name: odd\n  type: trace\n  prompt: x\n  evaluations: [{ data: "max(@)" }]\n`;
	const { tests, mistakes } = importScenarios(text);
	assert.equal(tests.length, 3);
	assert.deepEqual(
		mistakes.map(({ line }) => line),
		[1, text.split("\n").indexOf("- name: odd") + 1],
	);
});

const data = process.env["COPILOT_LD_DATA"] ?? join(import.meta.dirname, "../../../shared/data");
const example = join(data, "pages/bionova/eval.example.yml");

test("the example of Copilot-LD is taken over whole", {
	skip: !existsSync(example) && `there is no ${example}`,
}, () => {
	const { tests, mistakes } = importScenarios(readFileSync(example, "utf8"));
	assert.deepEqual(mistakes, []);
	assert.equal(tests.length, 16);
	assert.equal(readTestFile(addTests("", tests)).tests.length, 16);
});
