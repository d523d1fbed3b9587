import { addAbortListener } from "node:events";
import * as vscode from "vscode";
import type { Model } from "../../agent/ports.ts";
import { createPersistently, Passing, streamPersistently } from "../../base/http/persistent.ts";
import { untilAborted } from "../../base/jobs/untilAborted.ts";
import { outgoingTrace } from "../../base/traces/traceContext.ts";
import type { Message, ModelPart } from "../../core/agent/agentEvent.ts";
import type { ToolDeclaration } from "../../core/agent/toolDeclaration.ts";
import { placeOf } from "../../models/serverAddress.ts";
import { isCancellation, withToken } from "../cancellation.ts";
import { OWN, VENDOR } from "./savedModels.ts";

const JUSTIFICATION = vscode.l10n.t("To answer your question from the knowledge base of this workspace.");

/** Adapts a VS Code model to our agent loop. VS Code shows `justification` when it asks the user for access. */
export function toModel(
	model: vscode.LanguageModelChat,
	justification = JUSTIFICATION,
	patience = PATIENCE,
): Model {
	const persistently = createPersistently(patience);
	return {
		named: namedOf(model),
		canSeeImages: canSeeImages(model),
		maxInputTokens: model.maxInputTokens,
		countTokens: (text, signal) => withToken(signal, (token) => model.countTokens(text, token)),
		respond: (messages, tools, signal) =>
			streamPersistently(
				{ persistently, failureOf: (thrown) => (isTransient(thrown) ? new Passing(thrown) : thrown) },
				() => respond(model, { messages, tools, justification }, signal),
				signal,
			),
	};
}

/** Names a model and its provider. The ID of a server's model begins with the server's address. */
function namedOf({ id, family, vendor }: vscode.LanguageModelChat) {
	if (vendor !== VENDOR) return { model: id, provider: vendor };
	return { model: family, ...placeOf(id.slice(0, -family.length).trim()) };
}

const PATIENCE = { tries: 3, firstWaitMs: 1000, longestWaitMs: 10_000 };

/** Matches temporary errors by the providers' messages, because the errors have no codes. */
const TRANSIENT =
	/ECONNRESET|ETIMEDOUT|EAI_AGAIN|EPIPE|socket hang up|network error|fetch failed|net::ERR_|\b(408|502|503|504|529)\b|overloaded|temporarily/i;

/** Whether to retry: not after refusals and limits, nor after our own provider, which has retried already. */
function isTransient(thrown: unknown): boolean {
	if (!(thrown instanceof Error) || isCancellation(thrown)) return false;
	if (/^(Chat.*|Failure)$/.test(thrown.name)) return false;
	const isDecided = (modelTrouble(thrown) ?? "failed") !== "failed";
	if (isDecided || (thrown.cause instanceof Error && /^Chat/.test(thrown.cause.name))) return false;
	return TRANSIENT.test(thrown.message);
}

/** How a language model failed, as VS Code reports it; `undefined` for any other error. */
export function modelTrouble(thrown: unknown) {
	if (!(thrown instanceof vscode.LanguageModelError)) return undefined;
	const { NotFound, NoPermissions, Blocked } = vscode.LanguageModelError;
	if (thrown.code === NotFound.name) return "gone";
	if (thrown.code === NoPermissions.name) return "forbidden";
	return thrown.code === Blocked.name ? "blocked" : "failed";
}

/** VS Code has this property, but its API does not declare it yet. */
function canSeeImages(model: vscode.LanguageModelChat): boolean {
	const { capabilities } = model as { readonly capabilities?: { readonly supportsImageToText?: unknown } };
	return capabilities?.supportsImageToText === true;
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
	using _ = addAbortListener(signal, () => source.cancel());
	try {
		const options = {
			justification: prompt.justification,
			tools: prompt.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
			// Only for our provider: others may pass unknown options on.
			...(model.vendor === VENDOR && { modelOptions: { ...outgoingTrace(), [OWN]: true } }),
		};
		const request = model.sendRequest(toChatMessages(prompt.messages), options, source.token);
		const { stream } = await untilAborted(request, signal);
		yield* partsOf(stream, signal);
	} finally {
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
		if (value instanceof vscode.LanguageModelDataPart && value.mimeType === OWN)
			yield JSON.parse(new TextDecoder().decode(value.data));
	}
}

/** Converts messages: instructions become user messages, and tool results of one round share a message. */
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
	if (message.role === "system") return vscode.LanguageModelChatMessage.User(message.text);
	if (message.role === "user") {
		const { text, images = [] } = message;
		const seen = images.map(({ mimeType, data }) =>
			vscode.LanguageModelDataPart.image(Buffer.from(data, "base64"), mimeType),
		);
		const parts = [new vscode.LanguageModelTextPart(text), ...seen];
		return vscode.LanguageModelChatMessage.User(images.length === 0 ? text : parts);
	}
	const text = message.text ? [new vscode.LanguageModelTextPart(message.text)] : [];
	const { LanguageModelToolCallPart: Call } = vscode;
	const calls = message.toolCalls.map(({ id, name, input }) => new Call(id, name, Object(input)));
	return vscode.LanguageModelChatMessage.Assistant([...text, ...calls]);
}
