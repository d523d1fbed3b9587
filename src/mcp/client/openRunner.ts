import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Runner } from "../../core/agent/agentEvent.ts";
import type { ToolContext } from "../../core/agent/tool.ts";
import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import { createPassages } from "../../passages/passages.ts";

interface OpenPorts {
	readonly client: () => Pick<Server, "createMessage" | "getClientCapabilities">;
	readonly knowledge: Knowledge;
	readonly folderNames: readonly string[];
}

/** The number of hits to quote from. */
const PASSAGES = 8;

/** Answers whole questions with the client's model if it lends us one, else with passages. */
export function createOpenRunner({ client: clientNow, knowledge, folderNames }: OpenPorts) {
	const passages = createPassages({
		search: ({ question }, signal) =>
			knowledge.search({ query: question, limit: PASSAGES, door: "mcp" }, signal),
		read: (query, signal) => knowledge.read({ ...query, door: "mcp" }, signal),
	});
	return async (_context: ToolContext): Promise<Runner> => {
		const client = clientNow();
		if (!client.getClientCapabilities()?.sampling) return passages;
		const { createSamplingRunner } = await import("./samplingRunner.ts");
		return createSamplingRunner({ client, knowledge, folderNames });
	};
}
