import { pathToFileURL } from "node:url";
import * as vscode from "vscode";
import { type Names, nameAt, type WrittenName } from "../../names/name.ts";
import { namesIn } from "../../names/names.ts";

const read = new WeakMap<vscode.TextDocument, { readonly version: number; readonly names: Names }>();

/** The names in a document as it stands in the editor; read again after it was edited. */
export function namesOf(document: vscode.TextDocument): Names {
	const known = read.get(document);
	if (known?.version === document.version) return known.names;
	const names = namesIn({ uri: fileUriOf(document.uri), text: document.getText() });
	read.set(document, { version: document.version, names });
	return names;
}

/** A name and where it stands in an editor. */
export interface PlacedName {
	readonly name: WrittenName;
	readonly range: vscode.Range;
}

/** The name at a position. */
export function nameUnder(document: vscode.TextDocument, position: vscode.Position): PlacedName | undefined {
	const name = nameAt(namesOf(document).names, document.offsetAt(position));
	return name && { name, range: rangeOf(document, name) };
}

export function rangeOf(
	document: vscode.TextDocument,
	{ start, end }: Pick<WrittenName, "start" | "end">,
): vscode.Range {
	return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

/** As the index spells it. */
export function fileUriOf({ fsPath }: vscode.Uri): string {
	return pathToFileURL(fsPath).href;
}
