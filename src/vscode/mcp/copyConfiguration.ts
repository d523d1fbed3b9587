import * as vscode from "vscode";
import { visibleText } from "../../base/text/visibleText.ts";
import { createSavedModels, type SavedModel } from "../models/savedModels.ts";
import { requireFolder } from "../worker/readiness.ts";
import {
	MCP_CONFIGURATION_FORMATS,
	type McpConfigurationFormat,
	type McpLaunch,
	mcpLaunch,
} from "./launch.ts";

/** Puts the configuration for a client on the clipboard. `wanted` is the id of a format; without one, the person chooses. */
export async function copyMcpConfiguration(context: vscode.ExtensionContext, wanted: unknown): Promise<void> {
	requireFolder();
	const format = MCP_CONFIGURATION_FORMATS.find(({ id }) => id === wanted) ?? (await pickFormat());
	if (!format) return;
	// A program that names a format is not kept waiting.
	const choice = wanted === undefined ? await pickModel(context) : NO_MODEL;
	if (!choice) return;
	const launch = await mcpLaunch(context, choice.model);
	await vscode.env.clipboard.writeText(JSON.stringify(format.configure(launch), undefined, 2));
	void vscode.window.showInformationMessage(
		[
			vscode.l10n.t("Copied for {0}: {1}.", format.label, format.file),
			vscode.l10n.t("It needs Node.js 22 or newer. Copy it again after an update of Copilot-LD."),
			...secretsNote(format, launch),
		].join(" "),
	);
}

function secretsNote({ id, label }: McpConfigurationFormat, { variables }: McpLaunch): string[] {
	if (variables.length === 0) return [];
	if (id === "vscode") return [vscode.l10n.t("{0} asks for the secrets when it starts the server.", label)];
	const names = variables.map(({ name }) => name).join(", ");
	return [vscode.l10n.t("Secrets were not copied. Set them in the environment of {0}: {1}.", label, names)];
}

async function pickFormat(): Promise<McpConfigurationFormat | undefined> {
	const items = MCP_CONFIGURATION_FORMATS.map((format) => ({
		label: format.label,
		description: format.file,
		format,
	}));
	const title = vscode.l10n.t("Copy MCP Configuration");
	const picked = await vscode.window.showQuickPick(items, {
		title,
		placeHolder: vscode.l10n.t("Select a client"),
	});
	return picked?.format;
}

/** With `model`, its server answers there in place of the client's own. */
interface ModelPick extends vscode.QuickPickItem {
	readonly model?: SavedModel;
}

const NO_MODEL: ModelPick = { label: vscode.l10n.t("The client's own, if it lends one") };

/** Asks only if the person has added a model; `undefined` if they close the question. */
async function pickModel({ globalState }: vscode.ExtensionContext): Promise<ModelPick | undefined> {
	const saved = createSavedModels(globalState).all();
	if (saved.length === 0) return NO_MODEL;
	const ofServers = saved.map((model) => ({
		label: visibleText(model.name),
		description: model.base,
		model,
	}));
	return vscode.window.showQuickPick([NO_MODEL, ...ofServers], {
		title: vscode.l10n.t("Copy MCP Configuration"),
		placeHolder: vscode.l10n.t("Select the language model for ask, prompts and copilots"),
	});
}
