import * as vscode from "vscode";
import { uriOfPath } from "../../base/files/paths.ts";
import { rememberFor } from "../../base/jobs/lazily.ts";
import type { KnowledgeGraph, Things } from "../../core/knowledge/graph.ts";
import { type Names, nameAt, type WrittenName } from "../../names/name.ts";
import { namesIn } from "../../names/names.ts";
import type { VirtualDocuments } from "../registerEach.ts";

/** Prefixes that a query may use without declaring them. */
const known = new WeakMap<vscode.TextDocument, ReadonlyMap<string, string>>();

type Prefixes = ReadonlyMap<string, string> | undefined;

const read = rememberFor((document: vscode.TextDocument, _version: number, prefixes: Prefixes = new Map()) =>
	namesIn({ uri: fileUriOf(document.uri), text: document.getText(), known: prefixes }),
);

/** The names in a document with its unsaved changes; cached until the next edit. */
export function namesOf(document: vscode.TextDocument): Names {
	return read(document, document.version, known.get(document));
}

export function learnPrefixes(document: vscode.TextDocument, prefixes: Readonly<Record<string, string>>) {
	known.set(document, new Map(Object.entries(prefixes)));
}

export interface PlacedName {
	readonly name: WrittenName;
	readonly range: vscode.Range;
}

export function nameUnder(document: vscode.TextDocument, position: vscode.Position): PlacedName | undefined {
	const name = nameAt(namesOf(document).names, document.offsetAt(position));
	return name && { name, range: rangeOf(document, name) };
}

export function rangeOf(document: vscode.TextDocument, { start, end }: WrittenName): vscode.Range {
	return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

export function isQuery({ uri }: vscode.TextDocument): boolean {
	return /\.(?:rq|sparql)$/i.test(uri.path);
}

/** URI of a file, spelled as in the index. */
export function fileUriOf({ fsPath }: vscode.Uri): string {
	return uriOfPath(fsPath);
}

export interface LanguageDeps {
	readonly things: Things;
	/** Queries the graph without updating the index first. */
	readonly graph: KnowledgeGraph;
	readonly documents: VirtualDocuments;
	readonly termsFile: string;
}

/** The editor and the graph view follow the policies of the chat. */
export const CHANNEL = { channel: "chat" } as const;
