import * as vscode from "vscode";
import { visibleText } from "../../base/text/visibleText.ts";
import type { SessionSummary, Sessions } from "../../core/session/session.ts";
import { workspaceUri } from "../folders.ts";
import { amounts, counted } from "../l10n.ts";

const OFFERED = 500;

type SessionItem = ReturnType<typeof sessionItem>;

export function binCommands(sessions: Sessions): Record<string, () => Promise<void>> {
	return {
		"copilot-ld.deleteSessions": () => deleteSessions(sessions),
		"copilot-ld.restoreSessions": () => restoreSessions(sessions),
	};
}

const deletedText = counted(
	vscode.l10n.t("Copilot-LD: 1 session deleted."),
	vscode.l10n.t("Copilot-LD: {0} sessions deleted."),
);
const restoredText = counted(
	vscode.l10n.t("Copilot-LD: 1 session restored."),
	vscode.l10n.t("Copilot-LD: {0} sessions restored."),
);

async function deleteSessions(sessions: Sessions): Promise<void> {
	const { signal } = new AbortController();
	const { sessions: all } = await sessions.list({ limit: OFFERED }, signal);
	const chosen = await choose(all.map(sessionItem), vscode.l10n.t("There are no sessions yet."), {
		title: vscode.l10n.t("Delete Sessions"),
		placeHolder: vscode.l10n.t("Select sessions to delete (they can be restored for 30 days)"),
	});
	for (const { id } of chosen) await sessions.delete(id, signal);
	if (chosen.length === 0) return;
	const [restore, text] = [vscode.l10n.t("Restore"), deletedText(chosen.length)];
	if ((await vscode.window.showInformationMessage(text, restore)) !== restore) return;
	for (const { id } of chosen) await sessions.restore(id, signal);
}

async function restoreSessions(sessions: Sessions): Promise<void> {
	const { signal } = new AbortController();
	const deleted = await sessions.listDeleted(signal);
	const items = deleted.map((session) => ({
		...sessionItem(session),
		detail: vscode.l10n.t("Deleted {0}", new Date(session.deletedAt).toLocaleString(vscode.env.language)),
	}));
	const chosen = await choose(items, vscode.l10n.t("No session was deleted in the last 30 days."), {
		title: vscode.l10n.t("Restore Deleted Sessions"),
		placeHolder: vscode.l10n.t("Select sessions to restore"),
	});
	for (const { id } of chosen) await sessions.restore(id, signal);
	if (chosen.length > 0) void vscode.window.showInformationMessage(restoredText(chosen.length));
}

async function choose(items: readonly SessionItem[], ifNone: string, options: vscode.QuickPickOptions) {
	const many = { ...options, canPickMany: true, matchOnDescription: true } as const;
	if (items.length > 0) return (await vscode.window.showQuickPick(items, many)) ?? [];
	void vscode.window.showInformationMessage(`Copilot-LD: ${ifNone}`);
	return [];
}

export function sessionItem({ id, title, turns, updatedAt, workspace }: SessionSummary) {
	return {
		id,
		title,
		label: visibleText(title),
		description: [turns > 0 ? amounts.turns(turns) : "Copilot CLI", placeOf(workspace)]
			.filter(Boolean)
			.join(" · "),
		detail: new Date(updatedAt).toLocaleString(vscode.env.language),
	};
}

/** The name of the folder of a session; empty for this one. */
function placeOf(workspace: string): string {
	if (workspace === "" || workspace === workspaceUri()) return "";
	return decodeURIComponent(workspace.replace(/\/$/, "").split("/").at(-1) ?? "");
}
