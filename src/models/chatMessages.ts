import type {
	ChatCompletionContentPart,
	ChatCompletionMessageParam,
	ChatCompletionTool,
} from "openai/resources";
import type { Message } from "../core/agent/message.ts";
import type { ToolDeclaration } from "../core/agent/tool.ts";

/** In OpenAI's form. Messages of one role that follow each other become one: the templates of many models want turns. */
export function toChatMessages(messages: readonly Message[]): ChatCompletionMessageParam[] {
	return joined(messages).map(toChatMessage);
}

function joined(messages: readonly Message[]): Message[] {
	const all: Message[] = [];
	for (const message of messages) {
		const last = all.at(-1);
		if (message.role === "user" && last?.role === "user") {
			const images = [...(last.images ?? []), ...(message.images ?? [])];
			all[all.length - 1] = { role: "user", text: `${last.text}\n\n${message.text}`, images };
		} else if (message.role === "system" && last?.role === "system")
			all[all.length - 1] = { role: "system", text: `${last.text}\n\n${message.text}` };
		else all.push(message);
	}
	return all;
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
	return { role: "assistant", content: text || null, tool_calls: calls };
}

/** Plain where it can be: servers that know no images know no parts either. */
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
