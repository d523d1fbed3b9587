import type { ChatCompletionCreateParamsStreaming, ChatCompletionMessageParam } from "openai/resources";
import { wordList } from "../base/words/wordList.ts";
import { joinMessages, type Message } from "../core/agent/agentEvent.ts";
import type { ToolDeclaration } from "../core/agent/toolDeclaration.ts";
import { numberAt } from "./jsonPath.ts";

export interface ChatRequest {
	readonly model: string;
	readonly messages: readonly Message[];
	readonly tools: readonly ToolDeclaration[];
	readonly mustCall?: boolean;
	readonly limits?: AnswerLimits;
	/** Options in OpenAI's protocol: `temperature`, `max_tokens`, … */
	readonly options?: Readonly<Record<string, unknown>>;
}

export interface AnswerLimits {
	readonly tokens: number;
	/** Time limit in seconds from the request to the end of the answer, including retries. */
	readonly seconds: number;
}

/** Field for the output limit. OpenAI's reasoning models require the second name. */
export type LimitName = "max_tokens" | "max_completion_tokens";

export function bodyOf(
	request: ChatRequest,
	limit: { readonly name: LimitName; readonly tokens: number },
): ChatCompletionCreateParamsStreaming {
	const { model, messages, tools, mustCall = false, options = {} } = request;
	const functions = tools.map(({ name, description, inputSchema }) => ({
		type: "function" as const,
		function: { name, description, parameters: { ...inputSchema } },
	}));
	const wanted = ["max_completion_tokens", "max_tokens"].map(
		(name) => numberAt(options, name) ?? limit.tokens,
	);
	return {
		...Object.fromEntries(Object.entries(options).filter(([name]) => OPTIONS.has(name))),
		model,
		messages: joinMessages(messages).map(toChatMessage),
		...(functions.length > 0 && { tools: functions }),
		...(functions.length > 0 && mustCall && { tool_choice: "required" }),
		[limit.name]: Math.min(limit.tokens, ...wanted),
		stream: true,
		stream_options: { include_usage: true },
	};
}

const OPTIONS = new Set(
	wordList("temperature top_p stop seed frequency_penalty presence_penalty reasoning_effort"),
);

function toChatMessage(message: Message): ChatCompletionMessageParam {
	if (message.role === "tool") return { role: "tool", tool_call_id: message.callId, content: message.text };
	if (message.role === "system") return { role: "system", content: message.text };
	if (message.role === "user") return { role: "user", content: contentOf(message) };
	const { text, toolCalls } = message;
	if (toolCalls.length === 0) return { role: "assistant", content: text };
	const calls = toolCalls.map(({ id, name, input }) => ({
		id,
		type: "function" as const,
		function: { name, arguments: JSON.stringify(input ?? {}) },
	}));
	// An empty string, because some servers refuse `null`.
	return { role: "assistant", content: text, tool_calls: calls };
}

/** Sends plain text without images, because servers that lack images may not accept parts either. */
function contentOf({ text, images = [] }: Extract<Message, { role: "user" }>) {
	if (images.length === 0) return text;
	const seen = images.map(({ mimeType, data }) => ({
		type: "image_url" as const,
		image_url: { url: `data:${mimeType};base64,${data}` },
	}));
	return text ? [{ type: "text" as const, text }, ...seen] : seen;
}
