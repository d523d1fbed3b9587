import * as vscode from "vscode";
import { RDF_TYPE } from "../../base/rdf/vocabulary.ts";
import type { NamedThing } from "../../core/knowledge/graph.ts";
import { compactIri } from "../../names/compact.ts";
import type { WrittenName } from "../../names/name.ts";
import { signalOf } from "../cancellation.ts";
import { DOOR, type LanguageDeps, namesOf } from "./namedDocument.ts";

/** Texts and comments. */
const NO_SYNTAX = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|#.*$/gm;

const MOST_PROPERTIES = 20;

/** While a thing is described in Turtle: the usual properties of its class, and which of them comes next. */
export function createPropertyHelp({ things }: LanguageDeps) {
	return {
		provideSignatureHelp: async (document, position, token) => {
			const written = writtenBefore(document, document.offsetAt(position));
			const types = typesIn(document, written);
			const views = await Promise.all(
				types.map(({ iri }) => things.describe({ iri, ...DOOR }, signalOf(token))),
			);
			const told = new Set(written.map(({ iri }) => iri));
			const { prefixes } = namesOf(document);
			const signatures = views.flatMap((view) =>
				view && view.usual.length > 0 ? signatureOf(view.label, view.usual, prefixes) : [],
			);
			if (signatures.length === 0) return undefined;
			const help = new vscode.SignatureHelp();
			help.signatures = signatures;
			const [usual = []] = views.flatMap((view) => (view && view.usual.length > 0 ? [view.usual] : []));
			help.activeParameter = usual.findIndex(({ id }) => !told.has(id));
			return help;
		},
	} satisfies vscode.SignatureHelpProvider;
}

function signatureOf(
	label: string,
	usual: readonly NamedThing[],
	prefixes: ReadonlyMap<string, string>,
): vscode.SignatureInformation {
	const signature = new vscode.SignatureInformation(`${label}:`);
	for (const { id, label: called } of usual.slice(0, MOST_PROPERTIES)) {
		const start = signature.label.length + 1;
		signature.label += ` ${compactIri(id, prefixes) ?? `<${id}>`}`;
		signature.parameters.push(new vscode.ParameterInformation([start, signature.label.length], called));
	}
	return signature;
}

/** The names of the statement that a position is in, up to there. */
function writtenBefore(document: vscode.TextDocument, offset: number): WrittenName[] {
	const text = document.getText();
	const before = namesOf(document).names.filter(({ end }) => end <= offset);
	// A full stop between two names ends a statement if only blanks follow it.
	const first = before.findLastIndex(({ end }, at) => {
		const between = text.slice(end, before[at + 1]?.start ?? offset).replace(NO_SYNTAX, "");
		return /\.(?=\s|$)/.test(between);
	});
	return before.slice(first + 1);
}

/** What follows `a`, up to the next property. */
function typesIn(document: vscode.TextDocument, written: readonly WrittenName[]): WrittenName[] {
	const text = document.getText();
	return written.filter(({ start, iri }, at) => {
		const before = text.slice(written[at - 1]?.end ?? start, start);
		return iri !== RDF_TYPE && (/(?:^|\s)a\s+$/.test(before) || written[at - 1]?.iri === RDF_TYPE);
	});
}
