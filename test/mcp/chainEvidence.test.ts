import assert from "node:assert/strict";
import { test } from "node:test";
import { dataOf, openScene, run } from "./agentScene.ts";

test("what a step's cited lines do not have is said after its answer, over MCP too", async (t) => {
	const search = { calls: [{ name: "copilot-ld-search_knowledge", input: { query: "the lamp" } }] };
	const answer = { text: ["The lamp of Skagen is 99 metres high [lighthouses.md:3]."] };
	const { call } = await openScene(t, { script: { reader: [search, answer, search, answer] } });
	const wanted = /99 metres high \[lighthouses\.md:3\]\.\n\nNote: .*\n\nNote: .*99/s;
	assert.match(String(dataOf(await call("run_agent", run("reader")))["output"]), wanted);
	const chain = { prompt: "Look after the lighthouse.", agentChain: ["reader", "writer"] };
	const { agentResults, finalOutput } = dataOf(await call("run_with_orchestrator", chain));
	const [reader, writer] = agentResults as [{ output: string }, { output: string }];
	assert.match(reader.output, wanted);
	assert.equal(writer.output, "is done.");
	assert.match(String(finalOutput), /Note: .*99/s);
});
