import * as vscode from "vscode";
import { localNameOf } from "../../base/rdf/vocabulary.ts";
import { NOTE, TAGS } from "../../base/text/noteSyntax.ts";
import type { FoundThing, ThingKind } from "../../core/knowledge/graph.ts";
import { compactIri, isIri } from "../../names/iris.ts";
import { nameAt, type WrittenName } from "../../names/name.ts";
import { namesIn } from "../../names/names.ts";
import { fileUriOf, isQuery, namesOf } from "./namedDocument.ts";

export interface Wanted {
	readonly words: string;
	readonly range: vscode.Range;
	readonly kinds: readonly ThingKind[];
	/** Prefix that offered IRIs must have. */
	readonly within?: string;
	/** The text to insert for a resource; `undefined` if the resource has no valid name there. */
	spell(thing: FoundThing): string | undefined;
	/** Other edits that the document needs for the inserted text, such as a declaration. */
	editsFor?(spelled: string): vscode.TextEdit[];
}

const ALL_KINDS: readonly ThingKind[] = ["class", "property", "thing"];

export function wantedWord(document: vscode.TextDocument, position: vscode.Position): Wanted | undefined {
	const line = document.lineAt(position).text.slice(0, position.character);
	if (/\[\[[^\]|#]*$/.test(line)) return wantedNote(document, position);
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
		spell: ({ id }) => name.spell(id),
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
		spell: ({ label }) => label.slice(1),
	};
}

/** Completes the name of a note in brackets, which need not be closed yet. */
function wantedNote(document: vscode.TextDocument, position: vscode.Position): Wanted | undefined {
	const line = document.lineAt(position).text.slice(0, position.character);
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
				const isWord = alias !== undefined && !/[[\]|\n]/.test(alias);
				return note && note + (isWord ? `|${alias}` : "") + closing;
			},
		}
	);
}

/** The name that would be read if the text were typed here. The role of the name decides what is offered. */
function nameIfTyped(
	document: vscode.TextDocument,
	{ start, end, text: typed }: { readonly start: number; readonly end: number; readonly text: string },
): WrittenName | undefined {
	const text = document.getText();
	const edited = text.slice(0, start) + typed + text.slice(end);
	return nameAt(namesIn({ uri: fileUriOf(document.uri), text: edited }).names, start);
}

function kindsOf(role: NonNullable<WrittenName["role"]>): ThingKind[] {
	return role === "thing" ? ["thing", "class"] : [role];
}

export function wantedInTurtle(
	document: vscode.TextDocument,
	position: vscode.Position,
	known: Readonly<Record<string, string>>,
): Wanted | undefined {
	const line = document.lineAt(position).text.slice(0, position.character);
	const [typed, iri, prefix, local = ""] =
		/(?:<([^<>"\s]*)|(?:([\p{L}][\w.-]*)?:)?([\p{L}\p{N}_-]*))$/u.exec(line) ?? [];
	const before = line.slice(0, line.length - (typed?.length ?? 0));
	if (typed === undefined || typed === "" || /[?$@#"'\\]$/.test(before) || isInText(before)) return undefined;
	const declared = namesOf(document).prefixes;
	const all = new Map([...Object.entries(known), ...declared]);
	const within = prefix !== undefined || typed.startsWith(":") ? all.get(prefix ?? "") : undefined;
	return {
		words: iri === undefined ? local : localNameOf(iri),
		range: new vscode.Range(position.translate(0, -typed.length), position),
		kinds: /(?:^|[\s;])a\s+(?:[^\s;.]+\s*,\s*)*$/.test(before) ? ["class"] : ALL_KINDS,
		...(within !== undefined && { within }),
		spell: ({ id }) => {
			// Characters that are valid in another syntax could end the IRI here, and inject more.
			if (!isIri(id)) return undefined;
			const short = iri === undefined ? (compactIri(id, declared) ?? compactIri(id, all)) : undefined;
			return short ?? `<${id}>`;
		},
		editsFor: (spelled) =>
			spelled.startsWith("<") || declared.has(prefixOf(spelled)) ? [] : [declaration(document, spelled, all)],
	};
}

export function prefixOf(name: string): string {
	return name.slice(0, name.indexOf(":"));
}

/** Whether the cursor is inside a string: the line has an odd number of quotation marks before it. */
function isInText(before: string): boolean {
	return (before.replace(/\\./g, "").match(/"/g)?.length ?? 0) % 2 === 1;
}

export function declaration(document: vscode.TextDocument, name: string, known: ReadonlyMap<string, string>) {
	const prefix = prefixOf(name);
	const declared = `${prefix}: <${known.get(prefix) ?? ""}>`;
	const text = isQuery(document) ? `PREFIX ${declared}\n` : `@prefix ${declared} .\n`;
	const first = document.getText(new vscode.Range(0, 0, 200, 0)).split("\n");
	const line = first.findLastIndex((each) => /^\s*@?(?:prefix|base)\b/i.test(each)) + 1;
	return vscode.TextEdit.insert(new vscode.Position(line, 0), text);
}
