import * as vscode from "vscode";
import { messageOf } from "../../base/failure.ts";
import type { Attachment } from "../../core/agent/agentEvent.ts";

/** What the person attached to the request, as text; what cannot be read says so instead. */
export function readAttachments(references: readonly vscode.ChatPromptReference[]): Promise<Attachment[]> {
	return Promise.all(references.map(readAttachment));
}

async function readAttachment({
	id,
	value,
	modelDescription,
}: vscode.ChatPromptReference): Promise<Attachment> {
	try {
		if (typeof value === "string") return { name: modelDescription ?? id, text: value };
		if (value instanceof vscode.Uri) return await readRange(value);
		if (value instanceof vscode.Location) return await readRange(value.uri, value.range);
		return { name: id, text: "(This kind of attachment cannot be read.)" };
	} catch (thrown) {
		return { name: id, text: `(It could not be read: ${messageOf(thrown)})` };
	}
}

async function readRange(uri: vscode.Uri, range?: vscode.Range): Promise<Attachment> {
	const document = await vscode.workspace.openTextDocument(uri);
	const path = vscode.workspace.asRelativePath(uri);
	const name = range ? `${path}, lines ${range.start.line + 1} to ${range.end.line + 1}` : path;
	return { name, text: document.getText(range) };
}
