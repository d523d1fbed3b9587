import { randomUUID } from "node:crypto";
import * as vscode from "vscode";

/** The button of a message that waits for the turn before it. */
export interface SendNow extends vscode.Disposable {
	/** Once the message's turn has come, it does nothing. */
	buttonFor(sendNow: () => void): vscode.Command;
}

export function createSendNow(): SendNow {
	const offers = new Map<unknown, () => void>();
	const commands: Record<string, (id: unknown) => void> = {
		"copilot-ld.sendNow": (id) => {
			offers.get(id)?.();
			offers.delete(id);
		},
	};
	const registrations = Object.entries(commands).map(([id, run]) => vscode.commands.registerCommand(id, run));
	return {
		buttonFor: (sendNow) => {
			const id = randomUUID();
			offers.set(id, sendNow);
			return { command: "copilot-ld.sendNow", title: vscode.l10n.t("Send Now"), arguments: [id] };
		},
		dispose: () => vscode.Disposable.from(...registrations).dispose(),
	};
}
