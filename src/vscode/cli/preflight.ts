import * as vscode from "vscode";
import { folderLoads } from "../../acp/loads/preflight.ts";
import { Failure } from "../../base/failure.ts";

const KEY = "cli.loads";
const GO_ON = "Load and Go On";

/**
 * Asks before the CLI loads what a folder brings along, and again when that has changed. Rejects where the folder is
 * not trusted, and where the person does not want it.
 */
export async function confirmLoads(folder: string, state: vscode.Memento): Promise<void> {
	requireTrust();
	const loads = await folderLoads(folder);
	const known = state.get<Record<string, string>>(KEY, {});
	if (!loads || known[folder] === loads.fingerprint) return;
	const isNew = known[folder] === undefined;
	const answer = await vscode.window.showWarningMessage(
		isNew
			? "The Copilot CLI will load what this folder brings along."
			: "What this folder brings along for the Copilot CLI has changed.",
		{ modal: true, detail: loads.lines.join("\n") },
		GO_ON,
	);
	if (answer !== GO_ON)
		throw new Failure(
			"UNTRUSTED",
			"The Copilot CLI was not started, because you did not allow what this folder brings along.",
		);
	await state.update(KEY, { ...known, [folder]: loads.fingerprint });
}

/** Whether nobody would have to be asked now. */
export async function areLoadsConfirmed(folder: string, state: vscode.Memento): Promise<boolean> {
	const loads = await folderLoads(folder);
	return !loads || state.get<Record<string, string>>(KEY, {})[folder] === loads.fingerprint;
}

/** The CLI runs hooks of a folder, whether it trusts the folder or not. */
export function requireTrust(): void {
	if (vscode.workspace.isTrusted) return;
	throw new Failure(
		"UNTRUSTED",
		"The Copilot CLI is not started in a folder that is not trusted: it would run the folder's own hooks. Trust the folder first.",
	);
}
