import { homedir } from "node:os";
import { basename, isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import * as vscode from "vscode";
import { Failure } from "../base/failure.ts";
import { uriOfPath } from "../base/files/paths.ts";
import { fieldOf, listOf, textOf } from "../base/values.ts";
import {
	briefPlace,
	type Citation,
	formatPlace,
	type LineRange,
	type Place,
	readPlace,
} from "../core/knowledge/citation.ts";
import { isExtracted } from "../core/knowledge/extractedFiles.ts";
import type { Folder } from "../core/knowledge/knowledge.ts";
import { pathOf, withUniqueNames } from "../core/knowledge/path.ts";
import { setting } from "./settings.ts";

/** The indexed folders: the workspace's folders on disk, and the folders in the setting. */
export function knowledgeFolders(): Folder[] {
	const workspace = foldersOnDisk().map(({ uri, name }) => toFolder(uri.fsPath, name));
	const extra = setting("folders")
		.filter(isAbsolute)
		.map((path) => ({ ...toFolder(path, basename(path)), isExtra: true }))
		.filter((folder) => !workspace.some(({ uri }) => uri === folder.uri));
	return withUniqueNames([
		...new Map([...workspace, ...extra].map((folder) => [folder.uri, folder])).values(),
	]);
}

export function foldersOnDisk(): vscode.WorkspaceFolder[] {
	return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
}

export function folderPaths(): string[] {
	return foldersOnDisk().map(({ uri }) => uri.fsPath);
}

/** URI of the window's first folder, which sessions and memory belong to; empty if no folder is open. */
export function workspaceUri(): string {
	return vscode.workspace.workspaceFolders?.[0]?.uri.toString() ?? "";
}

function toFolder(path: string, name: string): Folder {
	return { uri: uriOfPath(path).replace(/\/$/, ""), name };
}

/** End column of a line. Editors clamp the column to the line's length. */
const LINE_END = 10_000;

export function linesRange({ start, end }: LineRange): vscode.Range {
	return new vscode.Range(Math.max(0, start - 1), 0, Math.max(0, end - 1), LINE_END);
}

/** Location of a citation; `undefined` if the path is outside of all folders. */
export function locationOf({ path, lines }: Citation): vscode.Location | undefined {
	const uri = uriOf(path);
	if (uri && isExtracted(path)) return locationInFile(uri, lines);
	return uri && new vscode.Location(uri, linesRange(lines));
}

/** Path prefix of the files in a folder; `undefined` if the folder has all or no files of the knowledge base. */
export function pathOfFolder({ fsPath }: vscode.Uri): string | undefined {
	const uri = `${toFolder(fsPath, "").uri}/`;
	const path = pathOf(uri, knowledgeFolders());
	return path === uri || path === "" ? undefined : path;
}

/** Reverses `pathOf`. With several folders, a path begins with the name of a folder. */
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

/** Scheme of texts that were extracted from files. The query of a URI is a place in the text. */
export const EXTRACTED_SCHEME = "copilot-ld-text";

/** Location of a place in a file that is not text: in the file's own editor, else in the extracted text. */
function locationInFile(file: vscode.Uri, place: Place): vscode.Location {
	const top = new vscode.Range(0, 0, 0, 0);
	if (!hasEditor(file)) {
		// Links and tabs are named after the end of the path, so the path includes the place: `report.pdf:p12`.
		const path = file.path + endOf(place);
		const query = formatPlace(place);
		return new vscode.Location(vscode.Uri.from({ scheme: EXTRACTED_SCHEME, path, query }), top);
	}
	const page = /^p(\d+)$/.exec(place.part ?? "")?.[1];
	return new vscode.Location(page === undefined ? file : file.with({ fragment: `page=${page}` }), top);
}

/** Target of a link in the chat. The chat would name a location after its line, which these files do not have. */
export function linkTo(location: vscode.Location): vscode.Location | vscode.Uri {
	const { uri } = location;
	return uri.scheme === EXTRACTED_SCHEME || isExtracted(uri.path) ? uri : location;
}

/** Saves a text to the target, or else to a file that the user picks; resolves to the file, if any. */
export async function saveText(text: string, name: string, target?: unknown) {
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
	const defaultUri = vscode.Uri.joinPath(folder, name);
	const uri = target instanceof vscode.Uri ? target : await vscode.window.showSaveDialog({ defaultUri });
	if (uri) await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
	return uri;
}

export async function openLocation({ uri, range }: vscode.Location): Promise<void> {
	await vscode.commands.executeCommand("vscode.open", uri, { selection: range, preview: true });
}

function endOf(place: Place): string {
	return `:${briefPlace(place).replaceAll("/", "∕")}`;
}

export function sourceOf({ path, query }: vscode.Uri): { readonly file: vscode.Uri; readonly place?: Place } {
	const place = readPlace(query);
	if (!place) return { file: vscode.Uri.from({ scheme: "file", path }) };
	return { file: vscode.Uri.from({ scheme: "file", path: path.slice(0, -endOf(place).length) }), place };
}

export function hasEditor({ path }: vscode.Uri): boolean {
	const ending = path.slice(path.lastIndexOf(".")).toLowerCase();
	const editors = (vscode.extensions.all ?? []).flatMap(({ packageJSON }) =>
		listOf(fieldOf(packageJSON, "contributes"), "customEditors"),
	);
	return editors.some(
		(editor) =>
			textOf(editor, "priority") !== "option" &&
			listOf(editor, "selector").some((one) => isFor(textOf(one, "filenamePattern") ?? "", ending)),
	);
}

/** Whether a glob such as `*.pdf` or `*.{pdf,PDF}` includes an extension. */
function isFor(pattern: string, ending: string): boolean {
	const [, list, single = ""] = /\*\.(?:\{([^{}]*)\}|([^*{}]+))$/.exec(pattern.toLowerCase()) ?? [];
	return (list?.split(",") ?? [single]).some((each) => `.${each.trim()}` === ending);
}

/** Changes a text through the editor, which may have unsaved changes, and saves it. Creates a missing file. */
export async function editFile(uri: vscode.Uri, change: (text: string) => string) {
	const creation = new vscode.WorkspaceEdit();
	creation.createFile(uri, { ignoreIfExists: true });
	await vscode.workspace.applyEdit(creation);
	const document = await vscode.workspace.openTextDocument(uri);
	const edit = new vscode.WorkspaceEdit();
	edit.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), change(document.getText()));
	await vscode.workspace.applyEdit(edit);
	await document.save();
	return document;
}

/** Creates a file with a text, and opens it. Rejects with a `Failure` if the file exists. */
export async function createFile(uri: vscode.Uri, text: string, selection?: vscode.Range): Promise<void> {
	const edit = new vscode.WorkspaceEdit();
	edit.createFile(uri, { contents: new TextEncoder().encode(text) });
	if (!(await vscode.workspace.applyEdit(edit)))
		throw new Failure("BAD_INPUT", vscode.l10n.t("The file {0} could not be created.", uri.fsPath));
	await vscode.window.showTextDocument(uri, { ...(selection && { selection }) });
}
