import type { Runner } from "../../core/agent/agentEvent.ts";
import type { Tool, ToolContext, TurnHooks } from "../../core/agent/tool.ts";
import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import type { Channel } from "../../core/permission/permission.ts";
import type { AgentPorts, Model } from "../ports.ts";
import { hooked } from "./middleware.ts";
import { runTurn, type TurnObserver, tracedBy } from "./runTurn.ts";
import { agentEngine } from "./tracedAgent.ts";

export interface ChannelCall {
	readonly knowledge: Knowledge;
	readonly channel: Channel;
	readonly tools: readonly Tool[];
	readonly context: ToolContext;
}

export interface ChannelParts extends ChannelCall {
	readonly model: Model;
	readonly folderNames: readonly string[];
	readonly hooks: TurnHooks;
	readonly maxRounds: number;
	readonly traces?: TurnObserver | undefined;
}

/** Agent loop for callers other than our chat. Searches once, after which the model answers or calls tools. */
export function createChannelRunner({
	knowledge,
	channel,
	tools,
	hooks,
	context,
	...parts
}: ChannelParts): Runner {
	const runTool: AgentPorts["runTool"] = async (call, signal) => {
		const tool = tools.find(({ name }) => name === call.name);
		if (!tool) throw new Error(`there is no tool ${call.name} here. Go on without it.`);
		return (await tool.run(call.input, { ...context, signal })).text;
	};
	const engine = agentEngine({
		...parts,
		tools,
		runTool,
		search: (query, signal) => knowledge.search({ ...query, channel }, signal),
		maxRounds: tools.length === 0 ? 1 : parts.maxRounds,
	});
	return runTurn(engine, [hooked(hooks), ...tracedBy("chat", parts.traces)]);
}
