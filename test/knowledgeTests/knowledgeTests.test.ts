import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentEvent } from "../../src/core/agent/agentEvent.ts";
import type { Hit } from "../../src/core/knowledge/knowledge.ts";
import type { KnowledgeTest } from "../../src/core/knowledge/knowledgeTest.ts";
import { importScenarios } from "../../src/knowledgeTests/importScenarios.ts";
import { toJUnit } from "../../src/knowledgeTests/junit.ts";
import type { TestPorts } from "../../src/knowledgeTests/observe.ts";
import { runTest } from "../../src/knowledgeTests/runTests.ts";
import { addTests, readTestFile } from "../../src/knowledgeTests/testFile.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { assertNone } from "../support/assertNone.ts";
import { times } from "../support/times.ts";

const PLACE = { id: "1", uri: "file:///k/lights.html", path: "lights.html", lines: { start: 48, end: 74 } };
const GANNET = { iri: "x:gannet", title: "Gannet Rock Light", text: "Attendant: Ida Fenwick" };
const HIT: Hit = { ...PLACE, ...GANNET, score: 1, why: { text: 1 } };

const call = { id: "1", name: "copilot-ld_query_graph", input: {} };
const context: AgentEvent = { kind: "context", report: { budget: 1000, used: 10, parts: [] } };

const EVENTS: readonly AgentEvent[] = [
	{ kind: "retrieved", hits: [HIT] },
	context,
	{ kind: "toolStarted", call },
	{ kind: "toolFinished", call, ok: true, text: "x:ida" },
	context,
	{ kind: "usage", inputTokens: 20, outputTokens: 5 },
	{ kind: "text", text: "Ida  Fenwick tends it " },
	{ kind: "citation", citation: { path: "lights.html", lines: { start: 50, end: 51 } } },
	{ kind: "ended", reason: "done" },
];

const SKERRA = { label: "Skerra", citation: { path: "a.md", lines: { start: 1, end: 1 } } };
const LISTING = { kind: "list", what: "Light", total: 3, items: [SKERRA], truncated: true } as const;
const ROW = {
	l: { termType: "NamedNode", value: "x:l60" },
	n: { termType: "Literal", value: "7", datatype: "x:i" },
} as const;
const ROWS = { kind: "rows", variables: ["l", "n"], rows: [ROW], total: 12, truncated: true } as const;

function portsThat(others: Partial<TestPorts> = {}): TestPorts {
	let time = 0;
	return {
		ask: async function* () {
			yield* EVENTS;
		},
		search: async () => ({ hits: [HIT], total: 1, truncated: false, notices: [], listing: LISTING }),
		query: async () => ({ answer: ROWS, sources: [], notices: [] }),
		now: () => (time += 40),
		...others,
	};
}

async function outcomesOf(text: string, ports: Partial<TestPorts> = {}, signal = AbortSignal.timeout(5000)) {
	const { tests, mistakes } = readTestFile(text);
	assert.deepEqual(mistakes, []);
	return Promise.all(tests.map((one) => runTest(one, portsThat(ports), signal)));
}

async function failuresOf(asks: string, expected: string, ports: Partial<TestPorts> = {}) {
	const text = `tests:\n  - ${asks}\n    ${expected.replaceAll("\n", "\n    ")}`;
	return (await outcomesOf(text, ports)).flatMap(({ failures }) => failures);
}

const CASES: readonly (readonly [asks: string, expected: string, message?: string])[] = [
	["ask: a", "cites: lights.html"],
	["ask: a", "cites: lights.html:40-50"],
	["ask: a", "citesNot: [lights.html:52-90, light.html, Lights.html]"],
	["ask: a", "says: ida fenwick TENDS"],
	["ask: a", "saysNot: nobody"],
	["ask: a", "finds: [x:gannet, x:ida, 'lights.html:48-74']"],
	["ask: a", "counts: 3"],
	["ask: a", "trace: { calls: query_graph, callsNot: graph, callCount: { min: 1, max: 1 } }"],
	["ask: a", "trace: { rounds: { max: 2 }, tokens: { max: 25 }, milliseconds: { max: 40 } }"],
	["search: a", "cites: [lights.html, a.md]\ncounts: 3\nfinds: Skerra"],
	["query: q", "rows: { l: 'x:l60', n: 7 }"],
	["ask: a", "cites: lights.html:52", "lights.html:52 is not cited. Cited: [lights.html:50-51]."],
	["ask: a", "citesNot: lights.html", "[lights.html:50-51] is cited, but must not be."],
	["ask: a", "says: nobody", 'The answer does not say "nobody".'],
	["ask: a", "saysNot: Fenwick", 'The answer says "Fenwick", but must not.'],
	["ask: a", "finds: x:nothing", "x:nothing is not found."],
	["ask: a", "counts: 4", "3 is counted; 4 is expected."],
	["ask: a", "trace: { calls: ask_user }", "ask_user is not called. Called: copilot-ld_query_graph."],
	["ask: a", "trace: { callsNot: query_graph }", "query_graph is called, but must not be."],
	["ask: a", "trace: { callCount: { min: 2 } }", "It took 1 tool calls; at least 2 is expected."],
	["ask: a", "trace: { rounds: { max: 1 } }", "It took 2 requests to the model; at most 1 is allowed."],
	["query: q", "rows: 1", "The query returns 12 rows, but 1 are expected."],
	["query: q", "rows: { l: 'x:l60', n: 8 }", "No row has l = x:l60, n = 8."],
];

for (const [asks, expected, ...messages] of CASES)
	test(`the test “${asks}” with “${expected.replaceAll("\n", "; ")}” ${messages.length ? "fails with its message" : "passes"}`, async () =>
		assertMapped(await failuresOf(asks, expected), ({ message }) => message, messages));

test("a failed citation suggests the lines that the answer cites in the same file", async () => {
	for (const [place, ...moved] of [
		["lights.html:52", { from: "lights.html:52", to: "lights.html:50-51" }],
		["other.html:52", undefined],
		["lights.html:50"],
	] as const)
		assertMapped(await failuresOf("ask: a", `cites: ${place}`), (failure) => failure.moved, moved);
});

test("a criterion is judged by the configured model, and cannot fail without a model", async () => {
	const judge: TestPorts["judge"] = async (criterion, answer) =>
		criterion === "is short" ? { meets: true } : { meets: false, why: `${answer.length} characters` };
	const criteria = "criteria: [is short, is long]";
	const judged = await failuresOf("ask: a", criteria, { judge });
	assertMapped(judged, ({ message }) => message, ["is long: 41 characters"]);
	assertNone(await failuresOf("ask: a", criteria));
});

test("a question that cannot be answered fails its test; a canceled question cancels the run", async () => {
	const ask: TestPorts["ask"] = async function* () {
		yield { kind: "text", text: "I" };
		throw new Error("The model is gone.");
	};
	const failures = await failuresOf("ask: a", "says: I", { ask });
	assertMapped(failures, ({ message }) => message, ["The model is gone."]);
	const cancelled = outcomesOf("tests:\n  - ask: a\n    says: I", { ask }, AbortSignal.abort());
	await assert.rejects(cancelled, { name: "AbortError" });
});

test("the JUnit report is valid XML for any answer, and counts failed and unjudged tests", async () => {
	const odd = '  - search: "a & <b> \\"c\\""\n    says: "]]>\\0\\n"\n  - query: q\n    rows: 12';
	const unjudged = "  - name: unjudged\n    ask: a\n    criteria: is short";
	const outcomes = await outcomesOf(`tests:\n${odd}\n${unjudged}`);
	const xml = toJUnit("tests.yaml", outcomes, [{ line: 9, message: "<no>" }]);
	for (const part of [
		/tests="4" failures="2" errors="0" skipped="1"/,
		/name="unjudged"[^>]*>\s*<skipped message="1 of its criteria need a language model/,
		/name="a &amp; &lt;b&gt; &quot;c&quot;"/,
		/line="9"/,
	])
		assert.match(xml, part);
	assert.ok(!xml.includes("\0") && !xml.includes("]]>"));
	const tags = [...xml.matchAll(/<(\/?)(\w+)[^<>]*?(\/?)>/g)].filter(([, , , empty]) => !empty);
	assert.equal(tags.filter(([, closing]) => closing).length, tags.length / 2);
});

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

test("scenarios of the types `criteria`, `recall` and `trace` are imported; others are reported at their lines", () => {
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
