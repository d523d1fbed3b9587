import { MARK } from "../../acp/link/processTree.ts";
import { once } from "../../base/jobs/once.ts";
import type { Tool } from "../../core/agent/tool.ts";
import type { TurnHooks } from "../../core/agent/turnHooks.ts";
import type { Permissions } from "../../core/permission/permission.ts";
import { lazyOrchestrator } from "../../orchestrator/lazyOrchestrator.ts";
import type { Orchestrator } from "../../orchestrator/orchestrator.ts";
import type { AskPerson } from "../../permissions/decide.ts";
import type { AgentLimits } from "../../protocol/mcpArguments.ts";
import type { WorkerOptions } from "../../protocol/worker.ts";
import { createCommandTools, createToolset } from "../../tools/toolset.ts";
import type { KnowledgeService } from "../service/knowledgeService.ts";

interface AgentsDeps extends Pick<KnowledgeService, "knowledge" | "graph" | "agents"> {
	readonly plugins: Parameters<typeof createCommandTools>[0]["plugins"];
	readonly options: Pick<WorkerOptions, "folders">;
	readonly limits: AgentLimits | undefined;
	readonly version: string;
	readonly permissions: Permissions;
	readonly ask: AskPerson;
	readonly turnHooks: TurnHooks;
	/** Of the CLI, without our secrets: what it runs sees all of it. */
	readonly env: NodeJS.ProcessEnv;
	readonly onError: (message: string) => void;
}

/** Chains of agents for this program; the first call loads what they need. */
export function lazyAgents({ options, plugins, ...deps }: AgentsDeps): {
	readonly orchestrator?: Omit<Orchestrator, "replan">;
	close(): Promise<void>;
} {
	const [first, ...more] = options.folders.map(({ uri }) => uri);
	// Within a CLI of ours, agents are started over its endpoint, which knows how deep it is.
	if (first === undefined || process.env[MARK] !== undefined) return { close: async () => undefined };
	const agents = once(async () => {
		const { createAgents } = await import("./agents.ts");
		const commands = () => createCommandTools({ ...deps, plugins, door: "mcp", orchestrator }).list;
		return createAgents({ ...deps, folders: [first, ...more], tools, commands });
	});
	const orchestrator = lazyOrchestrator(async () => (await agents.get()).orchestrator);
	// Whatever a step finds goes to our client: it sees what this door may see.
	const tools = () => createToolset({ ...deps, door: "mcp", orchestrator });
	return {
		orchestrator,
		close: async () => (await agents.peek()?.catch(() => undefined))?.close(),
	};
}

const ADVICE =
	"Steps run on the GitHub Copilot CLI. What would be asked, this call included, is refused unless a rule of the user allows it or this client asks its user (elicitation).";

/** Says what callers must know of tools that run agents here. */
export function withAdvice(tool: Tool): Tool {
	const runsAgents = tool.name === "run_agent" || tool.name === "run_with_orchestrator";
	return runsAgents ? { ...tool, description: `${tool.description} ${ADVICE}` } : tool;
}
