import * as vscode from "vscode";
import type { Model } from "../../agent/ports.ts";
import type { Message, ModelPart } from "../../core/agent/message.ts";
import type { ToolDeclaration } from "../../core/agent/tool.ts";
import { untilAborted, withToken } from "../cancellation.ts";

const JUSTIFICATION = "To answer your question from the knowledge base of this workspace.";

/** A language model of VS Code as the loop wants it. A person who is asked whether it may be used reads the justification. */
export function toModel(model: vscode.LanguageModelChat, justification = JUSTIFICATION): Model {
	return {
		maxInputTokens: model.maxInputTokens,
		countTokens: (text, signal) => withToken(signal, (token) => model.countTokens(text, token)),
		respond: (messages, tools, signal) => respond(model, { messages, tools, justification }, signal),
	};
}

async function* respond(
	model: vscode.LanguageModelChat,
	prompt: {
		readonly messages: readonly Message[];
		readonly tools: readonly ToolDeclaration[];
		readonly justification: string;
	},
	signal: AbortSignal,
): AsyncGenerator<ModelPart> {
	const source = new vscode.CancellationTokenSource();
	const cancel = () => source.cancel();
	signal.addEventListener("abort", cancel);
	try {
		const options = { justification: prompt.justification, tools: prompt.tools.map(toChatTool) };
		const request = model.sendRequest(toChatMessages(prompt.messages), options, source.token);
		const { stream } = await untilAborted(request, signal);
		yield* partsOf(stream, signal);
	} finally {
		signal.removeEventListener("abort", cancel);
		source.cancel();
		source.dispose();
	}
}

async function* partsOf(stream: AsyncIterable<unknown>, signal: AbortSignal): AsyncGenerator<ModelPart> {
	const parts = stream[Symbol.asyncIterator]();
	for (;;) {
		const { done, value } = await untilAborted(parts.next(), signal);
		if (done) return;
		if (value instanceof vscode.LanguageModelTextPart) yield { kind: "text", text: value.value };
		if (value instanceof vscode.LanguageModelToolCallPart)
			yield { kind: "toolCall", call: { id: value.callId, name: value.name, input: value.input } };
	}
}

function toChatTool({ name, description, inputSchema }: ToolDeclaration): vscode.LanguageModelChatTool {
	return { name, description, inputSchema };
}

/** There is no system role: the instructions go first, as the user's. Results of one round share one message. */
function toChatMessages(messages: readonly Message[]): vscode.LanguageModelChatMessage[] {
	const chat: vscode.LanguageModelChatMessage[] = [];
	let results: vscode.LanguageModelToolResultPart[] = [];
	const flush = () => {
		if (results.length > 0) chat.push(vscode.LanguageModelChatMessage.User(results));
		results = [];
	};
	for (const message of messages) {
		if (message.role === "tool") {
			const content = [new vscode.LanguageModelTextPart(message.text)];
			results.push(new vscode.LanguageModelToolResultPart(message.callId, content));
			continue;
		}
		flush();
		chat.push(toChatMessage(message));
	}
	flush();
	return chat;
}

function toChatMessage(message: Exclude<Message, { role: "tool" }>): vscode.LanguageModelChatMessage {
	if (message.role !== "assistant") return vscode.LanguageModelChatMessage.User(message.text);
	const text = message.text ? [new vscode.LanguageModelTextPart(message.text)] : [];
	const calls = message.toolCalls.map(
		({ id, name, input }) => new vscode.LanguageModelToolCallPart(id, name, Object(input)),
	);
	return vscode.LanguageModelChatMessage.Assistant([...text, ...calls]);
}
