import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { untilIt } from "../support/untilIt.ts";
import { agentFile, codeOf, create, dataOf, MAY_RUN, makeScene } from "./agentScene.ts";
import { startMcp, textOf } from "./mcpProgram.ts";

const FILES = {
	".github/agents/reader.md": agentFile("reader", "tools: [view]\n"),
	".github/agents/checker.md": agentFile("checker", "tools: [view]\n"),
	".github/agents/closer.md": agentFile("closer", "tools: [view]\n"),
};
const NAMES = ["reader", "checker", "closer"];

interface Results {
	readonly run: string;
	readonly record: string;
	readonly agentResults: readonly {
		step: string;
		output: string;
		outcome: string;
		tokens: number;
		context: { previousAgent: string };
	}[];
}

for (const [index, at] of NAMES.entries())
	test(`a program that is killed while ${at} works keeps the ${index} steps before it`, async (t) => {
		const script = Object.fromEntries(NAMES.map((name) => [name, [] as object[]]));
		script[at] = [{ text: ["Half"], wait: true }];
		const { workspace, env, model } = await makeScene(t, {
			files: FILES,
			rules: MAY_RUN,
			script: script as never,
		});
		const first = await startMcp(t, { ...workspace, env });
		const asked = (name: string) =>
			model.requests.filter(({ whole }) => whole.includes(`PERSONA-${name}`)).length;
		const cut = first.call("run_with_orchestrator", {
			prompt: "Look after the lighthouse.",
			agentChain: NAMES,
		});
		cut.catch(() => undefined);
		await untilIt(
			async () => asked(at),
			(count) => count > 0,
		);
		process.kill(first.pid, "SIGKILL");
		await assert.rejects(cut);
		const before = NAMES.map(asked);
		const second = await startMcp(t, { ...workspace, env });
		const resumed = dataOf(
			await second.call("run_with_orchestrator", { resume: "last" }),
		) as unknown as Results;
		assert.deepEqual(
			resumed.agentResults.map(({ step, outcome, output }) => [step, outcome, output]),
			NAMES.map((name) => [name, "succeeded", `${name} is done.`]),
		);
		assert.deepEqual(
			NAMES.slice(0, index).map((name, position) => asked(name) - (before[position] ?? 0)),
			Array(index).fill(0),
			"what was finished does not run again",
		);
		assert.ok(resumed.agentResults.every(({ tokens }) => tokens > 0));
		assert.deepEqual(
			resumed.agentResults.map(({ context }) => context.previousAgent),
			["", "reader", "checker"],
		);
		const lines = (await readFile(resumed.record, "utf8"))
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line));
		const started = lines.find(({ kind, step }) => kind === "stepStarted" && step === "closer");
		assert.match(started.prompt, /Look after the lighthouse[\s\S]*checker is done\./);
	});

test("a step that may have changed something runs again only if the caller says so", async (t) => {
	const script = { writer: [{ text: ["Half"], wait: true }], reader: [] };
	const { workspace, env, model } = await makeScene(t, { rules: MAY_RUN, script });
	const first = await startMcp(t, { ...workspace, env });
	const chain = { prompt: "Look after the lighthouse.", agentChain: ["reader", "writer"] };
	const cut = first.call("run_with_orchestrator", chain);
	cut.catch(() => undefined);
	await untilIt(
		async () => model.requests.some(({ whole }) => whole.includes("PERSONA-writer")),
		(isAsked) => isAsked,
	);
	process.kill(first.pid, "SIGKILL");
	const { call } = await startMcp(t, { ...workspace, env });
	const refused = await call("run_with_orchestrator", { resume: "last" });
	assert.match(textOf(refused), /writer may already have changed files.*repeat: \[\\"writer\\"\]/);
	const { run } = dataOf(
		await call("run_with_orchestrator", { resume: "last", repeat: ["writer"] }),
	) as unknown as Results;
	const again = { resume: run, from: "writer", repeat: ["writer"] };
	assert.equal(
		(dataOf(await call("run_with_orchestrator", again)) as unknown as Results).agentResults.length,
		2,
	);
	for (const wrong of [{ resume: "../x" }, { resume: "none" }, { resume: run, from: "nobody" }])
		assert.equal(codeOf(await call("run_with_orchestrator", wrong)), "AGENT_NOT_FOUND");
	assert.equal(codeOf(await call("run_with_orchestrator", {})), "INVALID_PROMPT");
});

test("a step whose only change was refused says so", async (t) => {
	const { workspace, env } = await makeScene(t, { rules: MAY_RUN, script: { writer: [create("made.txt")] } });
	const { call } = await startMcp(t, { ...workspace, env });
	const ran = dataOf(
		await call("run_with_orchestrator", { prompt: "Write it down.", agentChain: ["writer"] }),
	);
	assert.match(String(ran["finalOutput"]), /Status: ✓ Success, but .*refused \(.*made\.txt/);
	assert.match(JSON.stringify(ran["agentResults"]), /"refused":\["[^"]*made\.txt/);
});
