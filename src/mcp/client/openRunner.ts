import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { hookedQuote } from "../../agent/loop/middleware.ts";
import { runTurn, type TurnObserver, traced } from "../../agent/loop/runTurn.ts";
import { Failure } from "../../base/failure.ts";
import { once } from "../../base/jobs/lazily.ts";
import { untilAborted } from "../../base/jobs/untilAborted.ts";
import type { Runner } from "../../core/agent/agentEvent.ts";
import type { RunnerWish, Tool, ToolContext, TurnHooks } from "../../core/agent/tool.ts";
import type { Things } from "../../core/knowledge/graph.ts";
import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import { createPassages } from "../../passages/passages.ts";
import type { ServerModel, WantedModel } from "./serverModel.ts";

/** What whole questions are answered from. */
export interface AskedPorts {
	readonly client: () => Server;
	readonly knowledge: Knowledge;
	readonly things: Things;
	readonly folderNames: readonly string[];
	/** A server's model, which answers instead of the client's; absent if none is configured. */
	readonly serverModel: ((signal: AbortSignal) => Promise<ServerModel>) | undefined;
	readonly traces: TurnObserver | undefined;
}

interface OpenPorts extends AskedPorts {
	readonly hooks: TurnHooks;
	/** Ours with some commands and the skills, each call of which is decided on. */
	toolsWith(commands: readonly Tool[], signal: AbortSignal): Promise<readonly Tool[]>;
}

const PASSAGES = 8;

/** A server may first have to start. */
const OPENING_MS = 60_000;

const NO_MODEL =
	"This client lends no language model, and --model-endpoint names none. Go on without this command.";

/** Opened by the first question that wants it; all who wait share that. */
export function serverModelOf(wanted: WantedModel) {
	const opened = once(async () => {
		const { openServerModel } = await import("./serverModel.ts");
		return openServerModel(wanted, AbortSignal.timeout(OPENING_MS));
	});
	return (signal: AbortSignal) => untilAborted(opened.get(), signal);
}

/** Answers whole questions with a server's model if one is named, or the client's if it lends us one, else with passages. */
export function createOpenRunner(ports: OpenPorts) {
	const { client: clientNow, knowledge, hooks } = ports;
	const passages = createPassages({
		search: ({ question }, asked, signal) =>
			knowledge.search({ query: question, limit: PASSAGES, door: "mcp", ...asked }, signal),
	});
	const measured = ports.traces ? [traced("quote", ports.traces)] : [];
	return async (context: ToolContext, { commands = [], model }: RunnerWish = {}): Promise<Runner> => {
		if (ports.serverModel)
			return onServer(await ports.serverModel(context.signal), { ...ports, commands, context });
		const client = clientNow();
		const { sampling } = client.getClientCapabilities() ?? {};
		if (!sampling && model !== undefined) throw new Failure("NO_MODEL", NO_MODEL);
		if (!sampling) return runTurn(() => passages, [hookedQuote(hooks), ...measured]);
		const { createSamplingRunner } = await import("./samplingRunner.ts");
		// A client says whether its model may be given tools.
		const tools = sampling.tools ? await ports.toolsWith(commands, context.signal) : [];
		return createSamplingRunner({ ...ports, client, tools, context, wanted: model });
	};
}

async function onServer(
	{ model, canCallTools }: ServerModel,
	{ commands, ...ports }: OpenPorts & { readonly commands: readonly Tool[]; readonly context: ToolContext },
): Promise<Runner> {
	const { createModelRunner } = await import("./samplingRunner.ts");
	const tools = canCallTools ? await ports.toolsWith(commands, ports.context.signal) : [];
	return createModelRunner({ ...ports, model, tools });
}
