import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { createCliSteps } from "../../../src/acp/turn/cliRunner.ts";
import { openStepPlace } from "../../../src/acp/turn/turnPlace.ts";
import type { AgentDefinition } from "../../../src/core/agent/chain.ts";
import { createLiveTurns } from "../../../src/vscode/turn/turnRecord.ts";
import { startRealCli } from "../../acp/realCli.ts";
import type { ScriptedReply, SeenRequest } from "../../acp/scriptedModelServer.ts";
import { outcomes } from "../../orchestrator/runScripted.ts";
import { agentNamed, chainOf } from "../../orchestrator/scripted.ts";
import { openTemporary } from "../../sessions/temporarySessions.ts";
import { createFakePermissions } from "../../support/fakePermissions.ts";
import { wholeFile } from "../../support/wholeFile.ts";
import { playChain } from "./playChain.ts";

/** What each agent does, one reply after the other, by a word of its persona. */
let scripts: Readonly<Record<string, ScriptedReply[]>> = {};

function reply({ whole }: SeenRequest): ScriptedReply {
	const persona = Object.keys(scripts).find((word) => whole.includes(`PERSONA-${word}`));
	return scripts[persona ?? ""]?.shift() ?? { text: [`${persona} is done.`] };
}

const cli = await startRealCli(wholeFile(), reply);

/** Agents whose files are in a folder of the CLI's. */
async function open(t: TestContext, names: readonly string[]) {
	const work = await mkdtemp(join(cli.work, "chain-"));
	const agents = new Map<string, AgentDefinition>();
	for (const name of names) {
		const persona = `You are PERSONA-${name}.`;
		const text = `---\nname: ${name}\ndescription: ${name}\n---\n${persona}`;
		const path = join(work, `${name}.md`);
		await writeFile(path, text);
		const hash = createHash("sha256").update(text).digest("hex");
		const source = { uri: pathToFileURL(path).href, level: "workspace", hash } as const;
		agents.set(name, agentNamed(name, { persona, source }));
	}
	const engine = createCliSteps({
		runnerDeps: async () => ({
			permissions: createFakePermissions(),
			askPerson: async () => ({ kind: "deny" }),
			...(cli.hooks && { hooks: cli.hooks }),
		}),
		whileAtWork: (_, run) => run,
		folders: () => [work],
		openStep: async () => openStepPlace(cli, { cwd: work, mcpServers: [], workspace: "" }),
	});
	return { ...(await openTemporary(t)), agents, engine };
}

test("one that fails, one that is too slow at first, and one that a person stops leave a chain that goes on", async (t) => {
	const { sessions, agents, engine } = await open(t, ["reader", "slow", "stopped", "closer"]);
	const waits = (text: string) => [{ text: [text], wait: true }];
	scripts = { reader: [{ status: 400 }], slow: waits("Wait"), stopped: waits("Half"), closer: [] };
	const live = createLiveTurns();
	let session = "";
	const chain = chainOf(["reader", [{ id: "slow", agent: "slow", timeout: 2500 }], "stopped", "closer"]);
	const { report, events } = await playChain(engine, agents, chain, {
		...{ sessions, live },
		watch: (event) => {
			if (event.step !== "stopped") return;
			if (event.kind === "stepStarted") session = event.session ?? "";
			if (event.kind === "text") live.stop(session);
		},
	});
	const became = ["reader failed", "slow succeeded", "stopped failed", "closer succeeded"];
	assert.deepEqual(outcomes(report), became);
	assert.match(report.results[0]?.output ?? "", /Scripted 400/);
	assert.match(report.results[2]?.output ?? "", /Half[\s\S]*You stopped this step/);
	const starts = events.filter((event) => event.kind === "stepStarted" && event.session);
	const tries = starts.filter(({ step }) => step === "slow");
	assert.partialDeepStrictEqual(tries, [{ attempt: 1 }, { attempt: 2 }]);
	assert.equal(live.stop(session), false, "nothing is left at work");
});

test("a file that changes after the plan is not run", async (t) => {
	const { sessions, agents, engine } = await open(t, ["reader"]);
	const before = cli.model.requests.length;
	const reader = agents.get("reader");
	assert.ok(reader);
	const source = { ...reader.source, hash: "of another content" };
	const changed = new Map([["reader", { ...reader, source }]]);
	const { report } = await playChain(engine, changed, chainOf(["reader"]), { sessions });
	assert.match(report.results[0]?.output ?? "", /has changed since the chain was planned/);
	assert.equal(cli.model.requests.length, before);
});
