import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { hookedQuote } from "../../agent/loop/hookedTurn.ts";
import { Failure } from "../../base/failure.ts";
import type { Runner } from "../../core/agent/agentEvent.ts";
import type { RunnerWish, Tool, ToolContext } from "../../core/agent/tool.ts";
import type { TurnHooks } from "../../core/agent/turnHooks.ts";
import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import { createPassages } from "../../passages/passages.ts";
import type { ServerModel } from "./serverModel.ts";

interface OpenPorts {
	readonly client: () => Pick<Server, "createMessage" | "getClientCapabilities">;
	readonly knowledge: Knowledge;
	readonly folderNames: readonly string[];
	readonly hooks: TurnHooks;
	/** A model of a server, which answers whatever the client lends; absent where none is named. */
	readonly serverModel: ((signal: AbortSignal) => Promise<ServerModel>) | undefined;
	/** Ours with some commands, each call of which is decided on. */
	toolsWith(commands: readonly Tool[]): readonly Tool[];
}

/** The number of hits to quote from. */
const PASSAGES = 8;

const NO_MODEL =
	"This client lends no language model, and --model-endpoint names none. Go on without this command.";

/** Answers whole questions with a server's model if one is named, or the client's if it lends us one, else with passages. */
export function createOpenRunner(ports: OpenPorts) {
	const { client: clientNow, knowledge, hooks } = ports;
	const passages = createPassages({
		search: ({ question }, asked, signal) =>
			knowledge.search({ query: question, limit: PASSAGES, door: "mcp", ...asked }, signal),
	});
	return async (context: ToolContext, { commands = [], model }: RunnerWish = {}): Promise<Runner> => {
		if (ports.serverModel)
			return onServer(await ports.serverModel(context.signal), { ...ports, commands, context });
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

async function onServer(
	{ model, canCallTools }: ServerModel,
	{ commands, ...ports }: OpenPorts & { readonly commands: readonly Tool[]; readonly context: ToolContext },
): Promise<Runner> {
	const { createModelRunner } = await import("./samplingRunner.ts");
	return createModelRunner({ ...ports, model, tools: canCallTools ? ports.toolsWith(commands) : [] });
}
