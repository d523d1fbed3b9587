import { isAbsolute } from "node:path";
import * as vscode from "vscode";
import { storageSettings } from "../settings.ts";

/** Absolute path of the folder of sessions and memory, which all windows share. */
export function sessionsFolder({ globalStorageUri }: vscode.ExtensionContext): string {
	return vscode.Uri.joinPath(globalStorageUri, "sessions").fsPath;
}

/** Absolute path of the folder that holds the index of this window. */
export function indexFolder({ storageUri, globalStorageUri }: vscode.ExtensionContext): string {
	const { uri = "" } = storageSettings();
	if (isAbsolute(uri)) return uri;
	// A window without a folder has no storage; nothing is indexed there.
	const storage = storageUri ?? vscode.Uri.joinPath(globalStorageUri, "no-folder");
	return vscode.Uri.joinPath(storage, "index").fsPath;
}
