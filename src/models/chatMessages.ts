import type {
	ChatCompletionContentPart,
	ChatCompletionMessageParam,
	ChatCompletionTool,
} from "openai/resources";
import { joinMessages } from "../core/agent/joinMessages.ts";
import type { Message } from "../core/agent/message.ts";
import type { ToolDeclaration } from "../core/agent/tool.ts";

/** In OpenAI's form. */
export function toChatMessages(messages: readonly Message[]): ChatCompletionMessageParam[] {
	return joinMessages(messages).map(toChatMessage);
}

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
	// Some servers refuse `null` here.
	return { role: "assistant", content: text, tool_calls: calls };
}

/** Plain text if possible: servers without images do not understand parts either. */
function contentOf({
	text,
	images = [],
}: Extract<Message, { role: "user" }>): string | ChatCompletionContentPart[] {
	if (images.length === 0) return text;
	const seen = images.map(({ mimeType, data }) => ({
		type: "image_url" as const,
		image_url: { url: `data:${mimeType};base64,${data}` },
	}));
	return text ? [{ type: "text", text }, ...seen] : seen;
}

export function toChatTool({ name, description, inputSchema }: ToolDeclaration): ChatCompletionTool {
	return { type: "function", function: { name, description, parameters: { ...inputSchema } } };
}
