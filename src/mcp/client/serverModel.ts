import type { Model } from "../../agent/ports.ts";
import { Failure } from "../../base/failure.ts";
import { SECRET_VARIABLES } from "../../core/knowledge/secretVariables.ts";
import { settings } from "../../core/settings.ts";
import { createModelServer, type ModelServer, type OfferedModel } from "../../models/modelServer.ts";
import { placeOf, readServerAddress } from "../../models/serverAddress.ts";
import { createTokenEstimate, shareWindow } from "../../models/tokenEstimate.ts";
import { type FixSteps, ModelTrouble } from "../../models/troubleOf.ts";
import type { ModelChoice } from "../../protocol/worker.ts";
import type { McpRun } from "../arguments/mcpRun.ts";

export interface ServerModel {
	readonly model: Model;
	readonly canCallTools: boolean;
}

/** Assumed context window of a model whose server does not state the window; few such models are smaller. */
const USUAL_WINDOW = 32_768;

/** Opens a server's model. Rejects if the server does not respond or does not know the model. */
export async function openServerModel(
	{ args: { agents: limits = {} }, secrets }: McpRun,
	choice: ModelChoice,
	signal: AbortSignal,
): Promise<ServerModel> {
	const { answerTokens, answerTimeout: seconds } = { ...settings.parse({})["agents.limits"], ...limits };
	const { server, model: offered } = await findServer(choice, secrets.modelKey, signal);
	const described = await server.describe(offered, signal);
	const { name, contextTokens = USUAL_WINDOW, outputTokens = answerTokens, canCallTools = true } = described;
	const window = limits.modelWindow ?? contextTokens;
	const longest = Math.min(answerTokens, outputTokens);
	const { maxInputTokens, maxOutputTokens: tokens } = shareWindow(window, longest);
	const estimate = createTokenEstimate();
	const model: Model = {
		named: { model: name, ...placeOf(choice.endpoint) },
		maxInputTokens,
		countTokens: async (text) => estimate.of(text),
		respond: async function* (messages, tools, whileAnswering) {
			const texts = [...messages.map(({ text }) => text), ...tools.map((tool) => JSON.stringify(tool))];
			const request = { model: name, messages, tools, limits: { tokens, seconds } };
			for await (const part of server.respond(request, whileAnswering)) {
				if (part.kind === "usage") estimate.learn(texts, part.inputTokens);
				yield part;
			}
		},
	};
	return { model, canCallTools };
}

const ON_COMMAND_LINE: FixSteps = {
	address: "start the program with another --model-endpoint",
	key: `set the variable ${SECRET_VARIABLES.model}, and start the program again`,
	model: "start the program with another --model",
	limits: "start the program with a larger --agents-answer-tokens or --agents-answer-timeout",
};

async function findServer(
	{ endpoint, name }: ModelChoice,
	key: string | undefined,
	signal: AbortSignal,
): Promise<{ server: ModelServer; model: OfferedModel }> {
	const [address, other] = readServerAddress(endpoint);
	const server = createModelServer({ address, key, steps: ON_COMMAND_LINE });
	try {
		const models = await server.models(signal);
		const model = models.find((one) => one.name === name);
		if (models.length === 0 || model) return { server, model: model ?? { name } };
		const names = models.map((one) => one.name).join(", ");
		throw new Failure("BAD_INPUT", `${address.base} has no model "${name}". It has: ${names}.`);
	} catch (thrown) {
		// A server without a list of models may still know the model.
		if (!(thrown instanceof ModelTrouble) || thrown.kind !== "modelUnknown") throw thrown;
		return other ? findServer({ endpoint: other.base, name }, key, signal) : { server, model: { name } };
	}
}
