import * as vscode from "vscode";
import { messageOf } from "../../base/failure.ts";
import type { Attachment } from "../../core/agent/agentEvent.ts";
import { pathOfFolder } from "../folders.ts";
import { listFolder } from "./folderListing.ts";

/** Knowledge paths of the folders that the person attached: what is in them is searched first. */
export async function attachedFolders(references: readonly vscode.ChatPromptReference[]): Promise<string[]> {
	const paths = references.map(async ({ value }) =>
		value instanceof vscode.Uri && (await isFolder(value)) ? pathOfFolder(value) : undefined,
	);
	return (await Promise.all(paths)).filter((path) => path !== undefined);
}

/** What the person attached to the request, as text, of a folder the names in it; what cannot be read says so instead. */
export function readAttachments(references: readonly vscode.ChatPromptReference[]): Promise<Attachment[]> {
	return Promise.all(
		references.map(async (reference) => ({
			...(await readAttachment(reference)),
			...(reference.id.startsWith(IMPLICIT) && { isImplicit: true }),
		})),
	);
}

/** How VS Code names what it attaches by itself: the file that is open, the lines that are selected or seen. */
const IMPLICIT = "vscode.implicit";

async function readAttachment({
	id,
	value,
	modelDescription,
}: vscode.ChatPromptReference): Promise<Attachment> {
	try {
		if (typeof value === "string") return { name: modelDescription ?? id, text: value };
		if (value instanceof vscode.Uri)
			return await ((await isFolder(value)) ? readFolder(value) : readRange(value));
		if (value instanceof vscode.Location) return await readRange(value.uri, value.range);
		return { name: id, text: "(This kind of attachment cannot be read.)" };
	} catch (thrown) {
		return { name: id, text: `(It could not be read: ${messageOf(thrown)})` };
	}
}

async function isFolder(uri: vscode.Uri): Promise<boolean> {
	try {
		return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.Directory) !== 0;
	} catch {
		// A text that is not saved yet has no file.
		return false;
	}
}

async function readFolder(uri: vscode.Uri): Promise<Attachment> {
	const path = vscode.workspace.asRelativePath(uri);
	return { name: `the folder ${path}`, text: await listFolder(uri) };
}

async function readRange(uri: vscode.Uri, range?: vscode.Range): Promise<Attachment> {
	const document = await vscode.workspace.openTextDocument(uri);
	const path = vscode.workspace.asRelativePath(uri);
	const name = range ? `${path}, lines ${range.start.line + 1} to ${range.end.line + 1}` : path;
	return { name, text: document.getText(range) };
}
