import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { type TestContext, test } from "node:test";
import { assertMapped } from "../support/assertMapped.ts";
import { untilIt } from "../support/untilIt.ts";
import { agentFile, dataOf, makeScene } from "./agentScene.ts";
import { startMcp, textOf } from "./mcpProgram.ts";

const NAMES = ["reader", "checker", "closer"];
const FILES = Object.fromEntries(
	NAMES.map((one) => [`.github/agents/${one}.md`, agentFile(one, "tools: [view]\n")]),
);

interface Results extends Record<"run" | "record", string> {
	readonly agentResults: readonly (Record<"step" | "output" | "outcome", string> & {
		readonly tokens: number;
		readonly context: { readonly previousAgent: string };
	})[];
}

type Scene = Awaited<ReturnType<typeof makeScene>>;

/** Starts a chain, and kills the program while one of its agents works. */
async function killedAt(t: TestContext, { workspace, env, model }: Scene, at: string, agentChain: string[]) {
	const asked = (name: string) =>
		model.requests.filter(({ whole }) => whole.includes(`PERSONA-${name}`)).length;
	const { call, pid } = await startMcp(t, { ...workspace, env });
	const cut = call("run_with_orchestrator", { prompt: "Look after the lighthouse.", agentChain });
	cut.catch(() => undefined);
	await untilIt(
		async () => asked(at),
		(count) => count > 0,
	);
	process.kill(pid, "SIGKILL");
	await assert.rejects(cut);
	return asked;
}

test("a program that is killed within a step keeps the steps before it, and goes on with all they received", async (t) => {
	const script = { reader: [], checker: [{ text: ["Half"], wait: true }], closer: [] };
	const scene = await makeScene(t, { files: FILES, script });
	const asked = await killedAt(t, scene, "checker", NAMES);
	const before = asked("reader");
	const { call } = await startMcp(t, { ...scene.workspace, env: scene.env });
	const resumed = dataOf(await call("run_with_orchestrator", { resume: "last" })) as unknown as Results;
	assertMapped(
		resumed.agentResults,
		({ step, outcome, output, context }) => [step, outcome, output, context.previousAgent],
		[
			["reader", "succeeded", "reader is done.", ""],
			["checker", "succeeded", "checker is done.", "reader"],
			["closer", "succeeded", "closer is done.", "checker"],
		],
	);
	assert.equal(asked("reader"), before, "what was finished does not run again");
	assert.ok(resumed.agentResults.every(({ tokens }) => tokens > 0));
	const lines = (await readFile(resumed.record, "utf8")).trim().split("\n");
	const started = lines
		.map((line) => JSON.parse(line))
		.find(({ kind, step }) => kind === "stepStarted" && step === "closer");
	assert.match(started.prompt, /Look after the lighthouse[\s\S]*checker is done\./);
});

test("a step that may have changed something runs again only if the caller says so", async (t) => {
	const script = { writer: [{ text: ["Half"], wait: true }], reader: [] };
	const scene = await makeScene(t, { script });
	await killedAt(t, scene, "writer", ["reader", "writer"]);
	const { call } = await startMcp(t, { ...scene.workspace, env: scene.env });
	const refused = await call("run_with_orchestrator", { resume: "last" });
	assert.match(textOf(refused), /writer may already have changed files.*repeat: \[\\"writer\\"\]/);
	const { run } = dataOf(
		await call("run_with_orchestrator", { resume: "last", repeat: ["writer"] }),
	) as unknown as Results;
	const more = { resume: run, from: "writer", repeat: ["writer"] };
	const { agentResults } = dataOf(await call("run_with_orchestrator", more)) as unknown as Results;
	assert.equal(agentResults.length, 2);
	for (const wrong of [{ resume: "../x" }, { resume: "none" }, { resume: run, from: "nobody" }])
		assert.match(textOf(await call("run_with_orchestrator", wrong)), /"code": "AGENT_NOT_FOUND"/);
	assert.match(textOf(await call("run_with_orchestrator", {})), /"code": "INVALID_PROMPT"/);
});
