import * as vscode from "vscode";
import { uriOfPath } from "../../base/files/paths.ts";
import { localNameOf } from "../../base/rdf/vocabulary.ts";
import { NOTE, TAGS } from "../../base/text/noteSyntax.ts";
import type { FoundThing, KnowledgeGraph, ThingKind, Things } from "../../core/knowledge/graph.ts";
import type { Sessions } from "../../core/session/session.ts";
import { type Names, nameAt, type WrittenName } from "../../names/name.ts";
import { namesIn } from "../../names/names.ts";
import type { VirtualDocuments } from "../registerEach.ts";

/** Prefixes that a query may use without declaring them. */
const known = new WeakMap<vscode.TextDocument, ReadonlyMap<string, string>>();

const read = new WeakMap<vscode.TextDocument, { readonly version: number; readonly names: Names }>();

/** The names in a document as it is in the editor; read again after an edit. */
export function namesOf(document: vscode.TextDocument): Names {
	const last = read.get(document);
	if (last?.version === document.version) return last.names;
	const names = namesIn({
		uri: fileUriOf(document.uri),
		text: document.getText(),
		known: known.get(document) ?? new Map(),
	});
	read.set(document, { version: document.version, names });
	return names;
}

/** Has prefixes hold in a query that does not declare them. */
export function learnPrefixes(
	document: vscode.TextDocument,
	prefixes: Readonly<Record<string, string>>,
): void {
	known.set(document, new Map(Object.entries(prefixes)));
	read.delete(document);
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

/** As the index spells it. */
export function fileUriOf({ fsPath }: vscode.Uri): string {
	return uriOfPath(fsPath);
}

export interface LanguageDeps {
	readonly things: Things;
	/** Without waiting until the index is in step. */
	readonly graph: KnowledgeGraph;
	readonly documents: VirtualDocuments;
	readonly sessions: Sessions;
	/** Path of the terms of common vocabularies. */
	readonly termsFile: string;
}

/** What the editor and the picture of the graph show passes the policies of the chat. */
export const DOOR = { door: "chat" } as const;

export interface Wanted {
	readonly words: string;
	readonly range: vscode.Range;
	readonly kinds: readonly ThingKind[];
	/** What the IRIs begin with. */
	readonly within?: string;
	/** The text to insert for a resource; `undefined` if it is not valid there. */
	spell(thing: FoundThing): { readonly text: string; readonly edits?: vscode.TextEdit[] } | undefined;
}

export const ALL_KINDS: readonly ThingKind[] = ["class", "property", "thing"];

/** A word of a page, of JSON or of Markdown that may be a name. */
export function wantedWord(document: vscode.TextDocument, position: vscode.Position): Wanted | undefined {
	const line = document.lineAt(position).text.slice(0, position.character);
	if (/\[\[[^\]|#]*$/.test(line)) return wantedNote(document, position, line);
	const isMarkdown = NOTE.test(fileUriOf(document.uri));
	const wantedTag = isMarkdown ? tagWanted(position, line) : undefined;
	if (wantedTag) return wantedTag;
	const isValue = isMarkdown && /^\s*(?:[\w@.-]+:[ \t]+|-[ \t]+)[^\s"'[\]]*$/.test(line);
	const [typed = ""] = (isValue ? /\S*$/ : /[^\s"'<>()[\]]*$/).exec(line) ?? [];
	const offset = document.offsetAt(position);
	const rest = document.lineAt(position).text.slice(position.character);
	const end = offset + (/^[^\s"'<>()[\]|#]*/.exec(rest)?.[0].length ?? 0);
	const start = offset - typed.length;
	const name = nameIfTyped(document, { start, end, text: "urn:x" });
	if (name?.end !== start + "urn:x".length || name.place) return undefined;
	return {
		words: localNameOf(typed),
		range: new vscode.Range(document.positionAt(start), document.positionAt(end)),
		kinds: name.role ? kindsOf(name.role) : ALL_KINDS,
		spell: ({ id }) => toText(name.spell(id)),
	};
}

function tagWanted(position: vscode.Position, line: string): Wanted | undefined {
	const [, words] = /(?<!\S)#([\p{L}\p{N}_/-]+)$/u.exec(line) ?? [];
	if (words === undefined) return undefined;
	return {
		words,
		range: new vscode.Range(position.translate(0, -words.length), position),
		kinds: ALL_KINDS,
		within: TAGS,
		spell: ({ label }) => ({ text: label.slice(1) }),
	};
}

/** The name of a note in its brackets, which may still be open. */
function wantedNote(
	document: vscode.TextDocument,
	position: vscode.Position,
	line: string,
): Wanted | undefined {
	const [typed = ""] = /[^[\]]*$/.exec(line) ?? [];
	const end = document.offsetAt(position);
	const start = end - typed.length;
	const closing = /^[^[\]]*\]\]/.test(document.lineAt(position).text.slice(position.character)) ? "" : "]]";
	const name = nameIfTyped(document, { start, end, text: `x${closing}` });
	return (
		name && {
			words: typed,
			range: new vscode.Range(document.positionAt(start), position),
			kinds: ALL_KINDS,
			spell: ({ id, place, alias }) => {
				const note = name.spell(id.startsWith("file:") ? id : (place?.uri ?? id));
				const isWord = note !== undefined && alias !== undefined && !/[[\]|\n]/.test(alias);
				return toText(isWord ? `${note}|${alias}` : note, closing);
			},
		}
	);
}

/** The name that would be read if the text were typed there; its role decides what to offer. */
function nameIfTyped(
	document: vscode.TextDocument,
	{ start, end, text: typed }: { readonly start: number; readonly end: number; readonly text: string },
): WrittenName | undefined {
	const text = document.getText();
	const edited = text.slice(0, start) + typed + text.slice(end);
	return nameAt(namesIn({ uri: fileUriOf(document.uri), text: edited }).names, start);
}

function toText(spelled: string | undefined, closing = ""): { readonly text: string } | undefined {
	return spelled === undefined ? undefined : { text: spelled + closing };
}

function kindsOf(role: NonNullable<WrittenName["role"]>): ThingKind[] {
	return role === "thing" ? ["thing", "class"] : [role];
}
