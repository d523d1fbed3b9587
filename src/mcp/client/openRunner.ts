import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { hookedQuote } from "../../agent/loop/hookedTurn.ts";
import { Failure } from "../../base/failure.ts";
import type { Runner } from "../../core/agent/agentEvent.ts";
import type { RunnerWish, Tool, ToolContext } from "../../core/agent/tool.ts";
import type { TurnHooks } from "../../core/agent/turnHooks.ts";
import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import { createPassages } from "../../passages/passages.ts";

interface OpenPorts {
	readonly client: () => Pick<Server, "createMessage" | "getClientCapabilities">;
	readonly knowledge: Knowledge;
	readonly folderNames: readonly string[];
	readonly hooks: TurnHooks;
	/** Ours with some commands, each call of which is decided on. */
	toolsWith(commands: readonly Tool[]): readonly Tool[];
}

/** The number of hits to quote from. */
const PASSAGES = 8;

const NO_MODEL = "This client lends no language model. Go on without this command.";

/** Answers whole questions with the client's model if it lends us one, else with passages. */
export function createOpenRunner(ports: OpenPorts) {
	const { client: clientNow, knowledge, hooks } = ports;
	const passages = createPassages({
		search: ({ question }, signal) =>
			knowledge.search({ query: question, limit: PASSAGES, door: "mcp" }, signal),
		read: (query, signal) => knowledge.read({ ...query, door: "mcp" }, signal),
	});
	return async (context: ToolContext, { commands = [], model }: RunnerWish = {}): Promise<Runner> => {
		const client = clientNow();
		const { sampling } = client.getClientCapabilities() ?? {};
		if (!sampling && model !== undefined) throw new Failure("NO_MODEL", NO_MODEL);
		if (!sampling) return hookedQuote(hooks, passages);
		const { createSamplingRunner } = await import("./samplingRunner.ts");
		// A client says whether its model may be given tools.
		const tools = sampling.tools ? ports.toolsWith(commands) : [];
		return createSamplingRunner({ ...ports, client, tools, context, wanted: model });
	};
}
