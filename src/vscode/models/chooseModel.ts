import * as vscode from "vscode";
import { Failure } from "../../base/failure.ts";
import { PASSAGES_VENDOR } from "./passagesModel.ts";

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
