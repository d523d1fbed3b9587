import * as vscode from "vscode";
import type { Model } from "../../agent/ports.ts";
import { Failure } from "../../base/failure.ts";
import { CHARACTERS_PER_TOKEN } from "../../base/text/tokenEstimate.ts";

export const PASSAGES_VENDOR = "copilot-ld-passages";

const PASSAGES: vscode.LanguageModelChatInformation & { readonly isUserSelectable: boolean } = {
	id: PASSAGES_VENDOR,
	name: vscode.l10n.t("Passages (no language model)"),
	family: PASSAGES_VENDOR,
	version: "1",
	tooltip: vscode.l10n.t("Lets @copilot-ld answer in the documents' own words. Answers nothing else."),
	maxInputTokens: 32_000,
	maxOutputTokens: 4_000,
	// In agent mode, the picker omits models without tool calling.
	capabilities: { toolCalling: true },
	isUserSelectable: true,
};

const ONLY_OURS = vscode.l10n.t(
	"Passages is not a language model: it quotes the documents of this folder, and only works with `@copilot-ld`. Start your question with `@copilot-ld`, or choose another model.",
);

/** Lets @copilot-ld work without other models: VS Code calls a chat participant only if there is a model. */
export function registerPassagesModel(): vscode.Disposable {
	const registered = vscode.lm.registerLanguageModelChatProvider(PASSAGES_VENDOR, {
		provideLanguageModelChatInformation: () => [PASSAGES],
		provideLanguageModelChatResponse: async (...[, , , progress]) =>
			progress.report(new vscode.LanguageModelTextPart(ONLY_OURS)),
		provideTokenCount: async (_model, text) =>
			Math.ceil((typeof text === "string" ? text : JSON.stringify(text)).length / CHARACTERS_PER_TOKEN),
	});
	void offerWithoutCopilot();
	return registered;
}

/** Makes VS Code list Passages if there are no Copilot models, which the picker should prefer. */
async function offerWithoutCopilot(): Promise<void> {
	const copilots = await vscode.lm.selectChatModels({ vendor: "copilot" });
	if (copilots.length === 0) await vscode.lm.selectChatModels({ vendor: PASSAGES_VENDOR });
}

/** Sends a question in the chat. First makes VS Code list a model, because a chat without models refuses. */
export async function sendToChat(query: string): Promise<void> {
	await offerWithoutCopilot();
	await vscode.commands.executeCommand("workbench.action.chat.open", { query });
}

export async function beginChat(query: string): Promise<void> {
	await vscode.commands.executeCommand("workbench.action.chat.open", { query, isPartialQuery: true });
}

export function askButton(title: string, query: string, isPartialQuery = false): vscode.Command {
	return { command: "workbench.action.chat.open", title, arguments: [{ query, isPartialQuery }] };
}

export function withoutModel(then: string): Model {
	return {
		maxInputTokens: PASSAGES.maxInputTokens,
		countTokens: async () => 0,
		respond: () => {
			const words = vscode.l10n.t("This needs a language model. Choose one in the model picker.");
			throw new Failure("NO_MODEL", `${words} ${then}`);
		},
	};
}

/** Returns a model, preferably Copilot's; `undefined` if there is no language model at all. */
export async function anyModel(): Promise<vscode.LanguageModelChat | undefined> {
	const [model] = await modelsThere();
	return model;
}

export async function modelNamed(wanted: string): Promise<vscode.LanguageModelChat | undefined> {
	const word = wanted.trim().toLowerCase();
	return (await modelsThere()).find(({ name, vendor, family, id }) =>
		[name, `${name} (${vendor})`, family, id].some((known) => known.toLowerCase() === word),
	);
}

/** Finds the model with the given name. Rejects with NO_MODEL and the available names if there is none. */
export async function requireModel(wanted: string): Promise<vscode.LanguageModelChat> {
	const model = await modelNamed(wanted);
	if (model) return model;
	const names = (await modelsThere()).map(({ name }) => name);
	const known = names.join(", ") || vscode.l10n.t("none");
	const missing = vscode.l10n.t("There is no language model {0}. There are: {1}.", wanted, known);
	throw new Failure("NO_MODEL", missing);
}

export async function pickModel(title: string): Promise<vscode.LanguageModelChat | undefined> {
	const models = await modelsThere();
	if (models.length === 0) throw new Failure("NO_MODEL", NO_MODEL);
	if (models.length === 1) return models[0];
	const items = models.map((model) => {
		const { name: label, vendor, family } = model;
		return { label, description: `${vendor} · ${family}`, model };
	});
	const placeHolder = vscode.l10n.t("Select a language model");
	return (await vscode.window.showQuickPick(items, { title, placeHolder }))?.model;
}

/** Lists all models, Copilot's first. Excludes Passages, which is not a model. */
async function modelsThere(): Promise<vscode.LanguageModelChat[]> {
	const all = await vscode.lm.selectChatModels();
	const models = all.filter(({ vendor }) => vendor !== PASSAGES_VENDOR);
	const isCopilots = ({ vendor }: vscode.LanguageModelChat) => vendor === "copilot";
	return [...models.filter(isCopilots), ...models.filter((model) => !isCopilots(model))];
}

const NO_MODEL = vscode.l10n.t(
	"No language model is available. Sign in to GitHub Copilot, or run “Copilot-LD: Manage Models…” for a server of your own. Then run the command again.",
);
