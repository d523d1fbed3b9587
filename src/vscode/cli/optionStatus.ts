import * as vscode from "vscode";
import type { CliSession } from "../../acp/turn/session/cliSession.ts";
import { optionsLine } from "./chosenOptions.ts";

/** Agent, mode and model of the chat that the CLI answers, in the status bar as long as the CLI runs. */
export interface OptionStatus extends vscode.Disposable {
	show(session: Pick<CliSession, "options">): void;
	hide(): void;
}

export function createOptionStatus(): OptionStatus {
	const item = vscode.window.createStatusBarItem("copilot-ld.cli", vscode.StatusBarAlignment.Right);
	item.name = "Copilot CLI";
	item.command = "copilot-ld.chooseCliOption";
	item.tooltip = vscode.l10n.t("What the Copilot CLI uses in the chat. Select to change.");
	return {
		show: (session) => {
			// An agent may be called `$(x)`, which would become an icon.
			item.text = `$(terminal) Copilot CLI · ${optionsLine(session.options()).replaceAll("$(", "$ (")}`;
			item.show();
		},
		hide: () => item.hide(),
		dispose: () => item.dispose(),
	};
}
