import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { createAgent } from "../../agent/loop/agentLoop.ts";
import { hookedTurn } from "../../agent/loop/hookedTurn.ts";
import type { AgentPorts } from "../../agent/ports.ts";
import type { Runner } from "../../core/agent/agentEvent.ts";
import type { Tool, ToolContext } from "../../core/agent/tool.ts";
import type { TurnHooks } from "../../core/agent/turnHooks.ts";
import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import { createSamplingModel } from "./samplingModel.ts";

interface SamplingPorts {
	readonly client: Pick<Server, "createMessage">;
	readonly knowledge: Knowledge;
	readonly folderNames: readonly string[];
	/** What the model may call, each call of which is decided on; none where the client's model can call none. */
	readonly tools: readonly Tool[];
	readonly hooks: TurnHooks;
	/** What the tools are called in. */
	readonly context: ToolContext;
	/** The model that is wanted. */
	readonly model?: string | undefined;
}

/** Requests with tools; the client's person may be asked about each. */
const ROUNDS = 6;

/** The agent loop on the client's model: it searches once, and the model answers from the hits or calls tools. */
export function createSamplingRunner(ports: SamplingPorts): Runner {
	const { client, knowledge, folderNames, tools, hooks, context } = ports;
	const runTool: AgentPorts["runTool"] = async (call, signal) => {
		const tool = tools.find(({ name }) => name === call.name);
		if (!tool) throw new Error(`there is no tool ${call.name} here. Go on without it.`);
		return (await tool.run(call.input, { ...context, signal })).text;
	};
	return hookedTurn(hooks, (around) =>
		createAgent({
			model: createSamplingModel(client, ports.model),
			tools,
			runTool: around(runTool),
			search: (query, signal) => knowledge.search({ ...query, door: "mcp" }, signal),
			folderNames,
			maxRounds: tools.length === 0 ? 1 : ROUNDS,
		}),
	);
}
