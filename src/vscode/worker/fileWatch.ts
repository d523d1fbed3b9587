import { pathToFileURL } from "node:url";
import * as vscode from "vscode";

/** Calls with the `file:` URIs of files that were made, changed or deleted in the workspace. */
export function watchFiles(onChange: (uris: readonly string[]) => void): vscode.Disposable {
	const watcher = vscode.workspace.createFileSystemWatcher("**/*");
	const tell = ({ scheme, fsPath }: vscode.Uri) => {
		if (scheme === "file") onChange([pathToFileURL(fsPath).href]);
	};
	return vscode.Disposable.from(
		watcher,
		watcher.onDidCreate(tell),
		watcher.onDidChange(tell),
		watcher.onDidDelete(tell),
	);
}
