import * as vscode from "vscode";
import { Failure } from "../../base/failure.ts";

/** Copilot's where there is one. */
export async function anyModel(): Promise<vscode.LanguageModelChat> {
	const [model] = await modelsThere();
	if (model) return model;
	throw noModel("copilot-ld_search_knowledge works without one.");
}

/** The one that the person picks, where there are several; `undefined` where they pick none. */
export async function pickModel(title: string): Promise<vscode.LanguageModelChat | undefined> {
	const models = await modelsThere();
	if (models.length === 0) throw noModel("Then run the command again.");
	if (models.length === 1) return models[0];
	const items = models.map((model) => ({
		label: model.name,
		description: `${model.vendor} · ${model.family}`,
		model,
	}));
	const picked = await vscode.window.showQuickPick(items, {
		title,
		placeHolder: "With which language model?",
	});
	return picked?.model;
}

/** Copilot's first. */
async function modelsThere(): Promise<vscode.LanguageModelChat[]> {
	const models = await vscode.lm.selectChatModels();
	const isCopilots = ({ vendor }: vscode.LanguageModelChat) => vendor === "copilot";
	return [...models.filter(isCopilots), ...models.filter((model) => !isCopilots(model))];
}

function noModel(then: string): Failure {
	return new Failure(
		"NO_MODEL",
		`No language model is available. Sign in to GitHub Copilot, or run "Copilot-LD: Add Model…" for a server of your own. ${then}`,
	);
}
