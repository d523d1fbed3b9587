import type { Model } from "../../agent/ports.ts";
import { createTokenEstimate, LIKELY_TOKENS, shareWindow } from "../../models/tokenEstimate.ts";
import type { ModelChoice } from "../../protocol/worker.ts";
import { findServer } from "./findServer.ts";

export interface ServerModel {
	readonly model: Model;
	readonly canCallTools: boolean;
}

/** The model from the command line. Rejects if its server does not answer, or does not know it. */
export async function openServerModel(
	choice: ModelChoice,
	key: string | undefined,
	signal: AbortSignal,
): Promise<ServerModel> {
	const { server, model: offered } = await findServer(choice, key, signal);
	const { name, contextTokens = LIKELY_TOKENS, canCallTools = true } = await server.describe(offered, signal);
	const estimate = createTokenEstimate();
	const model: Model = {
		named: { model: name, provider: "openai-compatible" },
		maxInputTokens: shareWindow(contextTokens).maxInputTokens,
		countTokens: async (text) => estimate.of(text),
		respond: async function* (messages, tools, whileAnswering) {
			const texts = [...messages.map(({ text }) => text), ...tools.map((tool) => JSON.stringify(tool))];
			for await (const part of server.respond({ model: name, messages, tools }, whileAnswering))
				if (part.kind === "usage") estimate.learn(texts, part.inputTokens);
				else yield part;
		},
	};
	return { model, canCallTools };
}
