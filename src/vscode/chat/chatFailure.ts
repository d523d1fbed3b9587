import * as vscode from "vscode";
import { type FailureCode, isFailure } from "../../base/failure.ts";
import { escapeMarkdown } from "../../base/text/visibleText.ts";
import { isCancellation } from "../cancellation.ts";
import { toldOf } from "../l10n.ts";
import { modelTrouble } from "../models/languageModel.ts";
import { askButton } from "../models/passagesModel.ts";

const remedies: Partial<Record<FailureCode, vscode.Command>> = {
	NO_FOLDER: { command: "vscode.openFolder", title: vscode.l10n.t("Open Folder") },
	STORE_UNREADABLE: { command: "copilot-ld.rebuildIndex", title: vscode.l10n.t("Rebuild Index") },
	MODEL_MISSING: { command: "copilot-ld.showLog", title: vscode.l10n.t("Show Log") },
	WORKER_STOPPED: { command: "copilot-ld.showLog", title: vscode.l10n.t("Show Log") },
	UNTRUSTED: { command: "workbench.trust.manage", title: vscode.l10n.t("Manage Workspace Trust") },
	CLI_MISSING: {
		command: "workbench.action.openSettings",
		title: vscode.l10n.t("Open Settings"),
		arguments: ["copilot-LD.cli"],
	},
	CLI_STOPPED: { command: "copilot-ld.showLog", title: vscode.l10n.t("Show Log") },
};

/** Names of errors that are rethrown, because VS Code shows its own message and buttons for these errors. */
const native = new Set(["ChatQuotaExceeded", "ChatRateLimited", "ChatExpectedError"]);

/** Shows an error and offers a remedy, if possible. Rethrows the errors that VS Code shows better. */
export function failTurn(
	thrown: unknown,
	stream: vscode.ChatResponseStream,
	log: vscode.LogOutputChannel,
	question = "",
): vscode.ChatResult {
	if (isCancellation(thrown)) return {};
	if (isLimit(thrown)) throw thrown;
	log.error(thrown instanceof Error ? thrown : String(thrown));
	const remedy = isFailure(thrown) ? remedies[thrown.code] : undefined;
	if (remedy) stream.button(remedy);
	else if (question !== "" && isOfModel(thrown))
		stream.button(askButton(vscode.l10n.t("Answer Without a Model"), `@copilot-ld /quote ${question}`));
	return { errorDetails: { message: escapeMarkdown(failureText(thrown)) } };
}

function isOfModel(thrown: unknown): boolean {
	if (isFailure(thrown)) return thrown.code === "MODEL_FAILED";
	return modelTrouble(thrown) !== undefined || isOurs(thrown);
}

/** Whether one of our models failed: VS Code passes on the error's name and message, but not its class. */
function isOurs(thrown: unknown): boolean {
	return thrown instanceof Error && thrown.name === "Failure";
}

export function isLimit(thrown: unknown): boolean {
	if (!(thrown instanceof Error)) return false;
	return native.has(thrown.name) || isLimit(thrown.cause);
}

export function failureText(thrown: unknown): string {
	if (isOurs(thrown)) return toldOf(thrown);
	const trouble = modelTrouble(thrown);
	const text = trouble ? TROUBLES[trouble] : vscode.l10n.t("That did not work: {0}");
	return text.replace("{0}", () => toldOf(thrown));
}

const TROUBLES = {
	gone: vscode.l10n.t(
		"This language model is no longer available. Choose another one in the model picker, and ask again.",
	),
	forbidden: vscode.l10n.t(
		"Copilot-LD is not allowed to use this language model. Allow it, or choose another one in the model picker.",
	),
	blocked: vscode.l10n.t("The language model refused the request: {0}"),
	failed: vscode.l10n.t(
		"The language model failed: {0} Ask again, or choose another one in the model picker.",
	),
} as const;
