import * as vscode from "vscode";

/** Absolute path of the folder that holds the index of this window. */
export function indexFolder({ storageUri, globalStorageUri }: vscode.ExtensionContext): string {
	// A window without a folder has no storage of its own; nothing is indexed there.
	const storage = storageUri ?? vscode.Uri.joinPath(globalStorageUri, "no-folder");
	return vscode.Uri.joinPath(storage, "index").fsPath;
}
