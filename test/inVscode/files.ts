import { join } from "node:path";
import * as vscode from "vscode";

/** Of the folder that is open. */
export function file(path: string): vscode.Uri {
	return vscode.Uri.file(join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "", path));
}

export async function write(path: string, text: string): Promise<void> {
	await vscode.workspace.fs.writeFile(file(path), new TextEncoder().encode(text));
}

export async function open(path: string): Promise<vscode.TextDocument> {
	return vscode.workspace.openTextDocument(file(path));
}

/** In the midst of the words, where they stand first. */
export function positionOf(document: vscode.TextDocument, words: string): vscode.Position {
	return document.positionAt(document.getText().indexOf(words) + words.length - 2);
}

export async function fixesAt(document: vscode.TextDocument, words: string): Promise<string[]> {
	const at = positionOf(document, words);
	const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
		"vscode.executeCodeActionProvider",
		document.uri,
		new vscode.Range(at, at),
	);
	return actions.map(({ title }) => title).filter((title) => /^(?:Change to|Describe|Declare)/.test(title));
}
