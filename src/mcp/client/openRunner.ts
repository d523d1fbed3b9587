import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { hookedQuote } from "../../agent/loop/middleware.ts";
import { runTurn, tracedBy } from "../../agent/loop/runTurn.ts";
import { Failure } from "../../base/failure.ts";
import { once } from "../../base/jobs/lazily.ts";
import { untilAborted } from "../../base/jobs/untilAborted.ts";
import type { Runner } from "../../core/agent/agentEvent.ts";
import type { RunnerWish, Tool, ToolContext, TurnHooks } from "../../core/agent/tool.ts";
import { createPassages } from "../../passages/passages.ts";
import type { ModelChoice } from "../../protocol/worker.ts";
import type { McpRun } from "../arguments/mcpRun.ts";
import type { Places } from "../service/places.ts";
import type { ServerModel } from "./serverModel.ts";

/** Returns our tools, the given commands and the tools of skills. Each call needs permission. */
type ToolsWith = (commands: readonly Tool[], signal: AbortSignal) => Promise<readonly Tool[]>;

const PASSAGES = 8;

/** Milliseconds to wait for a model's server, which may have to start first. */
const OPENING_MS = 60_000;

const NO_MODEL =
	"This client provides no language model, and --model-endpoint is not set. Go on without this command.";

/** Opens runners with the model of the command line, or else the client's model, or else without a model. */
export function createOpenRunner(places: Places, hooks: TurnHooks, toolsWith: ToolsWith) {
	const { run, traces, service } = places;
	const { knowledge } = service;
	const choice = run.args.model;
	// The first question that needs the model of the command line opens the connection for all.
	const serverModel = choice && once(() => openModel(run, choice));
	const passages = createPassages({
		search: ({ question }, asked, signal) =>
			knowledge.search({ query: question, limit: PASSAGES, channel: "mcp", ...asked }, signal),
	});
	const folderNames = run.options.folders.map(({ name }) => name);
	const parts = { knowledge, folderNames, hooks, traces, channel: "mcp" } as const;
	return async (context: ToolContext, { commands = [], model: wanted }: RunnerWish = {}): Promise<Runner> => {
		const { signal } = context;
		const lent = await (serverModel
			? untilAborted(serverModel.get(), signal)
			: lentBy(places.client(), { wanted, limits: run.args.agents }));
		if (!lent && wanted !== undefined) throw new Failure("NO_MODEL", NO_MODEL);
		if (!lent) return runTurn(() => passages, [hookedQuote(hooks), ...tracedBy("quote", traces)]);
		const tools = lent.canCallTools ? await toolsWith(commands, signal) : [];
		const { createModelRunner } = await import("./samplingRunner.ts");
		return createModelRunner({ ...parts, model: lent.model, tools, context });
	};
}

async function lentBy(
	client: Server,
	asked: Parameters<typeof import("./samplingRunner.ts").createSamplingModel>[1],
): Promise<ServerModel | undefined> {
	const { sampling } = client.getClientCapabilities() ?? {};
	if (!sampling) return undefined;
	const { createSamplingModel } = await import("./samplingRunner.ts");
	return { model: createSamplingModel(client, asked), canCallTools: sampling.tools !== undefined };
}

async function openModel(run: McpRun, choice: ModelChoice) {
	const { openServerModel } = await import("./serverModel.ts");
	return openServerModel(run, choice, AbortSignal.timeout(OPENING_MS));
}
