import type { Model } from "../../agent/ports.ts";
import { settings } from "../../core/settings.ts";
import { placeOf } from "../../models/serverAddress.ts";
import { createTokenEstimate, shareWindow } from "../../models/tokenEstimate.ts";
import type { ModelChoice } from "../../protocol/worker.ts";
import type { McpRun } from "../arguments/mcpRun.ts";
import { findServer } from "./findServer.ts";

export interface ServerModel {
	readonly model: Model;
	readonly canCallTools: boolean;
}

/** Tokens of a model whose server does not state its window; those that state none are seldom small. */
const USUAL_WINDOW = 32_768;

/** Rejects if the server does not answer, or does not know the model. */
export async function openServerModel(
	{ args: { agents: limits = {} }, secrets }: McpRun,
	choice: ModelChoice,
	signal: AbortSignal,
): Promise<ServerModel> {
	const usual = settings.parse({})["agents.limits"];
	const { answerTokens = usual.answerTokens, answerTimeout: seconds = usual.answerTimeout } = limits;
	const { server, model: offered } = await findServer(choice, secrets.modelKey, signal);
	const {
		name,
		contextTokens = USUAL_WINDOW,
		outputTokens = answerTokens,
		canCallTools = true,
	} = await server.describe(offered, signal);
	const { maxInputTokens, maxOutputTokens: tokens } = shareWindow(
		limits.modelWindow ?? contextTokens,
		Math.min(answerTokens, outputTokens),
	);
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
