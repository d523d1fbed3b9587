import * as vscode from "vscode";
import { Failure, messageOf } from "../../base/failure.ts";
import { memoize, rememberLast } from "../../base/jobs/lazily.ts";
import { escapeMarkdown, visibleText } from "../../base/text/visibleText.ts";
import type { Message, ModelPart } from "../../core/agent/agentEvent.ts";
import type { ChatRequest } from "../../models/chatBody.ts";
import { createModelServer } from "../../models/modelServer.ts";
import { createTokenEstimate } from "../../models/tokenEstimate.ts";
import { signalOf } from "../cancellation.ts";
import { translated } from "../l10n.ts";
import type { FailureLog } from "../logs.ts";
import { modelKeyName } from "../secrets.ts";
import { answerLimits } from "../settings.ts";
import { addModel } from "./addModel.ts";
import { OWN, type SavedModel, type SavedModels, toInformation } from "./savedModels.ts";

interface ServerModelDeps {
	readonly saved: SavedModels;
	readonly secrets: vscode.SecretStorage;
	readonly log: FailureLog;
}

interface AnswerPorts {
	find(id: string): SavedModel | undefined;
	keyOf(origin: string): Promise<string | undefined>;
	readonly log: FailureLog;
}

export function createServerModels({ saved, secrets, log }: ServerModelDeps) {
	const keyOf = async (origin: string) => secrets.get(modelKeyName(origin));
	return {
		add: () => addModel(saved, secrets),
		remove: () => removeModel(saved, secrets),
		...createServerAnswers({ find: saved.find, keyOf, log }),
	};
}

async function removeModel(saved: SavedModels, secrets: vscode.SecretStorage): Promise<void> {
	const toItem = (model: SavedModel) => ({ label: visibleText(model.name), description: model.base, model });
	const items = saved.all().map(toItem);
	const none = vscode.l10n.t("No model has been added. Run “Copilot-LD: Manage Models…” to add one.");
	if (items.length === 0) throw new Failure("NOT_FOUND", none);
	const title = vscode.l10n.t("Remove Model");
	const placeHolder = vscode.l10n.t("Select a model to remove");
	const picked = await vscode.window.showQuickPick(items, { title, placeHolder });
	if (!picked) return;
	await saved.remove(picked.model);
	const { origin } = new URL(picked.model.base);
	const isNeeded = saved.all().some(({ base }) => new URL(base).origin === origin);
	if (!isNeeded) await secrets.delete(modelKeyName(origin));
	const message = isNeeded
		? vscode.l10n.t("Copilot-LD: {0} was removed.", picked.label)
		: vscode.l10n.t("Copilot-LD: {0} and the key of its server were removed.", picked.label);
	void vscode.window.showInformationMessage(message);
}

export function createServerAnswers({ find, keyOf, log }: AnswerPorts) {
	const estimateOf = memoize((_id: string) => createTokenEstimate());
	/** Returns one object per address and key, so that all requests respect a pause the server asks for. */
	const serverOf = memoize((base: string) => {
		const address = { base, origin: new URL(base).origin };
		return rememberLast((key: string | undefined) => createModelServer({ address, key }));
	});
	return {
		provideLanguageModelChatResponse: async (...[{ id }, messages, options, progress, token]) => {
			const model = find(id);
			if (!model)
				throw new Failure("NO_MODEL", vscode.l10n.t("This language model was removed. Choose another one."));
			const request = requestOf(model, messages, options);
			const isOwn = options.modelOptions?.[OWN] === true;
			const deliver = (part: ModelPart) => {
				if (part.kind === "usage") estimateOf(id).learn(textsOf(request), part.inputTokens);
				const shown = isOwn ? partForUs(part) : partForOthers(part);
				if (shown) progress.report(shown);
			};
			try {
				const server = serverOf(model.base)(await keyOf(new URL(model.base).origin));
				const answer = server.respond(request, signalOf(token));
				for await (const part of answer) deliver(part);
			} catch (thrown) {
				if (!token.isCancellationRequested) log.error(`${model.name}: ${messageOf(thrown)}`);
				throw thrown;
			}
		},
		provideTokenCount: async ({ id }, asked) =>
			estimateOf(id).of(typeof asked === "string" ? asked : textOf(asked.content)),
	} satisfies Partial<vscode.LanguageModelChatProvider>;
}

function requestOf(
	model: SavedModel,
	messages: readonly vscode.LanguageModelChatRequestMessage[],
	{ tools = [], toolMode, modelOptions = {} }: vscode.ProvideLanguageModelChatResponseOptions,
): ChatRequest {
	const { maxOutputTokens: tokens } = toInformation(model);
	return {
		model: model.name,
		limits: { ...answerLimits(), tokens },
		messages: fromChat(messages),
		tools: tools.map(({ inputSchema = { type: "object", properties: {} }, ...tool }) => ({
			...tool,
			inputSchema,
		})),
		mustCall: toolMode === vscode.LanguageModelChatToolMode.Required,
		options: modelOptions,
	};
}

function textsOf({ messages, tools }: ChatRequest): string[] {
	return [...messages.map((message) => message.text), ...tools.map((tool) => JSON.stringify(tool))];
}

/** Converts a part for our own loop: as data if VS Code has no part type for it. */
function partForUs(part: ModelPart): vscode.LanguageModelResponsePart | undefined {
	const isForAll = part.kind === "text" || part.kind === "toolCall";
	return isForAll ? partForOthers(part) : vscode.LanguageModelDataPart.json(part, OWN);
}

function partForOthers(part: ModelPart): vscode.LanguageModelResponsePart | undefined {
	if (part.kind === "text") return new vscode.LanguageModelTextPart(part.text);
	if (part.kind === "notice")
		return new vscode.LanguageModelTextPart(`\n\n> ${escapeMarkdown(translated(part.text))}\n\n`);
	if (part.kind !== "toolCall") return undefined;
	const { id, name, input } = part.call;
	return new vscode.LanguageModelToolCallPart(id, name, Object(input));
}

/** Converts VS Code's messages to ours. Tool results go first, because they answer the message before. */
function fromChat(messages: readonly vscode.LanguageModelChatRequestMessage[]): Message[] {
	return messages.flatMap(({ role, content }): Message[] => {
		const text = textOf(content);
		if (role === vscode.LanguageModelChatMessageRole.Assistant) {
			const calls = content.filter((part) => part instanceof vscode.LanguageModelToolCallPart);
			const toolCalls = calls.map(({ callId: id, name, input }) => ({ id, name, input }));
			return [{ role: "assistant", text, toolCalls }];
		}
		const results = content.filter((part) => part instanceof vscode.LanguageModelToolResultPart);
		const images = imagesIn([...content, ...results.flatMap((result) => result.content)]);
		// VS Code's own chat sends its instructions in a role that the API does not declare.
		const isUsers = role === vscode.LanguageModelChatMessageRole.User;
		const message: Message = isUsers ? { role: "user", text, images } : { role: "system", text };
		return [
			...results.map(({ callId, content: own }) => ({ role: "tool", callId, text: textOf(own) }) as const),
			...(text || images.length > 0 ? [message] : []),
		];
	});
}

function textOf(content: readonly unknown[]): string {
	const texts = content.map((part) => {
		if (part instanceof vscode.LanguageModelTextPart) return part.value;
		if (part instanceof vscode.LanguageModelPromptTsxPart) return JSON.stringify(part.value);
		const isText =
			part instanceof vscode.LanguageModelDataPart && /^text\/|^application\/json$/.test(part.mimeType);
		return isText ? new TextDecoder().decode(part.data) : "";
	});
	return texts.join("");
}

function imagesIn(content: readonly unknown[]) {
	return content
		.filter((part) => part instanceof vscode.LanguageModelDataPart)
		.filter(({ mimeType }) => mimeType.startsWith("image/"))
		.map(({ mimeType, data }) => ({ mimeType, data: Buffer.from(data).toString("base64") }));
}
