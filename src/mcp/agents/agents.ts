import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { hookedStep } from "../../agent/loop/hookedTurn.ts";
import { isMissing } from "../../base/files/fileError.ts";
import type { AgentFiles } from "../../core/agent/agentDefinition.ts";
import { onlyRead } from "../../core/agent/allowedTools.ts";
import type { ChainLimits } from "../../core/agent/chain.ts";
import { requestOf, type StepEngine } from "../../core/agent/stepEngine.ts";
import type { StepRunner } from "../../core/agent/stepRunner.ts";
import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import { settings } from "../../core/settings.ts";
import { findNamesBy } from "../../orchestrator/evaluate/findNames.ts";
import { createOrchestrator, type Orchestrator } from "../../orchestrator/orchestrator.ts";
import { CHAINS_FOLDER } from "../../orchestrator/plan/chainFile.ts";
import { systemClock } from "../../orchestrator/run/clock.ts";
import type { AgentLimits } from "../../protocol/mcpArguments.ts";
import { type CliParts, createCli } from "./cli.ts";

export interface AgentParts extends Omit<CliParts, "folders" | "workspace"> {
	readonly agents: AgentFiles;
	readonly knowledge: Pick<Knowledge, "search">;
	/** `file:` URIs. */
	readonly folders: readonly [string, ...string[]];
	/** What the command line says of limits; the settings' defaults where it says nothing. */
	readonly limits: AgentLimits | undefined;
}

/** What plans and runs chains of agents here. */
interface Agents {
	readonly orchestrator: Orchestrator;
	close(): Promise<void>;
}

/** Runs agents on the Copilot CLI, without an editor. The first step starts the CLI. */
export function createAgents({ agents, knowledge, folders, limits: wanted, ...parts }: AgentParts): Agents {
	const [workspace, ...more] = folders;
	const paths = [fileURLToPath(workspace), ...more.map((folder) => fileURLToPath(folder))] as const;
	const cli = createCli({ ...parts, workspace: () => workspace, folders: paths });
	const defaults = settings.parse({});
	const { maxTokens = defaults["agents.maxTokens"], maxMinutes = defaults["agents.maxMinutes"] } =
		wanted ?? {};
	const { stepTimeout = defaults["agents.stepTimeout"] } = wanted ?? {};
	const limits: ChainLimits = {
		depth: defaults["agents.maxDepth"],
		tokens: maxTokens,
		time: maxMinutes * 60_000,
		concurrency: defaults["agents.concurrency"],
	};
	const orchestrator = createOrchestrator({
		agents: async (signal) => (await agents.registry(signal)).agents,
		likeness: agents.likeness,
		findNames: findNamesBy(knowledge, "mcp"),
		readChain: (name) => readChain(folders, name),
		mayChange,
		runner: async () => {
			await cli.requireThere();
			return runnerOn(cli.steps, { chain: randomUUID(), turnHooks: parts.turnHooks });
		},
		clock: systemClock,
		random: Math.random,
		limits: () => limits,
		timeout: () => stepTimeout * 1000,
	});
	return { orchestrator, close: cli.close };
}

const mayChange: StepRunner["mayChange"] = (_, tools) => !onlyRead(tools);

function runnerOn(
	engine: StepEngine,
	{ chain, turnHooks }: Pick<AgentParts, "turnHooks"> & { readonly chain: string },
): StepRunner {
	return {
		mayChange,
		run: async function* (request, signal) {
			const { agent, attempt } = request;
			const step = { session: randomUUID(), chain, request };
			yield { kind: "stepStarted", agent: agent.name, session: step.session, attempt };
			yield* hookedStep(turnHooks, chain, engine.runnerFor(step))(requestOf(step), signal);
		},
	};
}

/** Of the first folder that has it. */
async function readChain(folders: readonly string[], name: string): Promise<string | undefined> {
	for (const folder of folders) {
		try {
			return await readFile(join(fileURLToPath(folder), CHAINS_FOLDER, `${name}.yaml`), "utf8");
		} catch (thrown) {
			if (!isMissing(thrown)) throw thrown;
		}
	}
	return undefined;
}
