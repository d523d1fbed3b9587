import type { Model } from "../../src/agent/ports.ts";
import type { Message, ModelPart, ToolCall } from "../../src/core/agent/agentEvent.ts";
import type { ToolDeclaration } from "../../src/core/agent/toolDeclaration.ts";

export type Reply = readonly (string | ToolCall | ModelPart)[] | Error;

/** A language model with scripted replies that records its requests. It replaces the cloud, which tests cannot reach. */
export function fakeModel(
	replies: readonly Reply[],
	maxInputTokens = 20_000,
): Model & { readonly requests: { messages: readonly Message[]; tools: readonly ToolDeclaration[] }[] } {
	const requests: { messages: readonly Message[]; tools: readonly ToolDeclaration[] }[] = [];
	return {
		requests,
		maxInputTokens,
		countTokens: async (text) => Math.ceil(text.length / 4),
		respond: async function* (messages, tools): AsyncGenerator<ModelPart> {
			const reply = replies[requests.length] ?? ["(nothing left to say)"];
			requests.push({ messages, tools });
			if (reply instanceof Error) throw reply;
			for (const part of reply) yield toPart(part);
		},
	};
}

function toPart(part: string | ToolCall | ModelPart): ModelPart {
	if (typeof part === "string") return { kind: "text", text: part };
	return "kind" in part ? part : { kind: "toolCall", call: part };
}
