import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { assertMapped } from "../support/assertMapped.ts";
import { untilIt } from "../support/untilIt.ts";
import { agentFile, dataOf, makeScene } from "./agentScene.ts";
import { startMcp, textOf } from "./mcpProgram.ts";

interface Results extends Record<"run" | "record", string> {
	readonly agentResults: readonly (Record<"step" | "output" | "outcome", string> & {
		readonly tokens: number;
		readonly context: { readonly previousAgent: string };
	})[];
}

test("a killed chain resumes after the last saved step, and repeats steps with effects only on request", async (t) => {
	const { workspace, env, model } = await makeScene(t, {
		files: { ".github/agents/closer.md": agentFile("closer", "tools: [view]\n") },
		script: { reader: [], writer: [{ text: ["Half"], wait: true }], closer: [] },
	});
	const asked = (name: string) =>
		model.requests.filter(({ whole }) => whole.includes(`PERSONA-${name}`)).length;
	const killed = await startMcp(t, { ...workspace, env });
	const chain = { prompt: "Look after the lighthouse.", agentChain: ["reader", "writer", "closer"] };
	const cut = killed.call("run_with_orchestrator", chain);
	cut.catch(() => undefined);
	await untilIt(
		async () => asked("writer"),
		(count) => count > 0,
	);
	process.kill(killed.pid, "SIGKILL");
	await assert.rejects(cut);

	const before = asked("reader");
	const { call } = await startMcp(t, { ...workspace, env });
	const resume = async (input: object) => call("run_with_orchestrator", { ...input });
	const refused = await resume({ resume: "last" });
	assert.match(textOf(refused), /writer may already have changed files.*repeat: \[\\"writer\\"\]/);
	const repeated = dataOf(await resume({ resume: "last", repeat: ["writer"] })) as unknown as Results;
	const { agentResults, run, record } = repeated;
	assertMapped(
		agentResults,
		({ step, ...rest }) => [step, rest.outcome, rest.output, rest.context.previousAgent],
		[
			["reader", "succeeded", "reader is done.", ""],
			["writer", "succeeded", "writer is done.", "reader"],
			["closer", "succeeded", "closer is done.", "writer"],
		],
	);
	assert.equal(asked("reader"), before, "what was finished does not run again");
	assert.ok(agentResults.every(({ tokens }) => tokens > 0));
	const lines = (await readFile(record, "utf8")).trim().split("\n");
	const started = lines.find((line) => line.includes('"stepStarted"') && line.includes('"step":"closer"'));
	assert.match(started ?? "", /Look after the lighthouse.*writer is done\./);
	const closed = asked("closer");
	await resume({ resume: run, from: "closer" });
	assert.deepEqual([asked("closer") > closed, asked("reader")], [true, before]);
	for (const wrong of [{ resume: "../x" }, { resume: "none" }, { resume: run, from: "nobody" }])
		assert.match(textOf(await resume(wrong)), /"code": "AGENT_NOT_FOUND"/);
	assert.match(textOf(await resume({})), /"code": "INVALID_PROMPT"/);
});
