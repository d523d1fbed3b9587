import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Model } from "../../agent/ports.ts";
import { Failure, messageOf } from "../../base/failure.ts";
import { CHARACTERS_PER_TOKEN } from "../../base/text/tokenEstimate.ts";
import { joinMessages } from "../../core/agent/joinMessages.ts";
import type { Message } from "../../core/agent/message.ts";

/** A client does not say how much its model can read; every current model can read this much. */
const INPUT_TOKENS = 16_000;
const ANSWER_TOKENS = 2_000;
/** The client may first ask its user whether its model may answer. */
const PATIENCE_MS = 10 * 60_000;

/** The client's model, which answers in one piece and calls no tools. */
export function createSamplingModel(client: Pick<Server, "createMessage">): Model {
	return {
		maxInputTokens: INPUT_TOKENS,
		countTokens: async (text) => Math.ceil(text.length / CHARACTERS_PER_TOKEN),
		respond: async function* (messages, _tools, signal) {
			const { content } = await sample(client, messages, signal);
			for (const part of [content].flat()) if (part.type === "text") yield { kind: "text", text: part.text };
		},
	};
}

async function sample(
	client: Pick<Server, "createMessage">,
	messages: readonly Message[],
	signal: AbortSignal,
) {
	const systemPrompt = messages.flatMap((one) => (one.role === "system" ? [one.text] : [])).join("\n\n");
	const spoken = joinMessages(messages).flatMap(({ role, text }) =>
		role === "user" || role === "assistant" ? [{ role, content: { type: "text", text } } as const] : [],
	);
	try {
		return await client.createMessage(
			{ systemPrompt, messages: spoken, maxTokens: ANSWER_TOKENS, includeContext: "none" },
			{ signal, timeout: PATIENCE_MS },
		);
	} catch (thrown) {
		signal.throwIfAborted();
		// By its name: the client is of another bundle, with its own copy of the class.
		if (!(thrown instanceof Error && thrown.name === "McpError")) throw thrown;
		const words = `The client did not let its model answer (${messageOf(thrown)}). search_knowledge finds passages without one.`;
		throw new Failure("MODEL_FAILED", words, { cause: thrown });
	}
}
