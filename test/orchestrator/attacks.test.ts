import assert from "node:assert/strict";
import { test } from "node:test";
import { createResultCache } from "../../src/orchestrator/run/resultCache.ts";
import { run } from "./runScripted.ts";
import { agentNamed, chainOf, LIMITS, says } from "./scripted.ts";
import { scriptedOrchestrator } from "./scriptedOrchestrator.ts";

// Ways around the limits of chains. Those that need the real Copilot CLI are in test/vscode/steps/cliChains.test.ts.

const { signal } = new AbortController();
const show = () => undefined;

test("an agent's file, its chain and a step that all name more get no more than whoever started it", async () => {
	const greedy = agentNamed("a", { tools: ["*", "bash", "execute", "Bash", "shell(*)", "edit"] });
	const chain = chainOf([[{ id: "a", agent: "a", tools: ["runInTerminal", "bash", "read"] }]]);
	const scope = { limits: LIMITS, tools: ["view"] };
	const { runner } = await run(chain, {}, { run: { agents: new Map([["a", greedy]]), scope } });
	assert.deepEqual(runner.seen[0]?.scope.tools, ["view"]);
});

for (const name of ["../reviewer", "code-reviewer\u200b", "Reviewer", "ｃode-reviewer", "reviewer/../x", ""])
	test(`${JSON.stringify(name)} is no agent, whatever it looks like`, async () => {
		const { orchestrator, runner } = scriptedOrchestrator();
		const asked = { prompt: "Review src/a.ts", chain: chainOf([name]) };
		await assert.rejects(orchestrator.plan(asked, signal), { code: "NOT_FOUND" });
		await assert.rejects(orchestrator.chain(name, signal), { code: "NOT_FOUND" });
		assert.deepEqual(runner.seen, []);
	});

test("agents that hand over to each other in a circle run once each", async () => {
	const circle = ["a", "b"].map((name, at) => agentNamed(name, { handoffs: [{ agent: "ba"[at] ?? "" }] }));
	const { orchestrator, runner } = scriptedOrchestrator({}, { agents: async () => circle });
	const draft = await orchestrator.plan({ prompt: "Review src/a.ts", chain: chainOf(["a", "b"]) }, signal);
	await orchestrator.run(draft, { show }, signal);
	assert.deepEqual(runner.seen.map(({ id }) => id).sort(), ["a", "b"]);
});

test("a plan that was edited to hold an agent that there is not, or that may not be started, is no plan", async () => {
	const { orchestrator } = scriptedOrchestrator();
	const draft = await orchestrator.plan({ prompt: "Review src/a.ts for security" }, signal);
	assert.throws(() => orchestrator.replan(draft, chainOf(["root"])), { code: "NOT_FOUND" });
	const scope = { limits: LIMITS, agents: ["code-reviewer"] };
	const below = await orchestrator.plan({ prompt: "Review src/a.ts", scope }, signal);
	assert.throws(() => orchestrator.replan(below, chainOf(["test-generator"])), { code: "NOT_ALLOWED" });
	const slipped = { ...draft, plan: { ...draft.plan, chain: chainOf(["root"]) } };
	await assert.rejects(orchestrator.run(slipped, { show }, signal), { code: "NOT_FOUND" });
});

test("a result is not replayed for a file, a prompt or tools that are others by now", async () => {
	const cache = createResultCache();
	const played = async (more: Parameters<typeof agentNamed>[1], prompt = "one") => {
		const agents = new Map([["a", agentNamed("a", more)]]);
		const chain = chainOf([[{ id: "a", agent: "a", prompt }]]);
		return (await run(chain, {}, { ports: { cache }, run: { agents } })).runner.seen.length;
	};
	const source = { uri: "file:///a.md", level: "workspace", hash: "2" } as const;
	assert.deepEqual(
		[await played({}), await played({}), await played({ source }), await played({ tools: ["view"] })],
		[1, 0, 1, 1],
	);
	assert.equal(await played({}, "two"), 1);
});

test("an answer of a megabyte is cut", async () => {
	const { runner, report } = await run(chainOf(["a", "b"]), { a: says("x ".repeat(500_000)) });
	assert.ok((runner.seen[1]?.prompt.length ?? 0) < 20_000);
	assert.ok((report.context.agentResults[0]?.output.length ?? 0) < 70_000);
});
