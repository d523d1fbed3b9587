import * as vscode from "vscode";
import type { Permissions } from "../../core/permission/permission.ts";
import type { Transcript } from "../../core/session/session.ts";
import { sessionMarkdown } from "./sessionMarkdown.ts";
import { toldTranscript } from "./translatedTurns.ts";

/** Decisions that are exported at most. */
const MAX_DECISIONS = 100_000;

/** Lets the person choose a file, and writes the session to it. */
export async function exportSession(transcript: Transcript, format: "markdown" | "json"): Promise<void> {
	const isMarkdown = format === "markdown";
	const text = isMarkdown
		? sessionMarkdown(toldTranscript(transcript))
		: jsonOf({ kind: "session", ...transcript });
	const extension = isMarkdown ? "md" : "json";
	await save(`${fileNameOf(transcript.session.title)}.${extension}`, text);
}

/** Lets the person choose a file, and writes the rules and what was decided to it. */
export async function exportPermissions(permissions: Permissions): Promise<void> {
	const [rules, decisions] = await Promise.all([
		permissions.rules(),
		permissions.decisions({ limit: MAX_DECISIONS }),
	]);
	await save("permissions.json", jsonOf({ kind: "permissions", rules, decisions }));
}

/** The version is of the shape: readers of other programs may rely on it. */
function jsonOf(content: object): string {
	return `${JSON.stringify({ version: 1, ...content }, undefined, "\t")}\n`;
}

async function save(name: string, text: string): Promise<void> {
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
	const defaultUri = folder && vscode.Uri.joinPath(folder, name);
	const target = await vscode.window.showSaveDialog({ ...(defaultUri && { defaultUri }) });
	if (!target) return;
	await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
	// Not waited for: the export is over, whenever the person closes the message.
	void offerToOpen(target);
}

async function offerToOpen(target: vscode.Uri): Promise<void> {
	const open = vscode.l10n.t("Open");
	const message = vscode.l10n.t("Copilot-LD: {0} was saved.", vscode.workspace.asRelativePath(target));
	if ((await vscode.window.showInformationMessage(message, open)) === open)
		await vscode.window.showTextDocument(target);
}

/** A title as the name of a file on every system. */
function fileNameOf(title: string): string {
	return (
		title
			.replace(/[^\p{Letter}\p{Number}]+/gu, "-")
			.replace(/^-|-$/g, "")
			.slice(0, 60) || "session"
	);
}
