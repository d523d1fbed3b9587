import { join } from "node:path";
import { suiteTeardown } from "mocha";
import * as vscode from "vscode";

/** Returns the URI of a path in the open folder. */
export function file(path: string): vscode.Uri {
	return vscode.Uri.file(join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "", path));
}

export async function write(path: string, text: string): Promise<void> {
	await vscode.workspace.fs.writeFile(file(path), new TextEncoder().encode(text));
}

/** After the suite, closes all editors and deletes the given paths. */
export function removeAfter(...paths: readonly string[]): void {
	suiteTeardown(async () => {
		await vscode.commands.executeCommand("workbench.action.closeAllEditors");
		for (const path of paths) await vscode.workspace.fs.delete(file(path), { recursive: true });
	});
}

export async function open(path: string): Promise<vscode.TextDocument> {
	return vscode.workspace.openTextDocument(file(path));
}

/** Returns a position within the first occurrence of the words. */
export function positionOf(document: vscode.TextDocument, words: string): vscode.Position {
	return document.positionAt(document.getText().indexOf(words) + words.length - 2);
}

/** Returns the result of VS Code's providers of a kind, for a document or a position in it. */
export async function provided<Answer>(
	kind: string,
	{ uri }: { readonly uri: vscode.Uri },
	...more: readonly unknown[]
): Promise<Answer> {
	return vscode.commands.executeCommand<Answer>(`vscode.execute${kind}Provider`, uri, ...more);
}

export async function fixesAt(document: vscode.TextDocument, words: string): Promise<string[]> {
	const at = positionOf(document, words);
	const range = new vscode.Range(at, at);
	const actions = await provided<vscode.CodeAction[]>("CodeAction", document, range);
	return actions.map(({ title }) => title).filter((title) => /^(?:Change to|Describe|Declare)/.test(title));
}

export async function hoverAt(document: { readonly uri: vscode.Uri }, at: vscode.Position): Promise<string> {
	const hovers = await provided<vscode.Hover[]>("Hover", document, at);
	const contents = hovers.flatMap((hover) => hover.contents);
	const texts = contents.map((content) => (typeof content === "string" ? content : content.value));
	return texts.join("\n");
}

export function ownProblems(uri: vscode.Uri): vscode.Diagnostic[] {
	return vscode.languages.getDiagnostics(uri).filter(({ source }) => source === "Copilot-LD");
}
