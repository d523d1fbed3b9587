import * as vscode from "vscode";
import { Failure } from "../../base/failure.ts";
import { visibleText } from "../../base/text/visibleText.ts";
import { forgetModelKey, readModelKey } from "../secrets.ts";
import { addModel } from "./addModel.ts";
import type { SavedModels } from "./savedModels.ts";
import { createServerAnswers, type ServerAnswers } from "./serverAnswers.ts";

export interface ServerModelDeps {
	readonly saved: SavedModels;
	readonly secrets: vscode.SecretStorage;
	readonly log: Pick<vscode.LogOutputChannel, "error">;
}

/** What the provider of models does beyond listing them. */
export interface ServerModels extends ServerAnswers {
	/** Whether one was added. */
	add(): Promise<boolean>;
	/** Whether one was removed. */
	remove(): Promise<boolean>;
}

export function createServerModels({ saved, secrets, log }: ServerModelDeps): ServerModels {
	const keyOf = (origin: string) => readModelKey(secrets, origin);
	return {
		add: () => addModel({ saved, secrets }),
		remove: () => removeModel({ saved, secrets }),
		...createServerAnswers({ find: saved.find, keyOf, log }),
	};
}

async function removeModel({ saved, secrets }: Omit<ServerModelDeps, "log">): Promise<boolean> {
	const items = saved
		.all()
		.map((model) => ({ label: visibleText(model.name), description: model.base, model }));
	if (items.length === 0)
		throw new Failure(
			"NOT_FOUND",
			vscode.l10n.t("No model has been added. Run “Copilot-LD: Add Model…” to add one."),
		);
	const picked = await vscode.window.showQuickPick(items, {
		title: vscode.l10n.t("Remove Model"),
		placeHolder: vscode.l10n.t("Select a model to remove"),
	});
	if (!picked) return false;
	await saved.remove(picked.model);
	const { origin } = new URL(picked.model.base);
	const isNeeded = saved.all().some(({ base }) => new URL(base).origin === origin);
	if (!isNeeded) await forgetModelKey(secrets, origin);
	void vscode.window.showInformationMessage(
		isNeeded
			? vscode.l10n.t("Copilot-LD: {0} was removed.", picked.label)
			: vscode.l10n.t("Copilot-LD: {0} and the key of its server were removed.", picked.label),
	);
	return true;
}
