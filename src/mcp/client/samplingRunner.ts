import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { createAgent } from "../../agent/loop/agentLoop.ts";
import type { Runner } from "../../core/agent/agentEvent.ts";
import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import { createSamplingModel } from "./samplingModel.ts";

interface SamplingPorts {
	readonly client: Pick<Server, "createMessage">;
	readonly knowledge: Knowledge;
	readonly folderNames: readonly string[];
}

/** The agent loop on the client's model: it searches once, and the model answers from the hits. */
export function createSamplingRunner({ client, knowledge, folderNames }: SamplingPorts): Runner {
	return createAgent({
		model: createSamplingModel(client),
		tools: [],
		runTool: () => Promise.reject(new Error("There are no tools.")),
		search: (query, signal) => knowledge.search({ ...query, door: "mcp" }, signal),
		folderNames,
		maxRounds: 1,
	});
}
