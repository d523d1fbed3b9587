import * as vscode from "vscode";

/** Opens a copy of the sample, which a person may change; a window that has a folder keeps it. */
export async function openSample({ extensionUri, globalStorageUri }: vscode.ExtensionContext): Promise<void> {
	const copy = vscode.Uri.joinPath(globalStorageUri, "sample");
	if (!(await isThere(copy)))
		await vscode.workspace.fs.copy(vscode.Uri.joinPath(extensionUri, "media", "sample"), copy);
	const forceNewWindow = (vscode.workspace.workspaceFolders ?? []).length > 0;
	await vscode.commands.executeCommand("vscode.openFolder", copy, { forceNewWindow });
}

async function isThere(uri: vscode.Uri): Promise<boolean> {
	return vscode.workspace.fs.stat(uri).then(
		() => true,
		() => false,
	);
}
