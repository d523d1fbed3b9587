import * as vscode from "vscode";
import { uriOfPath } from "../../base/files/uriOfPath.ts";

/** Calls with the `file:` URIs of files that were made, changed or deleted in the workspace, or in one of some folders. */
export function watchFiles(
	onChange: (uris: readonly string[]) => void,
	folders: readonly vscode.Uri[],
): vscode.Disposable {
	const patterns = ["**/*", ...folders.map((folder) => new vscode.RelativePattern(folder, "**/*"))];
	return vscode.Disposable.from(...patterns.map((pattern) => watch(pattern, onChange)));
}

function watch(pattern: vscode.GlobPattern, onChange: (uris: readonly string[]) => void): vscode.Disposable {
	const watcher = vscode.workspace.createFileSystemWatcher(pattern);
	const tell = ({ scheme, fsPath }: vscode.Uri) => {
		if (scheme === "file") onChange([uriOfPath(fsPath)]);
	};
	return vscode.Disposable.from(
		watcher,
		watcher.onDidCreate(tell),
		watcher.onDidChange(tell),
		watcher.onDidDelete(tell),
	);
}
