import assert from "node:assert/strict";
import { test } from "node:test";
import { dryRunMarkdown, judgementMarkdown, planMarkdown } from "../../../src/vscode/agents/plans.ts";
import { agentNamed } from "../../orchestrator/scripted.ts";
import { scriptedOrchestrator } from "../../orchestrator/scriptedOrchestrator.ts";

const { signal } = new AbortController();

test("a plan shows each agent, why, and that the figures are estimates; nothing of a file is Markdown", async () => {
	const agents = [agentNamed("reviewer", { keywords: ["security"], tools: ["view | [x](http://a)"] })];
	const { orchestrator } = scriptedOrchestrator({}, { agents: async () => agents });
	const draft = await orchestrator.plan({ prompt: "Review a.ts for security" }, signal);
	const text = planMarkdown(draft);
	assert.match(text, /\*\*1\. reviewer\*\* only reads\n- Why: it fits with 0\.41 of 1; .*“security”/);
	assert.match(text, /an estimate/);
	assert.ok(!text.includes("[x](http"));
	assert.ok(!text.includes("view | "));
	assert.match(dryRunMarkdown(draft), /Nothing was run\.[\s\S]*```\nYou are reviewer\.\n```/);
});

test("a prompt that is judged shows what it lacks and who fits", async () => {
	const { orchestrator } = scriptedOrchestrator();
	const text = judgementMarkdown(await orchestrator.judge("Review the auth module", undefined, signal));
	assert.match(text, /^\*\*Clear\.\*\*\n\nSelected by .*: code-reviewer \(0\.27\)/);
	assert.match(text, /\*\*code-reviewer\*\* 0\.27: .*“Review”/);
	const unclear = judgementMarkdown(await orchestrator.judge("Compose it", undefined, signal));
	assert.match(unclear, /^\*\*Not clear\.\*\* “Compose” what\? .*\n\nNo agent fits/s);
});
