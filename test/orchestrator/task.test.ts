import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentFit } from "../../src/core/agent/chain.ts";
import { evaluate, LONGEST_PROMPT } from "../../src/orchestrator/evaluate/evaluate.ts";
import { namesAmong, refine } from "../../src/orchestrator/evaluate/refine.ts";
import { selectAgents } from "../../src/orchestrator/select/selectAgents.ts";
import { partsOfTask } from "../../src/orchestrator/select/taskParts.ts";
import { agentNamed } from "./scripted.ts";

const WHAT = "What should be done, and with what?";

for (const [prompt, question] of [
	["Review auth.go for security vulnerabilities"],
	["Create unit tests for the MatchKeywords() function in internal/agents/types.go with edge cases"],
	["Review the auth module"],
	["Announce our new release on LinkedIn"],
	["The CloudWatch alarm HighLatency fired at 03:12; find the cause"],
	["Explain src/a.ts"],
	["Übersetze readme.md ins Deutsche"],
	["Prüfe die Barrierefreiheit unserer Formulare"],
	["Traduis la page d'accueil en anglais"],
	["Why does the build fail on Windows?"],
	["Fix the typo in the footer"],
	["Welche Leuchttürme stehen in Dänemark?"],
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
	test(`“${prompt}” is ${question ? "not clear, and its question asks for what is missing" : "clear"}`, () => {
		const evaluation = evaluate(prompt);
		const isClear = question === undefined;
		assert.deepEqual([evaluation.isClear, evaluation.question], [isClear, question]);
		assert.equal(evaluation.confidence >= 0.7, isClear);
	});

test("what only looks like a name is none", () => {
	assert.deepEqual(evaluate("Explain read/write and/or e.g. locks").facts.names, []);
	assert.deepEqual(evaluate("Review `src/a.ts`, (b.py), docs/.").facts.names, ["src/a.ts", "b.py", "docs/"]);
});

test("a prompt as long as they may be, of whatever characters, is judged at once", () => {
	for (const text of ["a", "a/", "(", "a.b", "_a", "it "]) {
		const { confidence } = evaluate(text.repeat(LONGEST_PROMPT / text.length));
		assert.ok(confidence >= 0 && confidence <= 1);
	}
});

const candidates = [
	{ path: "src/auth/login.ts", title: "src/auth/login.ts" },
	{ path: "src/session.ts", title: "authenticateUser" },
	{ path: "docs/guide.md", title: "Guide › Authentication" },
	{ path: "docs/contest.md", title: "Contest" },
];

test("a broad prompt is refined with names that are in the repository", () => {
	const found = namesAmong(candidates, ["auth"]);
	assert.deepEqual(refine(evaluate("Review the auth module."), found), {
		prompt:
			"Review the auth module (src/auth/login.ts; authenticateUser in src/session.ts; “Authentication” in docs/guide.md).",
		changes: [
			"named what “auth” refers to: src/auth/login.ts",
			"named what “auth” refers to: authenticateUser in src/session.ts",
			"named what “auth” refers to: “Authentication” in docs/guide.md",
		],
	});
	for (const prompt of ["Fix bug", "check it", "Review auth.go for security", "Review auth"])
		assert.deepEqual(refine(evaluate(prompt), found), { prompt, changes: [] });
});

test("a name of the index is found by whole words only", () => {
	assert.deepEqual(namesAmong(candidates, ["test"]), []);
});

test("what cannot be seen in a name of the repository is shown in the prompt", () => {
	const found = namesAmong([{ path: "src/auth\u202e\n.ts", title: "" }], ["auth"]);
	assert.match(refine(evaluate("Review the auth module"), found).prompt, /src\/auth⟨U\+202E⟩⟨newline⟩\.ts/);
});

const said = { meaning: 0.4, aimed: ["login"], instructed: [] };
const fits = (agent: string, score: number, aim = score): AgentFit => ({ agent, score, aim, ...said });

/** The names that are chosen where the fits of a task, and of each of its parts, are these. */
const chosen = (...fits: readonly (readonly AgentFit[])[]) =>
	selectAgents(
		fits,
		[..."abcd"].map((name) => agentNamed(name)),
	).chosen.map(({ agent }) => agent.name);

test("the agent that fits best is chosen, and its score explained", () => {
	const agents = [agentNamed("a"), agentNamed("b", { mayBeChosen: false })];
	const found = { ...fits("a", 0.414), instructed: ["Postgres", "audit"] };
	const { chosen: best, rationale, ranked } = selectAgents([[fits("b", 0.9), found]], agents);
	assert.deepEqual(best, ranked);
	assert.equal(best[0]?.score, 0.41);
	assert.deepEqual(best[0]?.because, [
		"its name, description, or keywords have “login”",
		"its instructions have “Postgres”, “audit”",
		"its description is similar to the prompt (cosine 0.40)",
	]);
	assert.match(rationale, /: a \(0\.41\)$/);
});

test("nobody is chosen if what an agent shares with a task may be chance, or only its instructions share anything", () => {
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
	assert.deepEqual(chosen(whole, [fits("a", 0.9)], [fits("c", 0.9), fits("b", 0.3)]), ["a", "b"], "no c");
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
