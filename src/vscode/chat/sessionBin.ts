import * as vscode from "vscode";
import { plural } from "../../base/plural.ts";
import type { DeletedSession, SessionSummary, Sessions } from "../../core/session/session.ts";
import { workspaceUri } from "../folders.ts";

/** Sessions that can be chosen from at once. */
const OFFERED = 500;

interface SessionItem extends vscode.QuickPickItem {
	readonly id: string;
}

export function binCommands(deps: { readonly sessions: Sessions }): Record<string, () => Promise<void>> {
	return {
		"copilot-ld.deleteSessions": () => deleteSessions(deps),
		"copilot-ld.restoreSessions": () => restoreSessions(deps),
	};
}

/** Puts several sessions in the bin at once. */
async function deleteSessions({ sessions }: { readonly sessions: Sessions }): Promise<void> {
	const { signal } = new AbortController();
	const { sessions: all } = await sessions.list({ limit: OFFERED }, signal);
	const chosen = await choose(all.map(sessionItem), {
		title: "Delete Sessions",
		placeHolder: "Select sessions to delete; they can be restored for 30 days",
		none: "There is no session yet.",
	});
	for (const { id } of chosen) await sessions.delete(id, signal);
	if (chosen.length === 0) return;
	const restore = "Restore";
	const text = `Copilot-LD: ${plural(chosen.length, "session")} deleted.`;
	if ((await vscode.window.showInformationMessage(text, restore)) !== restore) return;
	for (const { id } of chosen) await sessions.restore(id, signal);
}

/** Brings back what is in the bin. */
async function restoreSessions({ sessions }: { readonly sessions: Sessions }): Promise<void> {
	const { signal } = new AbortController();
	const deleted = await sessions.listDeleted(signal);
	const chosen = await choose(deleted.map(toDeletedItem), {
		title: "Restore Deleted Sessions",
		placeHolder: "Select sessions to restore",
		none: "No session was deleted in the last 30 days.",
	});
	for (const { id } of chosen) await sessions.restore(id, signal);
	if (chosen.length > 0)
		void vscode.window.showInformationMessage(`Copilot-LD: ${plural(chosen.length, "session")} restored.`);
}

async function choose(
	items: readonly SessionItem[],
	{ none, ...options }: { readonly title: string; readonly placeHolder: string; readonly none: string },
): Promise<readonly SessionItem[]> {
	if (items.length > 0)
		return (
			(await vscode.window.showQuickPick(items, {
				...options,
				canPickMany: true,
				matchOnDescription: true,
			})) ?? []
		);
	void vscode.window.showInformationMessage(`Copilot-LD: ${none}`);
	return [];
}

export function sessionItem({ id, title, turns, updatedAt, workspace }: SessionSummary): SessionItem {
	return {
		id,
		label: title,
		description: [turns > 0 ? plural(turns, "turn") : "Copilot CLI", placeOf(workspace)]
			.filter(Boolean)
			.join(" · "),
		detail: new Date(updatedAt).toLocaleString(),
	};
}

function toDeletedItem(session: DeletedSession): SessionItem {
	return { ...sessionItem(session), detail: `Deleted ${new Date(session.deletedAt).toLocaleString()}` };
}

/** The name of the folder of a session; empty for this one. */
export function placeOf(workspace: string): string {
	if (workspace === "" || workspace === workspaceUri()) return "";
	return decodeURIComponent(workspace.replace(/\/$/, "").split("/").at(-1) ?? "");
}
