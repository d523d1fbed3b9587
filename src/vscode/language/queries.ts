import * as vscode from "vscode";
import { signalOf } from "../cancellation.ts";
import { DOOR, type LanguageDeps } from "./deps.ts";
import { learnPrefixes, namesOf, rangeOf } from "./namedDocument.ts";
import { type ResultText, resultText, thingsIn } from "./resultText.ts";

const never = new AbortController().signal;

const RESULT = vscode.l10n.t("Query Result");

/** Rows that are shown of one query. */
const ROWS = 1000;

/** Files with SPARQL: they are checked while somebody types, and run. */
export function createQueries({ graph, things, documents }: LanguageDeps) {
	let shown: ResultText = { text: "", links: [] };
	vscode.languages.registerDocumentLinkProvider(
		{ scheme: "copilot-ld", pattern: `**/${RESULT}` },
		{
			provideDocumentLinks: () =>
				shown.links.map(({ line, start, end, place: { uri, lines } }) => {
					const target = vscode.Uri.parse(uri).with({ fragment: `L${lines.start}-${lines.end}` });
					return new vscode.DocumentLink(new vscode.Range(line, start, line, end), target);
				}),
		},
	);
	return {
		runQuery: async (document: vscode.TextDocument) =>
			vscode.window.withProgress(
				{
					// The status bar has no place for Cancel.
					location: vscode.ProgressLocation.Notification,
					title: vscode.l10n.t("Copilot-LD: running the query"),
					cancellable: true,
				},
				async (_, token) => {
					const signal = signalOf(token);
					const sparql = document.getText();
					const result = await graph.query({ sparql, limit: ROWS, ...DOOR }, signal);
					const found = await things.named({ iris: thingsIn(result.answer), ...DOOR }, signal);
					shown = resultText(result, sparql, found);
					await documents.open(RESULT, shown.text, vscode.ViewColumn.Beside);
				},
			),
		/** What is wrong with a query: that it is none, or that it names what no document has. */
		checkQuery: async (document: vscode.TextDocument): Promise<vscode.Diagnostic[]> => {
			const sparql = document.getText();
			if (sparql.replace(/^\s*#.*$/gm, "").trim() === "") return [];
			const [unknown, prefixes] = await Promise.all([
				graph.check({ sparql, ...DOOR }, never),
				things.prefixes(DOOR, never),
			]);
			learnPrefixes(document, prefixes);
			return unknown.flatMap(({ iri, nearest }) => unknownIn(document, iri, nearest));
		},
	};
}

function unknownIn(
	document: vscode.TextDocument,
	iri: string,
	nearest: readonly string[],
): vscode.Diagnostic[] {
	const near = nearest.map((each) => `<${each}>`).join(", ");
	const message =
		near === ""
			? vscode.l10n.t("No document uses <{0}>.", iri)
			: vscode.l10n.t("No document uses <{0}>. Nearest: {1}.", iri, near);
	return namesOf(document)
		.names.filter((name) => name.iri === iri)
		.map((name) => toDiagnostic(rangeOf(document, name), message));
}

function toDiagnostic(range: vscode.Range, message: string): vscode.Diagnostic {
	const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Warning);
	diagnostic.source = "Copilot-LD";
	return diagnostic;
}
