import * as vscode from "vscode";
import type { Image, Message, ToolCall } from "../../core/agent/message.ts";

/** What any chat asks of a model, as our messages: the results of tools first, because they answer what came before. */
export function fromChat(messages: readonly vscode.LanguageModelChatRequestMessage[]): Message[] {
	return messages.flatMap(({ role, content }) => {
		if (role === vscode.LanguageModelChatMessageRole.Assistant) return [answerOf(content)];
		const results = content.filter((part) => part instanceof vscode.LanguageModelToolResultPart);
		const text = textOf(content);
		const images = imagesIn([...content, ...results.flatMap((result) => result.content)]);
		return [...results.map(toResult), ...(text || images.length > 0 ? [spoken(role, text, images)] : [])];
	});
}

/** VS Code has instructions for its own chat, in a role that its API does not name. */
function spoken(role: number, text: string, images: readonly Image[]): Message {
	const isUsers = role === vscode.LanguageModelChatMessageRole.User;
	return isUsers ? { role: "user", text, images } : { role: "system", text };
}

function answerOf(content: readonly unknown[]): Message {
	const toolCalls = content
		.filter((part) => part instanceof vscode.LanguageModelToolCallPart)
		.map(({ callId, name, input }): ToolCall => ({ id: callId, name, input }));
	return { role: "assistant", text: textOf(content), toolCalls };
}

function toResult({ callId, content }: vscode.LanguageModelToolResultPart): Message {
	return { role: "tool", callId, text: textOf(content) };
}

export function textOf(content: readonly unknown[]): string {
	return content.map(wordsOf).join("");
}

function wordsOf(part: unknown): string {
	if (part instanceof vscode.LanguageModelTextPart) return part.value;
	if (part instanceof vscode.LanguageModelPromptTsxPart) return JSON.stringify(part.value);
	if (part instanceof vscode.LanguageModelDataPart && /^text\/|^application\/json$/.test(part.mimeType))
		return new TextDecoder().decode(part.data);
	return "";
}

function imagesIn(content: readonly unknown[]): Image[] {
	return content
		.filter((part) => part instanceof vscode.LanguageModelDataPart)
		.filter(({ mimeType }) => mimeType.startsWith("image/"))
		.map(({ mimeType, data }) => ({ mimeType, data: Buffer.from(data).toString("base64") }));
}
