import { basename, isAbsolute, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import * as vscode from "vscode";
import { isInside } from "../base/files/inside.ts";
import { uriOfPath } from "../base/files/uriOfPath.ts";
import type { Citation } from "../core/knowledge/citation.ts";
import { isExtracted } from "../core/knowledge/extractedFiles.ts";
import type { Folder } from "../core/knowledge/knowledge.ts";
import { withUniqueNames } from "../core/knowledge/path.ts";
import { locationInFile } from "./extracted/extractedUri.ts";
import { extraFolders } from "./settings.ts";

/** The folders on disk whose files are the knowledge: the workspace's, and those of the setting. */
export function knowledgeFolders(): Folder[] {
	const workspace = (vscode.workspace.workspaceFolders ?? [])
		.filter(({ uri }) => uri.scheme === "file")
		.map(({ uri, name }) => toFolder(uri.fsPath, name));
	const extra = extraFolders()
		.filter(isAbsolute)
		.map((path) => ({ ...toFolder(path, basename(path)), isExtra: true }))
		.filter((folder) => !workspace.some(({ uri }) => uri === folder.uri));
	return withUniqueNames([
		...new Map([...workspace, ...extra].map((folder) => [folder.uri, folder])).values(),
	]);
}

/** URI of the window's first folder, which sessions and memory belong to; empty if there is none. */
export function workspaceUri(): string {
	return vscode.workspace.workspaceFolders?.[0]?.uri.toString() ?? "";
}

function toFolder(path: string, name: string): Folder {
	return { uri: uriOfPath(path).replace(/\/$/, ""), name };
}

/** Editors clamp it to the line's length. */
const LINE_END = 10_000;

/** Where a citation points to; `undefined` if its path leaves every folder. */
export function locationOf({ path, lines }: Citation): vscode.Location | undefined {
	const uri = uriOf(path);
	if (uri && isExtracted(path)) return locationInFile(uri, lines);
	return uri && new vscode.Location(uri, new vscode.Range(lines.start - 1, 0, lines.end - 1, LINE_END));
}

/** How the paths in a folder begin; `undefined` if it is no part of the knowledge, or all of it. */
export function pathOfFolder({ fsPath }: vscode.Uri): string | undefined {
	const folders = knowledgeFolders();
	for (const { uri, name } of folders) {
		const root = fileURLToPath(uri);
		if (!isInside(fsPath, root)) continue;
		const path = relative(root, fsPath).split(sep).join("/");
		const parts = [...(folders.length > 1 ? [name] : []), ...(path === "" ? [] : [path])];
		return parts.length === 0 ? undefined : `${parts.join("/")}/`;
	}
	return undefined;
}

/** Paths carry their folder's name if there are several: the counterpart of `pathOf`. */
function uriOf(path: string): vscode.Uri | undefined {
	if (path.split(/[/\\]/).includes("..")) return undefined;
	const folders = knowledgeFolders();
	const [only, ...others] = folders;
	if (only && others.length === 0) return inside(only, path);
	const folder = folders.find(({ name }) => path.startsWith(`${name}/`));
	return folder && inside(folder, path.slice(folder.name.length + 1));
}

function inside(folder: Folder, path: string): vscode.Uri {
	return vscode.Uri.joinPath(vscode.Uri.file(fileURLToPath(folder.uri)), path);
}
