import * as vscode from "vscode";
import { visibleText } from "../../base/text/visibleText.ts";
import { shareWindow } from "../../models/tokenEstimate.ts";
import { answerLimits } from "../settings.ts";

export const VENDOR = "copilot-ld-servers";

/** Marks requests of our own agent loop, and response parts that only this loop reads. */
export const OWN = "application/vnd.copilot-ld+json";

export interface SavedModel {
	/** Base URL of the server, as `ServerAddress.base`. */
	readonly base: string;
	readonly name: string;
	/** Maximum tokens of request and answer together. */
	readonly contextTokens: number;
	/** Maximum tokens of an answer, if the server states the limit. */
	readonly outputTokens?: number;
	readonly canCallTools: boolean;
	readonly canSeeImages: boolean;
}

/** Stores the models in the user's state instead of settings, where a folder could name a server. */
export type SavedModels = ReturnType<typeof createSavedModels>;

const KEY = "serverModels";

export function createSavedModels(state: vscode.Memento, onChange: () => void = () => undefined) {
	const all = () => state.get<readonly SavedModel[]>(KEY, []);
	const others = (model: SavedModel) => all().filter((one) => idOf(one) !== idOf(model));
	const keep = async (models: readonly SavedModel[]) => {
		await state.update(KEY, models);
		onChange();
	};
	return {
		all,
		find: (id: string) => all().find((one) => idOf(one) === id),
		add: (model: SavedModel) => keep([...others(model), model]),
		remove: (model: SavedModel) => keep(others(model)),
	};
}

function idOf({ base, name }: SavedModel): string {
	return `${base} ${name}`;
}

export function toInformation(model: SavedModel): vscode.LanguageModelChatInformation {
	const { base, name, contextTokens, outputTokens = contextTokens, canCallTools, canSeeImages } = model;
	return {
		id: idOf(model),
		// The name comes from the server, and VS Code draws icons in labels.
		name: visibleText(name),
		family: name,
		version: "1",
		detail: new URL(base).host,
		tooltip: vscode.l10n.t("On {0}", base),
		...shareWindow(contextTokens, Math.min(outputTokens, answerLimits().tokens)),
		capabilities: { toolCalling: canCallTools, imageInput: canSeeImages },
	};
}
