import assert from "node:assert/strict";
import { test } from "node:test";
import { answerAgents, readResume } from "../../../src/vscode/agents/agentsCommand.ts";
import { says } from "../../orchestrator/scripted.ts";
import { scriptedOrchestrator } from "../../orchestrator/scriptedOrchestrator.ts";
import { never } from "../../sessions/temporarySessions.ts";

test("a chain goes on by words that are nothing else", () => {
	const id = "0f8fad5b-d9cb-469f-a165-70867728950e";
	assert.deepEqual(readResume("resume", "here"), { session: "here" });
	assert.deepEqual(readResume(`resume ${id}`, "here"), { session: id });
	assert.deepEqual(readResume("retry fixer-2", "here"), { session: "here", from: "fixer-2" });
	assert.deepEqual(readResume(`retry fixer ${id}`, "here"), { session: id, from: "fixer" });
	for (const task of ["resume the work", "retry the tests", "retry ../x", "resume ../../etc"])
		assert.equal(readResume(task, "here"), undefined);
});

test("without a task the agents are listed", async () => {
	const { orchestrator } = scriptedOrchestrator({ "code-reviewer": says("It leaks.") });
	const shown: string[] = [];
	const stream = { markdown: (text: string) => shown.push(text) };
	const deps = { orchestrator: async () => orchestrator } as unknown as Parameters<typeof answerAgents>[0];
	await answerAgents(deps, { prompt: "", stream } as unknown as Parameters<typeof answerAgents>[1], never);
	assert.match(shown.join(), /^- \*\*code-reviewer\*\*: /m);
});
