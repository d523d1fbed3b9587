import type { Runner } from "../core/agent/agentEvent.ts";
import type { RunnerWish, Tool, ToolContext } from "../core/agent/tool.ts";
import type { TurnHooks } from "../core/agent/turnHooks.ts";
import type { AskUser } from "../core/agent/userQuestion.ts";
import type { KnowledgeGraph } from "../core/knowledge/graph.ts";
import type { Knowledge } from "../core/knowledge/knowledge.ts";
import type { Door } from "../core/permission/door.ts";
import type { PluginDefinition } from "../core/plugin/plugin.ts";
import type { Orchestrator } from "../orchestrator/orchestrator.ts";
import { createAskTool } from "./ask.ts";
import { createAskUserTool } from "./askUser.ts";
import { createOntologyTool } from "./describeOntology.ts";
import { createEvaluateTool } from "./evaluatePrompt.ts";
import { createListAgentsTool } from "./listAgents.ts";
import { createPluginTool } from "./plugin.ts";
import { createPluginHooks } from "./pluginHooks.ts";
import type { PluginPlace } from "./pluginPlace.ts";
import { createPluginTools, type PluginTools } from "./pluginTools.ts";
import { createQueryTool } from "./queryGraph.ts";
import { createReadTool } from "./readResource.ts";
import { createRecallTool, type MemoryPlace } from "./recallMemory.ts";
import { createRememberTool } from "./remember.ts";
import { createRunAgentTool } from "./runAgent.ts";
import { createOrchestrateTool } from "./runWithOrchestrator.ts";
import { createSearchTool } from "./searchKnowledge.ts";

/** What answers, and to whom. */
interface ToolPlaces {
	readonly knowledge: Knowledge;
	readonly graph: KnowledgeGraph;
	/** What is remembered across sessions; a door without it has no tools for it. */
	readonly memory?: MemoryPlace;
	/** By which door the callers come: policies may hide things from it. */
	readonly door: Door;
	/** Absent where there is no model to run an agent on. */
	openRunner?(context: ToolContext, wish?: RunnerWish): Promise<Runner>;
	/** Absent where each command is a tool of its own, or there are none. */
	readonly plugins?: PluginPlace;
	/** Absent where no agents of files can be run. */
	readonly orchestrator?: Omit<Orchestrator, "replan">;
	/** Absent where nobody can be asked, or the host has a way of its own. The tools are then those of one caller. */
	readonly askUser?: AskUser;
}

/** The commands of plugins, each as a tool of its own. */
export function createCommandTools(
	deps: Pick<ToolPlaces, "knowledge" | "graph" | "door" | "openRunner" | "orchestrator"> & {
		readonly plugins: PluginPlace;
	},
): PluginTools {
	const { knowledge, graph, door, openRunner, orchestrator, plugins } = deps;
	return createPluginTools(plugins, {
		query: createQueryTool(graph, door),
		search: createSearchTool(knowledge, door),
		...(openRunner && { openRunner }),
		...(orchestrator && { orchestrator }),
	});
}

/** What plugins run around turns and calls. `admit` decides on each call of their commands, in a session. */
export function createHooks(
	deps: Omit<Parameters<typeof createCommandTools>[0], "openRunner"> & {
		readonly plugins: { mayHook(plugin: PluginDefinition): Promise<boolean> };
	},
	admit: (tools: readonly Tool[], session: string | undefined) => readonly Tool[],
): TurnHooks {
	const { list } = createCommandTools(deps);
	return createPluginHooks({
		...deps.plugins,
		commands: async (session, signal) => admit(await list(signal), session),
	});
}

/** Every tool that we offer, in the order of the pickers. */
export function createToolset(deps: ToolPlaces): readonly Tool[] {
	const { plugins } = deps;
	return [
		createSearchTool(deps.knowledge, deps.door),
		createReadTool(deps.knowledge, deps.door),
		createQueryTool(deps.graph, deps.door),
		createOntologyTool(deps.graph, deps.door),
		...(deps.memory ? [createRecallTool(deps.memory, deps.door), createRememberTool(deps.memory)] : []),
		...(deps.orchestrator ? agentTools(deps.orchestrator) : []),
		...(plugins ? [createPluginTool(createCommandTools({ ...deps, plugins }))] : []),
		...(deps.openRunner ? [createAskTool(deps.openRunner)] : []),
		...(deps.askUser ? [createAskUserTool(deps.askUser)] : []),
	];
}

function agentTools(orchestrator: Omit<Orchestrator, "replan">): Tool[] {
	return [
		createOrchestrateTool(orchestrator),
		createRunAgentTool(orchestrator),
		createListAgentsTool(orchestrator),
		createEvaluateTool(orchestrator),
	];
}
