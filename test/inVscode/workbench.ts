import { readFile } from "node:fs/promises";
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

export const closeAllEditors = () => vscode.commands.executeCommand("workbench.action.closeAllEditors");

/** Sets a setting of the user; `undefined` restores its default. */
export async function setSetting(name: string, value: unknown): Promise<void> {
	const settings = vscode.workspace.getConfiguration("copilot-LD");
	await settings.update(name, value, vscode.ConfigurationTarget.Global);
}

/** After the suite, closes all editors and deletes the given paths. */
export function removeAfter(...paths: readonly string[]): void {
	suiteTeardown(async () => {
		await closeAllEditors();
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

/** Resolves when the condition holds. Checks it now and after each of the events. */
export async function untilTrue(
	condition: () => boolean,
	...events: readonly vscode.Event<unknown>[]
): Promise<void> {
	if (condition()) return;
	const { promise, resolve } = Promise.withResolvers<void>();
	const check = () => {
		if (condition()) resolve();
	};
	const listeners = vscode.Disposable.from(...events.map((event) => event(check)));
	await promise;
	listeners.dispose();
}

/** Resolves when the condition on the active editor holds. */
export function untilEditor(condition: () => boolean): Promise<void> {
	const { onDidChangeActiveTextEditor, onDidChangeTextEditorSelection } = vscode.window;
	return untilTrue(condition, onDidChangeActiveTextEditor, onDidChangeTextEditorSelection);
}

interface AuditLine {
	readonly effect: string;
	readonly by: string;
	readonly request: { readonly tool: string; readonly title: string; readonly session?: string };
}

/** Reads from disk the last decision on a call whose title contains the word. */
export async function decisionAbout(globalStorage: string, word: string): Promise<AuditLine | undefined> {
	const log = join(globalStorage, "copilot-ld.copilot-ld", "permissions", "audit.jsonl");
	const lines = (await readFile(log, "utf8")).split("\n").filter(Boolean);
	return lines
		.map((text) => JSON.parse(text) as AuditLine)
		.findLast(({ request }) => request.title.includes(word));
}
