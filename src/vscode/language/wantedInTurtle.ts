import * as vscode from "vscode";
import { localNameOf } from "../../base/rdf/vocabulary.ts";
import { compactIri } from "../../names/compact.ts";
import { isIri } from "../../names/resolveIri.ts";
import { ALL_KINDS, namesOf, type Wanted } from "./namedDocument.ts";

/** A prefixed name, an IRI or a bare word of Turtle or SPARQL. */
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
	const { prefixes } = namesOf(document);
	const declared = new Map(prefixes);
	const all = new Map([...Object.entries(known), ...declared]);
	const within = prefix !== undefined || typed.startsWith(":") ? all.get(prefix ?? "") : undefined;
	return {
		words: iri === undefined ? local : localNameOf(iri),
		range: new vscode.Range(position.translate(0, -typed.length), position),
		kinds: /(?:^|[\s;])a\s+(?:[^\s;.]+\s*,\s*)*$/.test(before) ? ["class"] : ALL_KINDS,
		...(within !== undefined && { within }),
		spell: ({ id }) => {
			// What another syntax allowed could end the name here, and go on.
			if (!isIri(id)) return undefined;
			if (iri !== undefined) return { text: `<${id}>` };
			const spelled = compactIri(id, declared);
			if (spelled !== undefined) return { text: spelled };
			const short = compactIri(id, all);
			return short === undefined
				? { text: `<${id}>` }
				: { text: short, edits: [declaration(document, short, all)] };
		},
	};
}

/** An odd number of quotation marks on the line: somebody writes a text. */
function isInText(before: string): boolean {
	return (before.replace(/\\./g, "").match(/"/g)?.length ?? 0) % 2 === 1;
}

/** Declares the prefix of a name above everything else, or below the prefixes that are there. */
export function declaration(
	document: vscode.TextDocument,
	name: string,
	namespaces: ReadonlyMap<string, string>,
): vscode.TextEdit {
	const prefix = name.slice(0, name.indexOf(":"));
	const namespace = namespaces.get(prefix) ?? "";
	const isQuery = /\.(?:rq|sparql)$/i.test(document.uri.path);
	const text = isQuery ? `PREFIX ${prefix}: <${namespace}>\n` : `@prefix ${prefix}: <${namespace}> .\n`;
	let line = 0;
	for (let at = 0; at < Math.min(document.lineCount, 200); at++)
		if (/^\s*@?(?:prefix|base)\b/i.test(document.lineAt(at).text)) line = at + 1;
	return vscode.TextEdit.insert(new vscode.Position(line, 0), text);
}
