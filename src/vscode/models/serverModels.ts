import * as vscode from "vscode";
import { Failure, messageOf } from "../../base/failure.ts";
import { createModelServer, type ModelServer } from "../../models/modelServer.ts";
import type { ChatRequest, ServerPart } from "../../models/respond.ts";
import { createTokenEstimate, type TokenEstimate } from "../../models/tokenEstimate.ts";
import { signalOf } from "../cancellation.ts";
import { forgetModelKey, readModelKey } from "../secrets.ts";
import { addModel } from "./addModel.ts";
import { fromChat, textOf } from "./fromChat.ts";
import { idOf, type SavedModel, type SavedModels } from "./savedModels.ts";

export interface ServerModelDeps {
	readonly saved: SavedModels;
	readonly secrets: vscode.SecretStorage;
	readonly log: Pick<vscode.LogOutputChannel, "error">;
}

type Provider = vscode.LanguageModelChatProvider;

/** What the provider of models does beyond listing them. */
export interface ServerModels {
	/** Whether one was added. */
	add(): Promise<boolean>;
	/** Whether one was removed. */
	remove(): Promise<boolean>;
	readonly respond: Provider["provideLanguageModelChatResponse"];
	readonly countTokens: Provider["provideTokenCount"];
}

export function createServerModels({ saved, secrets, log }: ServerModelDeps): ServerModels {
	const estimates = new Map<string, TokenEstimate>();
	const estimateOf = (id: string) => {
		const estimate = estimates.get(id) ?? createTokenEstimate();
		estimates.set(id, estimate);
		return estimate;
	};
	const serverAt = createServers(secrets);
	return {
		add: () => addModel({ saved, secrets }),
		remove: () => removeModel({ saved, secrets }),
		respond: async (...[{ id }, messages, options, progress, token]) => {
			const model = saved.find(id);
			if (!model) throw new Failure("NO_MODEL", "That language model was removed. Choose another one.");
			const request = requestOf(model, messages, options);
			const counted = (tokens: number) => estimateOf(id).learn(textsOf(request), tokens);
			try {
				const answer = (await serverAt(model.base)).respond(request, signalOf(token));
				for await (const part of answer) deliver(part, progress, counted);
			} catch (thrown) {
				if (!token.isCancellationRequested) log.error(`${model.name}: ${messageOf(thrown)}`);
				throw thrown;
			}
		},
		countTokens: async ({ id }, asked) =>
			estimateOf(id).of(typeof asked === "string" ? asked : textOf(asked.content)),
	};
}

/** One for each address and key: requests wait for each other where the server wants a pause. */
function createServers(secrets: vscode.SecretStorage): (base: string) => Promise<ModelServer> {
	const servers = new Map<string, { readonly key: string | undefined; readonly server: ModelServer }>();
	return async (base) => {
		const { origin } = new URL(base);
		const key = await readModelKey(secrets, origin);
		const known = servers.get(base);
		if (known?.key === key && known) return known.server;
		const server = createModelServer({ address: { base, origin }, key });
		servers.set(base, { key, server });
		return server;
	};
}

function requestOf(
	{ name }: SavedModel,
	messages: readonly vscode.LanguageModelChatRequestMessage[],
	{ tools = [], toolMode, modelOptions = {} }: vscode.ProvideLanguageModelChatResponseOptions,
): ChatRequest {
	return {
		model: name,
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

function deliver(
	part: ServerPart,
	progress: vscode.Progress<vscode.LanguageModelResponsePart>,
	counted: (tokens: number) => void,
): void {
	if (part.kind === "usage") counted(part.inputTokens);
	else if (part.kind === "text") progress.report(new vscode.LanguageModelTextPart(part.text));
	else {
		const { id, name, input } = part.call;
		progress.report(new vscode.LanguageModelToolCallPart(id, name, Object(input)));
	}
}

async function removeModel({ saved, secrets }: Omit<ServerModelDeps, "log">): Promise<boolean> {
	const items = saved.all().map((model) => ({ label: model.name, description: model.base, model }));
	if (items.length === 0)
		throw new Failure("NOT_FOUND", 'No model was added. "Copilot-LD: Add Model…" adds one.');
	const picked = await vscode.window.showQuickPick(items, {
		title: "Remove Model",
		placeHolder: "Which one?",
	});
	if (!picked) return false;
	await saved.remove(picked.model);
	const { origin } = new URL(picked.model.base);
	const isNeeded = saved.all().some(({ base }) => new URL(base).origin === origin);
	if (!isNeeded) await forgetModelKey(secrets, origin);
	void vscode.window.showInformationMessage(
		`Copilot-LD: ${idOf(picked.model)} was removed${isNeeded ? "" : ", and its server's key"}.`,
	);
	return true;
}
