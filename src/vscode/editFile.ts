import * as vscode from "vscode";
import { Failure } from "../base/failure.ts";

/** Changes a text through the editor, which may have unsaved changes of it, and saves it. The file is created if it is missing. */
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

/** Creates a file with a text, and shows it. Rejects with a `Failure`, also if the file is there. */
export async function createFile(uri: vscode.Uri, text: string, selection?: vscode.Range): Promise<void> {
	const edit = new vscode.WorkspaceEdit();
	edit.createFile(uri, { contents: new TextEncoder().encode(text) });
	if (!(await vscode.workspace.applyEdit(edit)))
		throw new Failure("BAD_INPUT", vscode.l10n.t("The file {0} could not be created.", uri.fsPath));
	await vscode.window.showTextDocument(uri, { ...(selection && { selection }) });
}
