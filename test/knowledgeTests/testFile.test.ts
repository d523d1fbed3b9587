import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { addTests } from "../../src/knowledgeTests/addTest.ts";
import { importScenarios } from "../../src/knowledgeTests/importScenarios.ts";
import { readTestFile } from "../../src/knowledgeTests/testFile.ts";

const FILE = `# Ours
tests:
  - ask: Who tends Gannet Rock Light?
    cites: lights.html:48-74
    says: [Ida Fenwick, attendant]
    trace:
      calls: search_knowledge
      milliseconds: { max: 2000 }
    criteria:
      - Names one person only.
  - name: lamps
    query: SELECT ?l { ?l a <x:Lamp> }
    rows:
      - { l: "x:l60" }
      - l: x:l61
`;

test("each expectation of a test has its own line", () => {
	const { tests, mistakes } = readTestFile(FILE);
	assert.deepEqual(mistakes, []);
	assert.deepEqual(
		tests.map(({ name, line, expectations }) => [
			name,
			line,
			expectations.map((one) => `${one.kind}@${one.line}`),
		]),
		[
			[
				"Who tends Gannet Rock Light?",
				3,
				["cites@4", "says@5", "says@5", "calls@7", "atMost@8", "criterion@10"],
			],
			["lamps", 11, ["row@14", "row@15"]],
		],
	);
});

test("an empty file has no tests and no mistakes", () => {
	for (const text of ["", "\n# later\n", "tests: []"])
		assert.deepEqual(readTestFile(text), { tests: [], mistakes: [] });
});

const MISTAKES: readonly [string, number, RegExp][] = [
	["tests:\n  - ask: a\n    cite: b", 3, /"cite" is not supported/],
	["tests:\n  - ask: a\n    search: b\n    says: c", 2, /exactly one/],
	["tests:\n  - says: c", 2, /exactly one/],
	["tests:\n  - ask: a", 2, /Specify what is expected/],
	["tests:\n  - ask: a\n    rows: 3", 3, /Only a query returns rows/],
	["tests:\n  - search: a\n    says: b\n  - search: a\n    says: b", 4, /a different name/],
	["tests:\n  - ask: ''\n    says: b", 2, /is empty/],
	["tests:\n  - ask: a\n    counts: -1", 3, /counts/],
	["tests:\n  - ask: a\n    trace: { rounds: 3 }", 3, /rounds/],
	["tests: a", 1, /tests/],
	["- ask: a", 1, /expected object/i],
	["tests: [", 1, /./],
	["a: &a [x]\nb: [*a, *c]", 1, /c/],
];

for (const [text, line, message] of MISTAKES)
	test(`what is not understood is told at its line: ${JSON.stringify(text)}`, () => {
		const [mistake] = readTestFile(text).mistakes;
		assert.ok(mistake, "no mistake was told");
		assert.match(mistake.message, message);
		assert.equal(mistake.line, line);
	});

test("a file that grows without end when it is read is refused", () => {
	const levels = Array.from({ length: 30 }, (_, level) =>
		level === 0 ? "l0: &l0 [x, x]" : `l${level}: &l${level} [*l${level - 1}, *l${level - 1}]`,
	);
	assert.equal(readTestFile(levels.join("\n")).mistakes.length, 1);
});

test("a test that is added stands at the end, and comments stay", () => {
	const added = addTests(FILE, [{ ask: "How long does the lamp cool?", says: ["twenty minutes"] }]);
	assert.ok(added.startsWith("# Ours\n"));
	const { tests, mistakes } = readTestFile(added);
	assert.deepEqual(mistakes, []);
	assert.deepEqual(tests.at(-1)?.asks, { kind: "ask", question: "How long does the lamp cool?" });
});

test("a test whose name is taken gets a name of its own", () => {
	const one = { name: "lamps", search: "lamps", says: ["L60"] };
	const names = readTestFile(addTests(FILE, [one, one])).tests.map(({ name }) => name);
	assert.deepEqual(names, ["Who tends Gannet Rock Light?", "lamps", "lamps (2)", "lamps (3)"]);
});

test("the words of an answer cannot become structure of the file", () => {
	const said = 'x"\n  - ask: injected\n    says: y # & *a !!js';
	const { tests } = readTestFile(addTests("", [{ ask: "a: b", says: [said] }]));
	assert.equal(tests.length, 1);
	assert.deepEqual(tests[0]?.expectations[0], { kind: "says", text: said, line: 4 });
});

test("nothing is added to a file that has mistakes", () => {
	assert.throws(() => addTests("tests:\n  - ask: a", [{ ask: "b", says: ["c"] }]), /line 2/);
});

test("a file that is longer than anybody writes is not read", () => {
	const { tests, mistakes } = readTestFile(`tests:\n${"  - { ask: q, says: x }\n".repeat(50_000)}`);
	assert.deepEqual(tests, []);
	assert.match(mistakes[0]?.message ?? "", /longer than a million/);
});

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
