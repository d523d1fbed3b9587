import * as vscode from "vscode";
import { isCancellation } from "./cancellation.ts";
import { toldOf } from "./reported.ts";

/** Registers commands by their ids. The user sees why one failed, and finds it in the log; a canceled one just ends. */
export function registerEach<Given extends unknown[]>(
	commands: Readonly<Record<string, (...given: Given) => unknown>>,
	log?: vscode.LogOutputChannel,
): vscode.Disposable {
	const runOf =
		(run: (...given: Given) => unknown) =>
		async (...given: unknown[]) => {
			try {
				return await run(...(given as Given));
			} catch (thrown) {
				// Not waited for: the command is over, whenever the user closes the message.
				if (!isCancellation(thrown)) void showFailure(thrown, log);
				return undefined;
			}
		};
	const all = Object.entries(commands);
	return vscode.Disposable.from(...all.map(([id, run]) => vscode.commands.registerCommand(id, runOf(run))));
}

async function showFailure(thrown: unknown, log: vscode.LogOutputChannel | undefined): Promise<void> {
	log?.error(thrown instanceof Error ? thrown : String(thrown));
	const showLog = vscode.l10n.t("Show Log");
	const buttons = log ? [showLog] : [];
	if ((await vscode.window.showErrorMessage(toldOf(thrown), ...buttons)) === showLog) log?.show();
}
