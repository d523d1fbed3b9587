import * as vscode from "vscode";

/** Changes a text through the editor, which may have unsaved changes of it, and saves it. The file is created if it is missing. */
export async function editFile(
	uri: vscode.Uri,
	change: (text: string) => string,
): Promise<vscode.TextDocument> {
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
