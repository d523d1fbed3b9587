import type { ActingAgent } from "../../core/agent/agentEvent.ts";
import { mayUse } from "../../core/agent/allowedTools.ts";
import type { SearchResult } from "../../core/knowledge/knowledge.ts";
import type { AgentPorts } from "../ports.ts";

const NOT_SEARCHED: SearchResult = { hits: [], total: 0, truncated: false, notices: [] };

/** What an agent gets of the ports: no more than its tools reach, also before it calls one. */
export function actingPorts(ports: AgentPorts, agent: ActingAgent | undefined): AgentPorts {
	if (!agent) return ports;
	const may = (name: string) => mayUse(agent.tools, name);
	const { recall, search, readInstructions, ...others } = ports;
	const tools = ports.tools.filter(({ name }) => may(name));
	return {
		...others,
		tools,
		// A host may have tools that were not offered, and a model may know their names.
		runTool: async (call, signal) => {
			if (tools.some(({ name }) => name === call.name)) return ports.runTool(call, signal);
			throw new Error(`there is no tool ${call.name} here. Go on without it.`);
		},
		search: may("search_knowledge") ? search : async () => NOT_SEARCHED,
		...(recall && may("recall_memory") && { recall }),
		readInstructions: async (files) => {
			const { texts, notices } = (await readInstructions?.(files)) ?? { texts: [], notices: [] };
			const persona = { name: `the file of the agent ${agent.name}`, text: agent.persona };
			return { texts: agent.persona.trim() === "" ? texts : [persona, ...texts], notices };
		},
	};
}
