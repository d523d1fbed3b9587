import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { AgentEvent } from "../../../src/core/agent/agentEvent.ts";
import { createLiveTurns } from "../../../src/vscode/turn/turnRecord.ts";
import { startRealCli } from "../../acp/realCli.ts";
import type { ScriptedReply, SeenRequest } from "../../acp/scriptedModelServer.ts";
import { outcomes } from "../../orchestrator/runScripted.ts";
import { chainOf } from "../../orchestrator/scripted.ts";
import { openTemporary } from "../../sessions/temporarySessions.ts";
import { wholeFile } from "../../support/wholeFile.ts";
import { agent, cliEngine, makeScene, playChain } from "./realChain.ts";

/** What each agent does, one reply after the other, by a word of its persona. */
let scripts: Readonly<Record<string, ScriptedReply[]>> = {};

function reply({ whole }: SeenRequest): ScriptedReply {
	const persona = Object.keys(scripts).find((word) => whole.includes(`PERSONA-${word}`));
	return scripts[persona ?? ""]?.shift() ?? { text: [`${persona} is done.`] };
}

const cli = await startRealCli(wholeFile(), reply);
const THREE = { reader: agent("reader"), writer: agent("writer"), closer: agent("closer") };

async function open(t: TestContext, files: Parameters<typeof makeScene>[1] = THREE) {
	return { ...(await openTemporary(t)), scene: await makeScene(cli.work, files) };
}

/** The attempts at a step that had a session. */
const triesOf = (events: readonly AgentEvent[], step: string) =>
	events.flatMap((event) =>
		event.kind === "stepStarted" && event.step === step && event.session ? [event.attempt] : [],
	);

test("one that fails, one that is too slow at first, and one that a person stops leave a chain that goes on", async (t) => {
	const files = { ...THREE, stopped: agent("stopped"), slow: agent("slow", 'tools: ["view"]\n') };
	const { sessions, scene } = await open(t, files);
	const waits = (text: string) => [{ text: [text], wait: true }];
	scripts = { reader: [{ status: 400 }], slow: waits("Wait"), stopped: waits("Half"), closer: [] };
	const live = createLiveTurns();
	let session = "";
	const { engine } = cliEngine(cli, scene);
	const chain = chainOf(["reader", [{ id: "slow", agent: "slow", timeout: 2500 }], "stopped", "closer"]);
	const { report, events } = await playChain(engine, scene, chain, {
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
	assert.deepEqual(triesOf(events, "slow"), [1, 2]);
	assert.equal(live.stop(session), false, "nothing is left at work");
});

test("a file that changes after the plan is not run", async (t) => {
	const { sessions, scene } = await open(t);
	const before = cli.model.requests.length;
	const changed = { ...scene, agents: new Map(scene.agents) };
	const reader = scene.agents.get("reader");
	assert.ok(reader);
	changed.agents.set("reader", { ...reader, source: { ...reader.source, hash: "of another content" } });
	const { engine } = cliEngine(cli, scene);
	const { report } = await playChain(engine, changed, chainOf(["reader"]), { sessions });
	assert.match(report.results[0]?.output ?? "", /has changed since the chain was planned/);
	assert.equal(cli.model.requests.length, before);
});
