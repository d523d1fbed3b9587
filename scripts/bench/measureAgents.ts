import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createAgentFiles } from "../../src/worker/agents/agentFiles.ts";
import type { AgentsMeasurement } from "./measurement.ts";
import { reportToParent } from "./program.ts";
import { latencyOf, timed } from "./timing.ts";

const COUNT = 200;
const ROUNDS = 20;

/** Finds, reads and checks files of agents, each time as in a process that has not seen them. */
async function measureAgents(): Promise<AgentsMeasurement> {
	const home = await mkdtemp(join(tmpdir(), "bench-"));
	const folder = join(home, ".github", "agents");
	await mkdir(folder, { recursive: true });
	for (let index = 0; index < COUNT; index++)
		await writeFile(join(folder, `a${index}.agent.md`), fileOf(index));
	const open = () =>
		createAgentFiles({
			folders: [{ uri: pathToFileURL(home).href, name: "home" }],
			homes: { copilot: join(home, "copilot"), person: join(home, "person") },
		});
	const never = new AbortController().signal;
	const first = await timed(() => open().registry(never));
	if (first.result.agents.length !== COUNT)
		throw new Error(`${first.result.agents.length} agents were found.`);
	const times: number[] = [];
	const again: number[] = [];
	for (let round = 0; round < ROUNDS; round++) {
		const files = open();
		times.push((await timed(() => files.registry(never))).ms);
		again.push((await timed(() => files.registry(never))).ms);
	}
	await rm(home, { recursive: true });
	return { count: COUNT, firstMs: first.ms, discover: latencyOf(times), again: latencyOf(again) };
}

function fileOf(index: number): string {
	return `---
name: a${index}
description: Looks after part ${index} of the code and says what is wrong with it
keywords: [part-${index}, review, quality]
tools:
  - read
  - search
handoffs:
  - agent: a${index + 1}
    label: Go on
    prompt: Go on with what was found.
---
${"You are careful, and say what you looked at.\n".repeat(40)}`;
}

await reportToParent(measureAgents());
