import * as vscode from "vscode";
import type { CliHistory } from "../../acp/turn/session/cliHistory.ts";
import type { SessionSummary } from "../../core/session/session.ts";
import { toldOf } from "../l10n.ts";

interface SessionItem extends vscode.QuickPickItem {
	readonly session: SessionSummary;
}

const RENAME: vscode.QuickInputButton = {
	iconPath: new vscode.ThemeIcon("edit"),
	tooltip: vscode.l10n.t("Rename"),
};
const DELETE: vscode.QuickInputButton = {
	iconPath: new vscode.ThemeIcon("trash"),
	tooltip: vscode.l10n.t("Delete"),
};

export async function pickSession(history: CliHistory): Promise<SessionSummary | undefined> {
	const { promise, resolve } = Promise.withResolvers<SessionSummary | undefined>();
	const pick = vscode.window.createQuickPick<SessionItem>();
	pick.placeholder = vscode.l10n.t("Select a session of the Copilot CLI to resume");
	pick.matchOnDescription = true;
	const refresh = async () => {
		pick.busy = true;
		try {
			pick.items = await itemsOf(history);
		} finally {
			pick.busy = false;
		}
	};
	pick.onDidTriggerItemButton(({ button, item }) => {
		const act = button === RENAME ? rename : remove;
		act(history, item.session).then(refresh).catch(report);
	});
	pick.onDidAccept(() => {
		resolve(pick.selectedItems[0]?.session);
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

async function itemsOf(history: CliHistory): Promise<SessionItem[]> {
	return (await history.list()).map((session) => ({
		session,
		label: session.title,
		description: session.workspace === "" ? "" : vscode.Uri.parse(session.workspace).fsPath,
		detail: new Date(session.updatedAt).toLocaleString(vscode.env.language),
		buttons: [RENAME, DELETE],
	}));
}

async function rename(history: CliHistory, { id, title: value }: SessionSummary): Promise<void> {
	const title = await vscode.window.showInputBox({
		prompt: vscode.l10n.t("New name for the session"),
		value,
	});
	if (title?.trim()) await history.rename(id, title);
}

async function remove(history: CliHistory, session: SessionSummary): Promise<void> {
	await history.delete(session.id);
	// Not awaited: the list stays usable until the user closes the message.
	offerUndo(history, session).catch(report);
}

function report(thrown: unknown): void {
	void vscode.window.showErrorMessage(toldOf(thrown));
}

async function offerUndo(history: CliHistory, { id, title }: SessionSummary): Promise<void> {
	const undo = vscode.l10n.t("Undo");
	if ((await vscode.window.showInformationMessage(vscode.l10n.t("“{0}” was deleted.", title), undo)) === undo)
		await history.restore(id);
}
