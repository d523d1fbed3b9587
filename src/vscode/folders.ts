import { pathToFileURL } from "node:url";
import * as vscode from "vscode";
import type { Citation } from "../core/citation.ts";
import type { Folder } from "../core/knowledge.ts";

/** The workspace's folders on disk, named as the worker names them. */
export function workspaceFolders(): Folder[] {
	return (vscode.workspace.workspaceFolders ?? [])
		.filter(({ uri }) => uri.scheme === "file")
		.map(({ uri, name }) => ({ uri: pathToFileURL(uri.fsPath).href, name }));
}

/** Editors clamp it to the line's length. */
const LINE_END = 10_000;

/** Where a citation points to; `undefined` where its path leaves the workspace. */
export function locationOf({ path, lines }: Citation): vscode.Location | undefined {
	const uri = uriOf(path);
	return uri && new vscode.Location(uri, new vscode.Range(lines.start - 1, 0, lines.end - 1, LINE_END));
}

/** Paths carry their folder's name where there are several: the counterpart of `pathOf`. */
function uriOf(path: string): vscode.Uri | undefined {
	if (path.split("/").includes("..")) return undefined;
	const folders = vscode.workspace.workspaceFolders ?? [];
	const [only, ...others] = folders;
	if (only && others.length === 0) return vscode.Uri.joinPath(only.uri, path);
	const folder = folders.find(({ name }) => path.startsWith(`${name}/`));
	return folder && vscode.Uri.joinPath(folder.uri, path.slice(folder.name.length + 1));
}
