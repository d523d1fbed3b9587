import * as vscode from "vscode";
import type { CliSession } from "../../acp/turn/cliSession.ts";
import { ALLOW_ALL } from "../../acp/turn/configOptions.ts";

/** Lets the person choose what a session works with. The switch that allows all is a matter of rules, and not here. */
export async function pickOption(session: CliSession): Promise<void> {
	const options = session.options().filter(({ id }) => id !== ALLOW_ALL);
	const items = options.flatMap(({ id, name, value, choices }) =>
		choices.map((choice) => ({
			label: choice.name,
			description: name,
			picked: choice.value === value,
			id,
			value: choice.value,
		})),
	);
	const chosen = await vscode.window.showQuickPick(items, { placeHolder: "What the Copilot CLI works with" });
	if (chosen) await session.setOption(chosen.id, chosen.value);
}
