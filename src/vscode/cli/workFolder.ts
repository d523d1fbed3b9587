import { realpath } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";
import * as vscode from "vscode";
import { Failure } from "../../base/failure.ts";
import { workspaceUri } from "../folders.ts";

const KEY = "cli.foreignFolders";
const GO_ON = vscode.l10n.t("Continue There");

/**
 * Asks before a session goes on in a folder that is no part of the workspace: that the workspace is trusted says nothing
 * of it. Rejects where the folder is gone, and where the person does not want it.
 */
export async function confirmFolder(folder: string, state: vscode.Memento): Promise<void> {
	const real = await realpath(folder).catch(() => {
		throw new Failure(
			"NO_FOLDER",
			vscode.l10n.t(
				"The folder of this session no longer exists: {0}. Restore it, or ask in a new chat.",
				folder,
			),
		);
	});
	const allowed = state.get<readonly string[]>(KEY, []);
	if (allowed.includes(real) || (await isInWorkspace(real))) return;
	const answer = await vscode.window.showWarningMessage(
		vscode.l10n.t("This session of the Copilot CLI works in a folder that is not part of this workspace."),
		{
			modal: true,
			detail: `${real}\n\n${vscode.l10n.t("The CLI will read files, change files, and run commands there.")}`,
		},
		GO_ON,
	);
	if (answer !== GO_ON)
		throw new Failure(
			"UNTRUSTED",
			vscode.l10n.t("The session was not resumed, because its folder is not part of this workspace."),
		);
	await state.update(KEY, [...allowed, real]);
}

/** The workspace's folders on the disk, as the window has them. */
export function workspaceFolders(): string[] {
	const folders = vscode.workspace.workspaceFolders ?? [];
	return folders.filter(({ uri }) => uri.scheme === "file").map(({ uri }) => uri.fsPath);
}

/** URI of the workspace whose rules hold for work in a folder: what is allowed in this window is not allowed elsewhere. */
export async function rulesPlace(folder: string): Promise<string> {
	return (await isInWorkspace(folder)) ? workspaceUri() : vscode.Uri.file(folder).toString();
}

/** Both are compared as the disk has them: a link leads out of a folder, whatever its own path is. */
async function isInWorkspace(folder: string): Promise<boolean> {
	const real = await realpath(folder).catch(() => folder);
	const roots = await Promise.all(workspaceFolders().map((root) => realpath(root).catch(() => root)));
	return roots.some((root) => {
		const path = relative(root, real);
		return path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path);
	});
}
