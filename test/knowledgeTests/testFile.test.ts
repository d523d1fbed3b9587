import assert from "node:assert/strict";
import { test } from "node:test";
import type { KnowledgeTest } from "../../src/core/knowledge/knowledgeTest.ts";
import { importScenarios } from "../../src/knowledgeTests/importScenarios.ts";
import { addTests, readTestFile } from "../../src/knowledgeTests/testFile.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { times } from "../support/times.ts";

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

test("a test and each of its expectations have their lines in the file", () => {
	const { tests, mistakes } = readTestFile(FILE);
	assert.deepEqual(mistakes, []);
	const linesOf = ({ name, line, expectations }: KnowledgeTest) =>
		[`${name}@${line}`, ...expectations.map((one) => `${one.kind}@${one.line}`)].join(" ");
	assertMapped(tests, linesOf, [
		"Who tends Gannet Rock Light?@3 cites@4 says@5 says@5 calls@7 atMost@8 criterion@10",
		"lamps@11 row@14 row@15",
	]);
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
	test(`the mistake in ${JSON.stringify(text)} is reported at its line`, () => {
		const [mistake = assert.fail("There is no mistake.")] = readTestFile(text).mistakes;
		assert.match(mistake.message, message);
		assert.equal(mistake.line, line);
	});

test("a test file is refused if it is far too long or expands without end", () => {
	const levels = times(30, (level) => (level === 0 ? "[x, x]" : `[*l${level - 1}, *l${level - 1}]`));
	const grows = levels.map((level, at) => `l${at}: &l${at} ${level}`).join("\n");
	const long = `tests:\n${"  - { ask: q, says: x }\n".repeat(50_000)}`;
	assert.match(readTestFile(long).mistakes[0]?.message ?? "", /longer than a million/);
	for (const text of [grows, long]) {
		const { tests, mistakes } = readTestFile(text);
		assert.deepEqual([tests, mistakes.length], [[], 1]);
	}
});

test("an added test is appended with a unique name, and comments stay", () => {
	const lamps = { name: "lamps", search: "lamps", says: ["L60"] };
	const added = addTests(FILE, [lamps, lamps, { ask: "How long does it cool?", says: ["twenty minutes"] }]);
	assert.ok(added.startsWith("# Ours\n"));
	const { tests, mistakes } = readTestFile(added);
	assert.deepEqual(mistakes, []);
	const [, ...names] = tests.map(({ name }) => name);
	assert.deepEqual(names, ["lamps", "lamps (2)", "lamps (3)", "How long does it cool?"]);
	assert.deepEqual(tests.at(-1)?.asks, { kind: "ask", question: "How long does it cool?" });
});

test("the text of an answer cannot become YAML structure", () => {
	const said = 'x"\n  - ask: injected\n    says: y # & *a !!js';
	const { tests } = readTestFile(addTests("", [{ ask: "a: b", says: [said] }]));
	assert.equal(tests.length, 1);
	assert.deepEqual(tests[0]?.expectations[0], { kind: "says", text: said, line: 4 });
});

test("adding a test to a file with mistakes fails with their line", () => {
	assert.throws(() => addTests("tests:\n  - ask: a", [{ ask: "b", says: ["c"] }]), /line 2/);
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

test("scenarios of criteria, recall and traces are imported; other scenarios are reported at their lines", () => {
	const taken = [
		{ name: "platform", ask: "What is it, and why?", criteria: ["It says what it is."] },
		{ name: "team", search: "Who?", finds: ["x:a", "x:b"] },
		{ name: "few calls", ask: "How?", trace: { calls: ["query_graph"], callCount: { max: 4 } } },
	];
	assert.deepEqual(importScenarios(SCENARIOS), { tests: taken, mistakes: [] });
	const odd = `- name: odd\n  type: trace\n  prompt: x\n  evaluations: [{ data: "max(@)" }]\n`;
	const { tests, mistakes } = importScenarios(`- type: judge${SCENARIOS}${odd}`);
	assert.deepEqual(tests, taken);
	const lines = mistakes.map(({ line }) => line);
	assert.deepEqual(lines, [1, SCENARIOS.split("\n").length]);
});

test("the number of tool calls that a scenario expects is imported as a range", () => {
	const ranges = {
		"<=": { max: 4 },
		"<": { max: 3 },
		">=": { min: 4 },
		">": { min: 5 },
		"==": { min: 4, max: 4 },
	};
	for (const [sign, callCount] of Object.entries(ranges)) {
		const data = `[?name==\`tool.CallTool\`] | length(@) ${sign} \`4\``;
		const scenario = `- { name: n, type: trace, prompt: x, evaluations: [{ data: "${data}" }] }`;
		assert.deepEqual(importScenarios(scenario).tests, [{ name: "n", ask: "x", trace: { callCount } }]);
	}
});
