import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseDocument } from "yaml";
import { openStaticEmbedder } from "../../src/embed/builtIn/staticEmbedder.ts";
import { splitFrontMatter } from "../../src/loads/frontMatter.ts";
import { evaluate } from "../../src/orchestrator/evaluate/evaluate.ts";
import { selectAgents } from "../../src/orchestrator/select/selectAgents.ts";
import { createAgentFiles } from "../../src/worker/agents/agentFiles.ts";
import { createAgentFits } from "../../src/worker/agents/agentFits.ts";
import type { AgentsMeasurement } from "./measurement.ts";
import { measureSteps } from "./measureSteps.ts";
import { reportToParent } from "./program.ts";
import { latencyOf, timed, timeEach } from "./timing.ts";

const COUNT = 200;
const ROUNDS = 20;

const never = new AbortController().signal;

/** Finds, reads and checks agent files, each time as in a new process; then selects agents for prompts. */
async function measureAgents(): Promise<AgentsMeasurement> {
	const home = await mkdtemp(join(tmpdir(), "bench-"));
	try {
		await writeAgents(home);
		return {
			count: COUNT,
			...(await measureDiscovery(home)),
			...(await measureChoice(home)),
			step: await measureSteps(home, await agentsIn(home)),
		};
	} finally {
		await rm(home, { recursive: true, force: true, maxRetries: 5 });
	}
}

async function measureDiscovery(home: string) {
	const first = await timed(() => agentsIn(home));
	const times: number[] = [];
	const again: number[] = [];
	const floor: number[] = [];
	for (let round = 0; round < ROUNDS; round++) {
		const files = openFiles(home);
		floor.push((await timed(() => onlyParse(home))).ms);
		times.push((await timed(() => files.registry(never))).ms);
		again.push((await timed(() => files.registry(never))).ms);
	}
	return {
		firstMs: first.ms,
		discover: latencyOf(times),
		again: latencyOf(again),
		floor: latencyOf(floor),
	};
}

/** The minimum for any reader of such files: reads the files and parses their YAML. */
async function onlyParse(home: string): Promise<void> {
	const folder = join(home, ".github", "agents");
	for (const name of await readdir(folder)) {
		const { head = "" } = splitFrontMatter(await readFile(join(folder, name), "utf8")) ?? {};
		if (parseDocument(head).errors.length > 0) throw new Error(`${name} is no front matter.`);
	}
}

async function measureChoice(home: string) {
	const agents = await agentsIn(home);
	const prompts = Array.from({ length: 100 }, (_, index) => promptOf(index));
	const registry = async () => ({ agents, problems: [] });
	const { fits } = createAgentFits({ registry }, () => openStaticEmbedder("media/model"));
	const evaluateOne = (prompt: string) => evaluate(prompt);
	const selectOne = async (prompt: string) => {
		const { ranked, chosen } = selectAgents(await fits([prompt], never), agents);
		if (ranked.length !== COUNT || chosen.length === 0) throw new Error("Not all agents were considered.");
	};
	return { evaluate: await timeEach(prompts, evaluateOne), select: await timeEach(prompts, selectOne) };
}

function openFiles(home: string) {
	return createAgentFiles({
		folders: [{ uri: pathToFileURL(home).href, name: "home" }],
		homes: { copilot: join(home, "copilot"), person: join(home, "person") },
	});
}

async function agentsIn(home: string) {
	const { agents, problems } = await openFiles(home).registry(never);
	if (agents.length !== COUNT)
		throw new Error(`${agents.length} agents were found, with ${problems.length} problems.`);
	return agents;
}

async function writeAgents(home: string): Promise<void> {
	const folder = join(home, ".github", "agents");
	await mkdir(folder, { recursive: true });
	for (let index = 0; index < COUNT; index++)
		await writeFile(join(folder, `a${index}.agent.md`), fileOf(index));
}

function promptOf(index: number): string {
	return `Review part ${index} of src/part-${index}.ts for security, mend what is wrong with it, and add tests for the ${index} cases that nobody has looked at, without changing how it is called.`;
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
