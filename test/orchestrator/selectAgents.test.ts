import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentFit } from "../../src/core/agent/chain.ts";
import { selectAgents } from "../../src/orchestrator/select/selectAgents.ts";
import { partsOfTask } from "../../src/orchestrator/select/taskParts.ts";
import { agentNamed } from "./scripted.ts";

const fits = (agent: string, score: number, aim = score): AgentFit => ({
	...{ agent, score, aim, meaning: 0.4 },
	aimed: ["login"],
	instructed: [],
});

/** The names that are chosen where the fits of a task, and of each of its parts, are these. */
const chosen = (...fits: readonly (readonly AgentFit[])[]) =>
	selectAgents(
		fits,
		["a", "b", "c", "d"].map((name) => agentNamed(name)),
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
	assert.match(
		selectAgents([[fits("a", 0.1)]], [agentNamed("a")]).rationale,
		/nearest are a \(0\.10\)\. Name/,
	);
	assert.match(selectAgents([[]], []).rationale, /There is no agent to choose/);
});

test("a chain has the best agent for each part of a task, in the order of the parts", () => {
	const whole = [fits("a", 0.5), fits("b", 0.4), fits("c", 0.2)];
	assert.deepEqual(chosen(whole, [fits("b", 0.9), fits("a", 0.1)], [fits("a", 0.6)]), ["b", "a"]);
	assert.deepEqual(chosen(whole, [fits("a", 0.9)], [fits("a", 0.6)]), ["a"]);
	assert.deepEqual(
		chosen(whole, [fits("a", 0.9)], [fits("c", 0.9), fits("b", 0.3)]),
		["a", "b"],
		"c fits only a part",
	);
	assert.deepEqual(chosen(whole, [fits("b", 0.9)], [fits("c", 0.9)]), ["a"], "the best of all has no part");
});

for (const [task, parts] of [
	["Review auth.go for security and add tests", ["Review auth.go for security", "add tests"]],
	[
		"Review it, then write tests and finally update the docs",
		["Review it", "write tests", "update the docs"],
	],
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
