import * as vscode from "vscode";
import type { CliSession } from "../../acp/turn/session/cliSession.ts";
import { visibleText } from "../../base/text/visibleText.ts";
import { chosenOptions } from "./chosenOptions.ts";

interface OptionItem extends vscode.QuickPickItem {
	readonly id?: string;
	readonly value?: string;
}

/** Lets the person choose what a session works with. */
export async function pickOption(session: Pick<CliSession, "options" | "setOption">): Promise<void> {
	const items = chosenOptions(session.options()).flatMap(({ id, name, value, choices }): OptionItem[] => [
		{ label: name, kind: vscode.QuickPickItemKind.Separator },
		...choices.map((choice) => ({
			label: visibleText(choice.name),
			description: choice.value === value ? vscode.l10n.t("current") : "",
			id,
			value: choice.value,
		})),
	]);
	const placeHolder = vscode.l10n.t("Select what the Copilot CLI uses in this chat");
	const chosen = await vscode.window.showQuickPick(items, { placeHolder });
	if (chosen?.id !== undefined && chosen.value !== undefined)
		await session.setOption(chosen.id, chosen.value);
}
