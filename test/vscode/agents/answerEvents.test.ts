import assert from "node:assert/strict";
import { test } from "node:test";
import { synthesize } from "../../../src/orchestrator/run/stepResult.ts";
import { wordsOfSteps } from "../../../src/vscode/agents/agentsCommand.ts";

test("of the answer of a chain only what its steps wrote is compared with the lines that it cites", () => {
	const step = { step: "a", agent: "Keeper", outcome: "succeeded", citations: [], focusAreas: [] } as const;
	const said = "It was lit in 1884.";
	const summary = synthesize([{ ...step, output: said, executedAt: 1, hasChanged: false }]);
	const finished = { ...step, kind: "stepFinished", text: said } as const;
	assert.match(summary, /Total Agents Executed: 1/);
	assert.equal(wordsOfSteps([{ kind: "text", text: summary }, finished]), said);
	assert.equal(wordsOfSteps([{ kind: "text", text: "A plan of 3 steps." }]), "");
});
