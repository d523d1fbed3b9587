import type { AgentDefinition } from "../../src/core/agent/chain.ts";
import { shareStaticEmbedder } from "../../src/embed/builtIn/staticEmbedder.ts";
import { createOrchestrator, type OrchestratorPorts } from "../../src/orchestrator/orchestrator.ts";
import type { Preference } from "../../src/orchestrator/plan/plan.ts";
import { createAgentFits } from "../../src/worker/agents/agentFits.ts";
import { type Act, agentNamed, LIMITS, scriptedRunner } from "./scripted.ts";

export const AGENTS: readonly AgentDefinition[] = [
	agentNamed("code-reviewer", { keywords: ["code-review", "security"] }),
	agentNamed("test-generator", { keywords: ["testing"] }),
	agentNamed("documentation-writer", { keywords: ["docs"] }),
];

export function scriptedOrchestrator(
	acts: Readonly<Record<string, Act>> = {},
	more: Partial<OrchestratorPorts> & {
		readonly agents?: () => Promise<readonly AgentDefinition[]>;
		readonly files?: Readonly<Record<string, string>>;
	} = {},
) {
	const { files = {}, agents = async () => AGENTS, ...ports } = more;
	const runner = scriptedRunner(acts);
	const preferences: Preference[] = [];
	const registry = async () => ({ agents: await agents(), problems: [] });
	const orchestrator = createOrchestrator({
		registry,
		fits: createAgentFits({ registry }, () => shareStaticEmbedder("media/model")).fits,
		findNames: async () => [],
		readChain: async (name) => files[name],
		runner: async () => runner,
		preferences: {
			all: () => [...preferences],
			keep: async (all) => void preferences.splice(0, preferences.length, ...all),
		},
		limits: () => LIMITS,
		timeout: () => 300_000,
		...ports,
	});
	return { orchestrator, runner };
}
