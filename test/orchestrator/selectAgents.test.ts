import assert from "node:assert/strict";
import { test } from "node:test";
import { evaluate } from "../../src/orchestrator/evaluate/evaluate.ts";
import { selectAgents } from "../../src/orchestrator/select/selectAgents.ts";
import { agentNamed } from "./scripted.ts";

/** As the original's guide has them. */
const stock = [
	agentNamed("documentation-writer", { keywords: ["docs", "readme"] }),
	agentNamed("code-reviewer", { keywords: ["code-review", "security"] }),
	agentNamed("test-generator", { keywords: ["testing", "generate"] }),
	agentNamed("architecture-advisor", { keywords: ["authorization"] }),
];

const scores = (prompt: string, agents = stock, likeness?: readonly number[]) =>
	selectAgents(evaluate(prompt), agents, likeness).ranked.map(({ agent, score }) => `${agent.name} ${score}`);

const chosen = (...given: Parameters<typeof selectAgents>) =>
	selectAgents(...given).chosen.map(({ agent }) => agent.name);

test("exact, partial and synonymous keywords count as the original's guide counts them", () => {
	assert.deepEqual(scores("Review auth handling for security and add tests"), [
		"code-reviewer 3",
		"test-generator 2.5",
		"architecture-advisor 1",
		"documentation-writer 0",
	]);
});

test("two or three are chosen, the third only where it fits well enough", () => {
	assert.deepEqual(chosen(evaluate("Review auth handling for security and add tests"), stock), [
		"code-reviewer",
		"test-generator",
	]);
	const more = [...stock, agentNamed("auditor", { keywords: ["security"] })];
	assert.deepEqual(chosen(evaluate("Review auth handling for security and add tests"), more), [
		"code-reviewer",
		"test-generator",
		"auditor",
	]);
});

test("where nothing fits, the first three of the registry stand in", () => {
	const selection = selectAgents(evaluate("Translate the poem"), stock);
	assert.equal(selection.isFallback, true);
	assert.deepEqual(
		selection.chosen.map(({ agent }) => agent.name),
		["documentation-writer", "code-reviewer", "test-generator"],
	);
	assert.match(selection.rationale, /No agent matches/);
});

test("a contest is no test", () => {
	assert.deepEqual(
		scores("Latest contest results"),
		stock.map(({ name }) => `${name} 0`),
	);
});

test("of equals, the first of the registry comes first", () => {
	const twins = ["b", "a", "c"].map((name) => agentNamed(name, { keywords: ["parser"] }));
	assert.deepEqual(scores("Explain the parser", twins), ["b 2", "a 2", "c 2"]);
});

test("every point is explained, the meaning by a term of its own", () => {
	const [best] = selectAgents(evaluate("Review login.ts for leaks"), stock, [0, 0.65, 0.2, 0]).ranked;
	assert.deepEqual(best?.points, [
		{
			term: "partial",
			points: 1,
			because: "“review” is a part of its keyword “code-review”",
			keyword: "code-review",
		},
		{ term: "meaning", points: 1, because: "its description is similar to the prompt (cosine 0.65)" },
	]);
});

test("an agent without keywords is known by its name", () => {
	assert.deepEqual(scores("Review the lexer", [agentNamed("code-reviewer")]), ["code-reviewer 1"]);
});

test("an agent that may not be chosen is not", () => {
	const hidden = agentNamed("hidden", { keywords: ["parser"], mayBeChosen: false });
	assert.deepEqual(chosen(evaluate("Explain the parser"), [hidden, ...stock]), ["documentation-writer"]);
});

test("who hands over to another one that is chosen comes before it, and circles do no harm", () => {
	const tester = agentNamed("tester", { keywords: ["parser", "lexer"] });
	const writer = agentNamed("writer", { keywords: ["parser"], handoffs: [{ agent: "tester" }] });
	assert.deepEqual(chosen(evaluate("Extend the parser and lexer"), [tester, writer]), ["writer", "tester"]);
	const circle = { ...tester, handoffs: [{ agent: "writer" }] };
	assert.equal(chosen(evaluate("Extend the parser and lexer"), [circle, writer]).length, 2);
});
