import assert from "node:assert/strict";
import { test } from "node:test";
import { Failure } from "../../src/base/failure.ts";
import type { RunScope } from "../../src/core/agent/agentEvent.ts";
import type { Chain } from "../../src/core/agent/chain.ts";
import { findNamesBy } from "../../src/orchestrator/evaluate/refine.ts";
import type { Draft } from "../../src/orchestrator/orchestrator.ts";
import { chainOfNames } from "../../src/orchestrator/plan/chainText.ts";
import { createResultCache } from "../../src/orchestrator/run/runStep.ts";
import { agentNamed, chainOf, LIMITS, orderOf } from "./scripted.ts";
import { AGENTS, scriptedOrchestrator } from "./scriptedOrchestrator.ts";

const { signal } = new AbortController();
const show = () => undefined;

const order = ({ plan }: Draft) => orderOf(plan.chain);

test("a plan names its agents, with reasons, tools and estimated tokens", async () => {
	const persona = "x".repeat(400);
	const only = agentNamed("code-reviewer", { keywords: ["security"], tools: ["view"], persona });
	const { orchestrator } = scriptedOrchestrator({}, { agents: async () => [only] });
	const { plan } = await orchestrator.plan({ prompt: "Review src/a.ts for security" }, signal);
	const [{ id, why, tools, mayChange, tokens }, ...others] = plan.steps as [(typeof plan.steps)[number]];
	assert.deepEqual([id, tools, mayChange, others], ["code-reviewer", ["view"], false, []]);
	assert.deepEqual(why, [
		"it fits with 0.29 of 1",
		"its name, description, or keywords have “Review”, “security”",
		"its description is similar to the prompt (cosine 0.36)",
	]);
	assert.ok(tokens > 100 && plan.tokens === tokens);
	assert.match(plan.rationale, /^Selected by what the files of the agents say: code-reviewer \(0\.29\)$/);
});

test("a prompt is refined with names from the index, unless the user named a chain", async () => {
	const name = "src/auth.ts";
	const findNames = async (words: readonly string[]) =>
		words.includes("auth") ? [{ word: "auth", kind: "file", name, path: name } as const] : [];
	const { orchestrator, runner } = scriptedOrchestrator({}, { findNames });
	const prompt = "Review the auth module";
	const draft = await orchestrator.plan({ prompt }, signal);
	const { context } = await orchestrator.run(draft, { show }, signal);
	assert.equal(context.refinedPrompt, `${prompt} (src/auth.ts)`);
	const { isClear, changes } = context.evaluationFeedback;
	assert.deepEqual([isClear, changes.length], [true, 1]);
	assert.ok(runner.seen[0]?.prompt.startsWith(`${prompt} (src/auth.ts)`));
	const named = await orchestrator.plan({ prompt, chain: chainOfNames([["test-generator"]]) }, signal);
	assert.equal(named.plan.task.refined, prompt);
});

test("names come from documents of the caller's channel; without an index, the prompt stays unchanged", async () => {
	const path = "src/auth/login.ts";
	const place = { lines: { start: 1, end: 9 }, text: "", score: 1, why: {} };
	const hit = { id: "1", uri: "file:///a.ts", path, title: path, ...place };
	const knowledge: Parameters<typeof findNamesBy>[0] = {
		search: async ({ channel }) => ({
			...{ hits: channel === "mcp" ? [hit] : [], total: 1, truncated: false, notices: [] },
		}),
	};
	const found = await findNamesBy(knowledge, "mcp")(["auth"], signal);
	assert.deepEqual(found, [{ word: "auth", kind: "file", name: path, path }]);
	const gone = () => Promise.reject(new Failure("NO_INDEX", "There is no index."));
	const { orchestrator } = scriptedOrchestrator({}, { findNames: gone });
	const { refinement, selection } = await orchestrator.judge("Review the auth module", undefined, signal);
	assert.equal(refinement.prompt, "Review the auth module");
	assert.equal(selection.chosen[0]?.agent.name, "code-reviewer");
});

test("a user's change to a plan is reused and mentioned in later plans if all its agents still exist", async () => {
	let agents = AGENTS;
	const { orchestrator } = scriptedOrchestrator({}, { agents: async () => agents });
	const asked = { prompt: "Review security and tests of src/a.ts" };
	const first = await orchestrator.plan(asked, signal);
	assert.equal(order(first), "code-reviewer > test-generator");
	const edited = orchestrator.replan(first, chainOfNames([["test-generator", "documentation-writer"]]));
	assert.deepEqual(edited.plan.steps[1]?.why, ["you added it"]);
	await orchestrator.remember(edited);
	const second = await orchestrator.plan(asked, signal);
	assert.equal(order(second), "test-generator & documentation-writer");
	assert.match(second.plan.rationale, /you changed code-reviewer > test-generator to test-generator & docum/);
	agents = AGENTS.slice(0, 2);
	assert.equal(order(await orchestrator.plan(asked, signal)), "code-reviewer > test-generator");
	agents = AGENTS;
	await orchestrator.remember(orchestrator.replan(second, first.plan.chain));
	assert.equal(order(await orchestrator.plan(asked, signal)), "code-reviewer > test-generator");
});

test("a prompt that is unclear or fits no agent is an error that states the missing part", async () => {
	const { orchestrator, runner } = scriptedOrchestrator();
	const plan = (prompt: string) => orchestrator.plan({ prompt }, signal);
	await assert.rejects(plan("check it"), { code: "BAD_INPUT", message: /^“check” what\? Name a file/ });
	await assert.rejects(plan("Compose a lullaby for my niece"), {
		code: "NOT_FOUND",
		message: /^No agent fits this task; the nearest are .*Name the agent/,
	});
	const chain = chainOfNames([["code-reviewer"]]);
	assert.equal((await orchestrator.plan({ prompt: "check it", chain }, signal)).plan.steps.length, 1);
	assert.deepEqual(runner.seen, []);
});

test("a step that the user retries is not answered from the cache", async () => {
	const { orchestrator, runner } = scriptedOrchestrator({}, { cache: createResultCache() });
	const chain = chainOf([[{ id: "code-reviewer", agent: "code-reviewer", tools: ["view"] }]]);
	const draft = await orchestrator.plan({ prompt: "Review src/a.ts", chain }, signal);
	for (const isFresh of [false, false, true]) await orchestrator.run(draft, { show, isFresh }, signal);
	assert.equal(runner.seen.length, 2);
});

test("a saved chain can be run; an invalid chain is an error with its line", async () => {
	const files = { good: "stages:\n  - steps: [test-generator]\n", bad: "stages:\n  - steps: [5]\n" };
	const { orchestrator } = scriptedOrchestrator({}, { files });
	const chain = await orchestrator.chain("good", signal);
	assert.equal(order(await orchestrator.plan({ prompt: "Do it", chain }, signal)), "test-generator");
	await assert.rejects(orchestrator.chain("bad", signal), /\.copilot-ld\/chains\/bad\.yaml:2: /);
	await assert.rejects(orchestrator.chain("../good", signal), { code: "NOT_FOUND" });
});

test("a step's scope and the settings limit the depth, agents and tools of a chain that it starts", async () => {
	const { orchestrator, runner } = scriptedOrchestrator();
	const chain = chainOfNames([["test-generator"]]);
	const plan = (prompt: string, given: Partial<RunScope>, named?: Chain) =>
		orchestrator.plan({ prompt, scope: { limits: LIMITS, ...given }, chain: named }, signal);
	for (const refused of [{ limits: { ...LIMITS, depth: 0 } }, { agents: ["code-reviewer"] }])
		await assert.rejects(plan("Go", refused, chain), { code: "NOT_ALLOWED" });
	const mine = { agents: ["code-reviewer"], tools: ["view"], limits: { ...LIMITS, tokens: 500 } };
	const draft = await plan("Review src/a.ts for security", mine);
	assert.equal(order(draft), "code-reviewer");
	assert.throws(() => orchestrator.replan(draft, chain), { code: "NOT_ALLOWED" });
	await orchestrator.run(draft, { show }, signal);
	const { limits, tools } = runner.seen[0]?.scope ?? {};
	assert.deepEqual([tools, limits?.depth, limits?.tokens], [["view"], 0, 500]);
	const wide = { limits: { depth: 99, tokens: 1e12, time: 1e12, concurrency: 99 } };
	assert.deepEqual((await plan("Test src/a.ts", wide)).scope.limits, LIMITS);
});

const NO_NAMES = ["../reviewer", "code-reviewer\u200b", "Reviewer", "ｃode-reviewer", "reviewer/../x", ""];

test("a chain with an unknown agent is rejected, even in an edited plan or with a name that resembles a known one", async () => {
	const { orchestrator, runner } = scriptedOrchestrator();
	const draft = await orchestrator.plan({ prompt: "Review src/a.ts for security" }, signal);
	const missing = { code: "NOT_FOUND" };
	for (const name of [...NO_NAMES, "root"]) {
		const chain = chainOf([name]);
		await assert.rejects(orchestrator.plan({ prompt: "Review src/a.ts", chain }, signal), missing, name);
		await assert.rejects(orchestrator.chain(name, signal), missing, name);
		assert.throws(() => orchestrator.replan(draft, chain), missing, name);
		const edited = { ...draft, plan: { ...draft.plan, chain } };
		await assert.rejects(orchestrator.run(edited, { show }, signal), missing, name);
	}
	assert.deepEqual(runner.seen, []);
});
