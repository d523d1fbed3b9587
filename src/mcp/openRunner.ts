import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Runner } from "../core/agent/agentEvent.ts";
import type { ToolContext } from "../core/agent/tool.ts";
import { formatEvidence } from "../core/knowledge/evidence.ts";
import type { Knowledge } from "../core/knowledge/knowledge.ts";

interface OpenPorts {
	readonly client: () => Pick<Server, "createMessage" | "getClientCapabilities">;
	readonly knowledge: Knowledge;
	readonly folderNames: readonly string[];
}

/** Who answers a whole question: the model of the client where it lends us one, else nobody but the passages. */
export function createOpenRunner({ client: clientNow, knowledge, folderNames }: OpenPorts) {
	return async (_context: ToolContext): Promise<Runner> => {
		const client = clientNow();
		if (!client.getClientCapabilities()?.sampling) return quotePassages(knowledge);
		const { createSamplingRunner } = await import("./samplingRunner.ts");
		return createSamplingRunner({ client, knowledge, folderNames });
	};
}

const QUOTED = 5;

/** The best passages as they stand. */
function quotePassages(knowledge: Knowledge): Runner {
	return async function* quote({ question }, signal) {
		const { hits, notices } = await knowledge.search({ query: question, limit: QUOTED, door: "mcp" }, signal);
		const found = hits.map((hit) => formatEvidence(hit)).join("\n\n");
		yield { kind: "text", text: found || "No passage of this folder answers that." };
		yield {
			kind: "notice",
			text: "This client lends no model (sampling), so these are passages as they stand.",
		};
		for (const text of notices) yield { kind: "notice", text };
		yield { kind: "ended", reason: "done" };
	};
}
