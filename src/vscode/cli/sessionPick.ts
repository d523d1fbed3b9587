import * as vscode from "vscode";
import type { CliSessions } from "../../acp/turn/session/cliSessions.ts";
import { toldOf } from "../l10n.ts";

interface SessionItem extends vscode.QuickPickItem {
	readonly id: string;
}

const RENAME: vscode.QuickInputButton = {
	iconPath: new vscode.ThemeIcon("edit"),
	tooltip: vscode.l10n.t("Rename"),
};
const DELETE: vscode.QuickInputButton = {
	iconPath: new vscode.ThemeIcon("trash"),
	tooltip: vscode.l10n.t("Delete"),
};

export async function pickSession(sessions: CliSessions): Promise<string | undefined> {
	const { promise, resolve } = Promise.withResolvers<string | undefined>();
	const pick = vscode.window.createQuickPick<SessionItem>();
	pick.placeholder = vscode.l10n.t("Select a session of the Copilot CLI to resume");
	pick.matchOnDescription = true;
	const refresh = async () => {
		pick.busy = true;
		try {
			pick.items = await itemsOf(sessions);
		} finally {
			pick.busy = false;
		}
	};
	pick.onDidTriggerItemButton(({ button, item }) => {
		const act = button === RENAME ? rename : remove;
		act(sessions, item).then(refresh).catch(report);
	});
	pick.onDidAccept(() => {
		resolve(pick.selectedItems[0]?.id);
		pick.hide();
	});
	pick.onDidHide(() => resolve(undefined));
	// Renaming opens an input box.
	pick.ignoreFocusOut = true;
	pick.show();
	try {
		await refresh();
		return await promise;
	} finally {
		pick.dispose();
	}
}

async function itemsOf(sessions: CliSessions): Promise<SessionItem[]> {
	return (await sessions.list()).map(({ id, title, cwd, updatedAt }) => ({
		id,
		label: title.split("\n", 1)[0] ?? title,
		description: cwd,
		detail: updatedAt === 0 ? "" : new Date(updatedAt).toLocaleString(vscode.env.language),
		buttons: [RENAME, DELETE],
	}));
}

async function rename(sessions: CliSessions, { id, label }: SessionItem): Promise<void> {
	const title = await vscode.window.showInputBox({
		prompt: vscode.l10n.t("New name for the session"),
		value: label,
	});
	if (title?.trim()) await sessions.rename(id, title);
}

async function remove(sessions: CliSessions, { id, label }: SessionItem): Promise<void> {
	await sessions.delete(id);
	// Not awaited: the list stays usable until the user closes the message.
	offerUndo(sessions, { id, label }).catch(report);
}

function report(thrown: unknown): void {
	void vscode.window.showErrorMessage(toldOf(thrown));
}

async function offerUndo(sessions: CliSessions, { id, label }: SessionItem): Promise<void> {
	const undo = vscode.l10n.t("Undo");
	if ((await vscode.window.showInformationMessage(vscode.l10n.t("“{0}” was deleted.", label), undo)) === undo)
		await sessions.restore(id);
}
