import * as vscode from "vscode";
import { Failure, isFailure, messageOf } from "../../base/failure.ts";
import { fieldOf, textOf } from "../../base/values.ts";
import type { Attachment, Image } from "../../core/agent/agentEvent.ts";
import { pathOfFolder } from "../folders.ts";

const ENTRIES = 300;

const LEFT_OUT = new Set([".git", ".hg", ".svn", ".copilot-ld", "node_modules"]);

/** Reads the user's attachments. Rejects with a `Failure` if an image is too large. */
export async function readReferences(references: readonly vscode.ChatPromptReference[]) {
	const read = await Promise.all(references.map(readReference));
	return {
		attachments: read.flatMap(({ attachment }) => attachment ?? []),
		images: read.flatMap(({ image }) => image ?? []),
		/** Knowledge paths of attached folders, which are searched first. */
		sources: read.flatMap(({ source }) => source ?? []),
	};
}

async function readReference(reference: vscode.ChatPromptReference) {
	const { id, value } = reference;
	const image = await imageIn(value);
	if (image) return { image };
	const folder = value instanceof vscode.Uri && (await isFolder(value)) ? value : undefined;
	const attachment = await readAttachment(reference, folder);
	const implicit = id.startsWith(IMPLICIT) && { isImplicit: true };
	return { attachment: { ...attachment, ...implicit }, source: folder && pathOfFolder(folder) };
}

/** ID prefix of VS Code's automatic attachments: the open file, and the selected or visible lines. */
const IMPLICIT = "vscode.implicit";

/** Reads an attachment as text, or a folder as a list of paths. On failure, the text states the reason. */
async function readAttachment(
	{ id, value, modelDescription }: vscode.ChatPromptReference,
	folder: vscode.Uri | undefined,
): Promise<Attachment> {
	try {
		if (typeof value === "string") return { name: modelDescription ?? id, text: value };
		if (folder) {
			const name = `the folder ${vscode.workspace.asRelativePath(folder)}`;
			return { name, text: await listFolder(folder) };
		}
		if (value instanceof vscode.Uri) return await readRange(value);
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
		// An unsaved document has no file.
		return false;
	}
}

async function readRange(uri: vscode.Uri, range?: vscode.Range): Promise<Attachment> {
	const document = await vscode.workspace.openTextDocument(uri);
	const path = vscode.workspace.asRelativePath(uri);
	const name = range ? `${path}, lines ${range.start.line + 1} to ${range.end.line + 1}` : path;
	return { name, text: document.getText(range) };
}

/** Lists the paths in a folder, breadth first. Includes links but does not follow them. */
async function listFolder(root: vscode.Uri): Promise<string> {
	const lines: string[] = [];
	const folders = [{ uri: root, path: "" }];
	for (const { uri, path } of folders)
		for (const { name, line, isFolder } of await entriesOf(uri)) {
			if (lines.length === ENTRIES) return [...lines, "(There is more that is not listed.)"].join("\n");
			lines.push(path + line);
			if (isFolder) folders.push({ uri: vscode.Uri.joinPath(uri, name), path: path + line });
		}
	return lines.join("\n") || "(The folder is empty.)";
}

async function entriesOf(folder: vscode.Uri) {
	const all = await vscode.workspace.fs.readDirectory(folder);
	const entries = all.map(([name, type]) => {
		const isFolder = type === vscode.FileType.Directory;
		// Keeps a name that contains line breaks on one line.
		const shown = name.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "?");
		return { name, isFolder, line: isFolder ? `${shown}/` : shown };
	});
	return entries.filter(({ name }) => !LEFT_OUT.has(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Maximum bytes of an image that is sent. Models see no more detail in a larger image. */
const LARGEST = 5_000_000;

async function imageIn(value: unknown): Promise<Image | undefined> {
	if (value instanceof vscode.Uri) return imageFile(value);
	const [mimeType, data] = [textOf(value, "mimeType") ?? "", fieldOf(value, "data")];
	if (!mimeType.startsWith("image/") || typeof data !== "function") return undefined;
	const bytes: unknown = await data.call(value);
	if (!(bytes instanceof Uint8Array)) return undefined;
	refuseLarge(bytes.byteLength, vscode.l10n.t("The image"));
	return toImage(bytes, mimeType);
}

function toImage(bytes: Uint8Array, mimeType: string): Image {
	return { mimeType, data: Buffer.from(bytes).toString("base64") };
}

function refuseLarge(bytes: number, name: string): void {
	if (bytes <= LARGEST) return;
	const tooLarge = vscode.l10n.t(
		"{0} is {1} MB in size, but only images of up to {2} MB are sent. Attach a smaller one.",
		name,
		(bytes / 1e6).toFixed(1),
		LARGEST / 1e6,
	);
	throw new Failure("BAD_INPUT", tooLarge);
}

async function imageFile(uri: vscode.Uri): Promise<Image | undefined> {
	const type = /\.(png|jpe?g|gif|webp)$/i.exec(uri.path)?.[1]?.toLowerCase();
	if (!type) return undefined;
	try {
		const name = uri.path.slice(uri.path.lastIndexOf("/") + 1);
		refuseLarge((await vscode.workspace.fs.stat(uri)).size, name);
		return toImage(await vscode.workspace.fs.readFile(uri), `image/${type === "jpg" ? "jpeg" : type}`);
	} catch (thrown) {
		if (isFailure(thrown)) throw thrown;
		// The error is reported when the file is read as an attachment.
		return undefined;
	}
}
