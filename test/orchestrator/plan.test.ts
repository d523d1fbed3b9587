import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentFit } from "../../src/core/agent/chain.ts";
import { evaluate, LONGEST_PROMPT } from "../../src/orchestrator/evaluate/evaluate.ts";
import { namesAmong, refine } from "../../src/orchestrator/evaluate/refine.ts";
import { readChainFile } from "../../src/orchestrator/plan/chainFile.ts";
import { chainOfNames, readAsked } from "../../src/orchestrator/plan/chainText.ts";
import { type ChainEdit, editChain } from "../../src/orchestrator/plan/editChain.ts";
import { selectAgents } from "../../src/orchestrator/select/selectAgents.ts";
import { partsOfTask } from "../../src/orchestrator/select/taskParts.ts";
import { listed } from "../support/listed.ts";
import { agentNamed, chainOf, orderOf } from "./scripted.ts";

const WHAT = "What should be done, and with what?";

const CLEAR = listed(`
	Review auth.go for security vulnerabilities | Review the auth module | Fix the typo in the footer
	Create unit tests for the MatchKeywords() function in internal/agents/types.go with edge cases
	Announce our new release on LinkedIn | The CloudWatch alarm HighLatency fired at 03:12; find the cause
	Explain src/a.ts | Übersetze readme.md ins Deutsche | Prüfe die Barrierefreiheit unserer Formulare
	Traduis la page d'accueil en anglais | Why does the build fail on Windows?
	Welche Leuchttürme stehen in Dänemark?
`);

for (const prompt of CLEAR)
	test(`“${prompt}” is clear`, () => {
		const { isClear, question, confidence } = evaluate(prompt);
		assert.deepEqual([isClear, question, confidence >= 0.7], [true, undefined, true]);
	});

for (const [prompt, asked] of [
	["  \n ", WHAT],
	["hello", WHAT],
	["Hilf mir mal", WHAT],
	["Do something generic", WHAT],
	["check it", "“check” what? Name a file, a folder, or a name."],
	["Kannst du das reparieren?", "“reparieren” what? Name a file, a folder, or a name."],
	["Fix bug", "Which bug: a file, a folder, or a name?"],
	["Fix the thing in the module", "Which module: a file, a folder, or a name?"],
	["Behebe den Fehler", "Which Fehler: a file, a folder, or a name?"],
	["src/a.ts lib/b.py", "What should be done with “src/a.ts” and “lib/b.py”?"],
] as const)
	test(`“${prompt}” is unclear, and the question asks for the missing part`, () => {
		const { isClear, question, confidence } = evaluate(prompt);
		assert.deepEqual([isClear, question, confidence < 0.7], [false, asked, true]);
	});

test("a text that only resembles a path is not a name; a prompt of maximum length is judged without delay", () => {
	assert.deepEqual(evaluate("Explain read/write and/or e.g. locks").facts.names, []);
	assert.deepEqual(evaluate("Review `src/a.ts`, (b.py), docs/.").facts.names, ["src/a.ts", "b.py", "docs/"]);
	for (const text of ["a", "a/", "(", "a.b", "_a", "it "]) {
		const { confidence } = evaluate(text.repeat(LONGEST_PROMPT / text.length));
		assert.ok(confidence >= 0 && confidence <= 1);
	}
});

const candidates = [
	{ path: "src/auth/in.ts", title: "src/auth/in.ts" },
	{ path: "src/session.ts", title: "authenticateUser" },
	{ path: "docs/guide.md", title: "Guide › Authentication" },
	{ path: "docs/contest.md", title: "Contest" },
];

test("a broad prompt is refined with names from the repository, which match whole words", () => {
	const found = namesAmong(candidates, ["auth"]);
	const names = ["src/auth/in.ts", "authenticateUser in src/session.ts", "“Authentication” in docs/guide.md"];
	assert.deepEqual(refine(evaluate("Review the auth module."), found), {
		prompt: `Review the auth module (${names.join("; ")}).`,
		changes: names.map((name) => `named what “auth” refers to: ${name}`),
	});
	for (const prompt of ["Fix bug", "check it", "Review auth.go for security", "Review auth"])
		assert.deepEqual(refine(evaluate(prompt), found), { prompt, changes: [] });
	assert.deepEqual(namesAmong(candidates, ["test"]), []);
	const hidden = namesAmong([{ path: "src/auth\u202e\n.ts", title: "" }], ["auth"]);
	assert.match(refine(evaluate("Review the auth module"), hidden).prompt, /src\/auth⟨U\+202E⟩⟨newline⟩\.ts/);
});

const agentsOf = (...names: readonly string[]) => names.map((name) => agentNamed(name));
const said = { meaning: 0.4, aimed: ["login"], instructed: [] };
const fits = (agent: string, score: number, aim = score): AgentFit => ({ agent, score, aim, ...said });

/** Selects agents from the fits of a whole task and of each of its parts; returns their names. */
const chosen = (...fits: readonly (readonly AgentFit[])[]) =>
	selectAgents(fits, agentsOf(..."abcd")).chosen.map(({ agent }) => agent.name);

test("the best agent is selected, and its score is explained", () => {
	const agents = [agentNamed("a"), agentNamed("b", { mayBeChosen: false })];
	const found = { ...fits("a", 0.414), instructed: ["Postgres", "audit"] };
	const { chosen: best, rationale, ranked } = selectAgents([[fits("b", 0.9), found]], agents);
	assert.deepEqual(best, ranked);
	assert.equal(best[0]?.score, 0.41);
	assert.equal(best[0]?.because[1], "its instructions have “Postgres”, “audit”");
	assert.match(rationale, /: a \(0\.41\)$/);
});

test("an agent with a low score, or with a match only in its instructions, is not selected", () => {
	assert.deepEqual(chosen([fits("a", 0.16), fits("b", 0.1)]), []);
	assert.deepEqual(chosen([fits("a", 0.4, 0.05)]), []);
	assert.deepEqual(chosen([fits("a", 0.4, 0.05), fits("b", 0.3)]), ["b"]);
	assert.match(selectAgents([[fits("a", 0.1)]], [agentNamed("a")]).rationale, /nearest are a \(0\.10\)/);
	assert.match(selectAgents([[]], []).rationale, /There is no agent to choose/);
});

test("a chain has the best agent for each part of a task, in the order of the parts", () => {
	const whole = [fits("a", 0.5), fits("b", 0.4), fits("c", 0.2)];
	assert.deepEqual(chosen(whole, [fits("b", 0.9), fits("a", 0.1)], [fits("a", 0.6)]), ["b", "a"]);
	assert.deepEqual(chosen(whole, [fits("a", 0.9)], [fits("a", 0.6)]), ["a"]);
	const second = [fits("c", 0.9), fits("b", 0.3)];
	assert.deepEqual(chosen(whole, [fits("a", 0.9)], second), ["a", "b"], "c fits the whole task too little");
	assert.deepEqual(chosen(whole, [fits("b", 0.9)], [fits("c", 0.9)]), ["a"], "the best of all has no part");
});

for (const [task, parts] of [
	["Review auth.go for security and add tests", ["Review auth.go for security", "add tests"]],
	["Review it, then write tests and finally update docs", ["Review it", "write tests", "update docs"]],
	["Write tests after reviewing the parser", ["reviewing the parser", "Write tests"]],
	["Prüfe den Parser und schreibe dann Tests", ["Prüfe den Parser", "schreibe dann Tests"]],
	["Prüfe den Parser, danach schreibe Tests", ["Prüfe den Parser", "schreibe Tests"]],
	["Write Terraform for an S3 bucket and a Lambda", []],
	["The build fails after the last upgrade", []],
	["Add types and tests", []],
	["a then ".repeat(9), []],
	[`${"x".repeat(2000)} then y`, []],
] as const)
	test(`“${task.slice(0, 60)}” has ${parts.length || "no"} parts`, () => {
		assert.deepEqual(partsOfTask(task), parts);
	});

for (const [text, stages, task] of [
	["a > b & c: do: it", [["a"], ["b", "c"]], "do: it"],
	["API Architect: Review a.ts", [["API Architect"]], "Review a.ts"],
	["api-architect > a: Go", [["api-architect"], ["a"]], "Go"],
	["R&D: Ops > 1: Go", [["R&D: Ops > 1"]], "Go"],
] as const)
	test(`“${text}” is read as a chain of agents and a task`, () => {
		const agents = agentsOf("a", "API Architect", "R&D", "R&D: Ops > 1");
		assert.deepEqual(readAsked(text, agents), { stages, task });
	});

const NO_CHAINS = ["TODO: see a.ts", "x > y: do it", "a >: do", "a > > b: do it", "../a: do it", ": do it"];
for (const text of [...NO_CHAINS, "a\u202e: do it", `${"a>".repeat(20)}a: do it`])
	test(`“${text}” is read as a task without agents`, () => {
		assert.deepEqual(readAsked(text, agentsOf("a")), { task: text });
	});

test("an edit of a chain returns a new chain and leaves the original unchanged", () => {
	const edits: readonly [edit: ChainEdit, result: string][] = [
		[{ kind: "earlier", step: "b" }, "b > a > c"],
		[{ kind: "later", step: "a" }, "b > a > c"],
		[{ kind: "drop", step: "b" }, "a > c"],
		[{ kind: "beside", step: "b" }, "a & b > c"],
		[{ kind: "add", agent: "a" }, "a > b > c > a-2"],
		[{ kind: "beside", step: "a" }, "a > b > c"],
		[{ kind: "alone", step: "a" }, "a > b > c"],
		[{ kind: "drop", step: "z" }, "a > b > c"],
	];
	const chain = chainOfNames([["a"], ["b"], ["c"]]);
	for (const [edit, result] of edits) assert.equal(orderOf(editChain(chain, edit)), result, edit.kind);
	assert.equal(orderOf(chain), "a > b > c");
	assert.equal(orderOf(chainOfNames([["a"], ["b", "a"], ["a"]])), "a > b & a-2 > a-3");
	const apart = editChain(chainOfNames([["a", "b"], ["c"]]), { kind: "alone", step: "a" });
	assert.equal(orderOf(apart), "b > a > c");
});

test("an edit removes conditions on steps that no longer run earlier", () => {
	const untils = { 1: { condition: { step: "a", contains: "x" }, max: 2 } };
	const chain = chainOf(["a", [{ id: "b", agent: "b", when: { step: "a", is: "failed" } }]], { untils });
	for (const kind of ["drop", "later"] as const) {
		const { stages } = editChain(chain, { kind, step: "a" });
		assert.deepEqual(stages[0]?.steps, [{ id: "b", agent: "b" }]);
	}
	assert.equal(editChain(chain, { kind: "drop", step: "a" }).stages[0]?.until, undefined);
});

test("a chain file may have stages, conditions and a loop", () => {
	const text = `description: Until the tests are green
onFailure: stop
stages:
  - steps: [fixer]
  - steps:
      - { agent: tester, id: check, prompt: Run the tests., tools: [view, bash], timeout: 60 }
      - { agent: reviewer, when: { step: fixer, is: succeeded } }
    until: { condition: { step: check, contains: green }, max: 3, from: fixer }
`;
	const fixer = { id: "fixer", agent: "fixer" };
	const prompted = { prompt: "Run the tests.", tools: ["view", "bash"], timeout: 60_000 };
	const reviewer = { id: "reviewer", agent: "reviewer", when: { step: "fixer", is: "succeeded" } };
	const until = { condition: { step: "check", contains: "green" }, max: 3, from: 0 };
	const steps = [{ id: "check", agent: "tester", ...prompted }, reviewer];
	const stages = [{ steps: [fixer] }, { steps, until }];
	assert.deepEqual(readChainFile(text, "release.yaml"), {
		description: "Until the tests are green",
		problems: [],
		chain: { name: "release", onFailure: "stop", stages },
	});
});

const BESIDE = "stages:\n  - steps:\n      - a\n      - agent: b\n        ";
const LOOP = "stages:\n  - steps: [a]\n    until:\n      condition: { step: a, contains: x }\n";
const many = (what: string) => `[${`${what},`.repeat(99)}${what}]`;

for (const [what, text, line, message] of [
	["no content", "", 1, /expected object/],
	["unclosed YAML", "stages: [\n  - a", 2, /./],
	["an agent without a name", 'stages:\n  - steps:\n      - ok\n      - ""\n', 4, /./],
	["an unknown field", "stages:\n  - steps: [a]\n    loop: 3\n", 2, /loop/],
	["a duplicate step id", "stages:\n  - steps:\n      - a\n      - a\n", 4, /two steps “a”/],
	["a condition on a sibling", `${BESIDE}when: { step: a, is: failed }\n`, 5, /no earlier step “a”/],
	["a prompt with no earlier answer", `${BESIDE}prompt: Sum up {{step.c}}\n`, 5, /no earlier step “c”/],
	["an endless loop", `${LOOP}      max: 1e6\n`, 5, /./],
	["a loop without a maximum", LOOP, 3, /max|number/],
	["aliases that multiply", `a: &a ${many("x")}\nb: &b ${many("*a")}\nstages: ${many("*b")}\n`, 1, /./],
] as const)
	test(`a chain file with ${what} is invalid, and the problem has its line`, () => {
		const { chain, problems } = readChainFile(text, "x.yaml");
		assert.equal(chain, undefined);
		assert.equal(problems[0]?.line, line);
		assert.match(problems[0]?.message ?? "", message);
	});
