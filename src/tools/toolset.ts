import type { Lazy } from "../base/jobs/lazily.ts";
import type { Runner } from "../core/agent/agentEvent.ts";
import { type OurTool, ourTools } from "../core/agent/ourTools.ts";
import type { SkillPlace } from "../core/agent/skill.ts";
import type { RunnerWish, Tool, ToolContext, TurnHooks } from "../core/agent/tool.ts";
import type { AskUser } from "../core/agent/userQuestion.ts";
import type { FileProblem } from "../core/fileProblem.ts";
import type { KnowledgeGraph } from "../core/knowledge/graph.ts";
import type { Knowledge } from "../core/knowledge/knowledge.ts";
import type { Channel } from "../core/permission/permission.ts";
import type { PluginConsents } from "../core/plugin/plugin.ts";
import type { Orchestrator } from "../orchestrator/orchestrator.ts";
import { createEvaluateTool, createListAgentsTool } from "./agents/listAgents.ts";
import { createOrchestrateTool, createRunAgentTool } from "./agents/runAgents.ts";
import { createOntologyTool, createQueryTool, type IndexPlace } from "./knowledge/graphTools.ts";
import { createReadTool } from "./knowledge/readResource.ts";
import { createSearchTool } from "./knowledge/searchKnowledge.ts";
import { createRecallTool, createRememberTool, type MemoryPlace } from "./memory/memoryTools.ts";
import { createPluginTool } from "./plugins/plugin.ts";
import { createPluginHooks } from "./plugins/pluginHooks.ts";
import { createPluginTools, type PluginPlace, type PluginTools } from "./plugins/pluginTools.ts";
import { createAskTool, createAskUserTool } from "./questions/ask.ts";
import { skillTools } from "./skills/skillTools.ts";

interface ToolPlaces {
	readonly knowledge: Knowledge;
	readonly graph: KnowledgeGraph;
	/** Absent if the host shows the state of the index elsewhere. */
	readonly index?: IndexPlace;
	readonly memory?: MemoryPlace;
	/** Channel of the callers; policies may hide content from it. */
	readonly channel: Channel;
	openRunner?(context: ToolContext, wish?: RunnerWish): Promise<Runner>;
	/** Absent if each command is a separate tool or there are no plugins. */
	readonly plugins?: PluginPlace;
	/** Absent if the host supports skills itself. */
	readonly skills?: SkillPlace;
	/** Problems in files of plugins and skills; absent if the host shows them elsewhere. */
	problems?(signal: AbortSignal): Promise<readonly FileProblem[]>;
	readonly orchestrator?: Lazy<Orchestrator>;
	/** Absent if the user cannot be asked or the host has its own tool. If set, the tools serve one caller. */
	readonly askUser?: AskUser;
}

interface CommandPlaces extends ToolPlaces {
	readonly plugins: PluginPlace;
}

export function createCommandTools(deps: CommandPlaces): PluginTools {
	const { knowledge, graph, channel, openRunner, orchestrator, plugins, skills } = deps;
	const commands = createPluginTools(plugins, {
		sparql: createQueryTool(graph, channel),
		retrieval: createSearchTool(knowledge, channel),
		openRunner,
		orchestrator,
	});
	if (!skills) return commands;
	const list: PluginTools["list"] = async (signal, question) =>
		(await Promise.all([skillTools(skills, signal, question), commands.list(signal)])).flat();
	return { ...commands, list };
}

/**
 * Creates the hooks of plugins. `admit` decides on each call of their commands. There is no model, because a hook
 * that asks a model could trigger itself.
 */
export function createHooks(
	deps: CommandPlaces & { openRunner?: never; plugins: { consentStateOf: PluginConsents["consentStateOf"] } },
	admit: (tools: readonly Tool[], session: string | undefined) => readonly Tool[],
): TurnHooks {
	const { list } = createCommandTools(deps);
	return createPluginHooks(deps.plugins, async (session, signal) => admit(await list(signal), session));
}

/** Creates our tools for which all needed parts are given, in the order of the tool picker. */
export function createToolset(deps: ToolPlaces): readonly Tool[] {
	const { knowledge, graph, memory, channel, orchestrator, plugins, openRunner, askUser } = deps;
	const made: Readonly<Record<OurTool, Tool | undefined>> = {
		search_knowledge: createSearchTool(knowledge, channel),
		read_resource: createReadTool(knowledge, channel),
		query_graph: createQueryTool(graph, channel),
		describe_ontology: createOntologyTool(graph, channel, deps.index),
		recall_memory: memory && createRecallTool(memory, channel),
		remember: memory && createRememberTool(memory),
		run_with_orchestrator: orchestrator && createOrchestrateTool(orchestrator),
		run_agent: orchestrator && createRunAgentTool(orchestrator),
		list_agents: orchestrator && createListAgentsTool(orchestrator, deps.problems),
		evaluate_prompt: orchestrator && createEvaluateTool(orchestrator),
		plugin: plugins && createPluginTool(createCommandTools({ ...deps, plugins })),
		ask: openRunner && createAskTool(openRunner),
		ask_user: askUser && createAskUserTool(askUser),
	};
	return ourTools(() => true).flatMap((name) => made[name] ?? []);
}
