import { existsSync } from "node:fs";
import { basename } from "node:path";
import * as vscode from "vscode";
import { NOTE } from "../../base/text/noteSyntax.ts";
import type { WrittenName } from "../../names/name.ts";
import { signalOf } from "../cancellation.ts";
import { diagnosticAt } from "../treeLines.ts";
import { CHANNEL, type LanguageDeps, namesOf, rangeOf } from "./namedDocument.ts";

export function createNotes({ things }: LanguageDeps) {
	const linksOf = async (document: vscode.TextDocument, signal: AbortSignal) => {
		const links = namesOf(document).names.filter(({ iri, place }) => !place && NOTE.test(iri));
		const notes = await things.notes({ iris: links.map(({ iri }) => iri), ...CHANNEL }, signal);
		return links.map((link) => {
			const meant = notes[link.iri] ?? [];
			const isMissing = meant.length === 0 && !existsSync(vscode.Uri.parse(link.iri).fsPath);
			return { link, range: rangeOf(document, link), notes: meant, isMissing };
		});
	};
	return {
		/** Fades links to missing notes, which are still to be written. */
		checkNotes: async (document: vscode.TextDocument): Promise<vscode.Diagnostic[]> => {
			const links = await linksOf(document, new AbortController().signal);
			const missing = links.flatMap(({ range, isMissing }) => {
				if (!isMissing) return [];
				const text = vscode.l10n.t("There is no note of this name yet.");
				const hint = diagnosticAt(range, text, vscode.DiagnosticSeverity.Hint);
				hint.tags = [vscode.DiagnosticTag.Unnecessary];
				return hint;
			});
			const ambiguous = links
				.filter(({ notes }) => notes.length > 1)
				.map(({ range, notes }) => {
					const paths = notes.map((note) => vscode.workspace.asRelativePath(vscode.Uri.parse(note)));
					const text = vscode.l10n.t("Several notes have this name: {0}. Write the path.", paths.join(", "));
					return diagnosticAt(range, text);
				});
			return [...missing, ...ambiguous];
		},
		/** Opens a missing note on a click. Saving creates the file. */
		provideDocumentLinks: async (document, token) => {
			const links = await linksOf(document, signalOf(token));
			return links
				.filter(({ link, isMissing }) => isMissing && isWikilink(document, link))
				.map(({ link, range }) => {
					const file = fileToCreate(document, link);
					const opened = new vscode.DocumentLink(range, file.with({ scheme: "untitled" }));
					opened.tooltip = vscode.l10n.t("Create “{0}”", vscode.workspace.asRelativePath(file));
					return opened;
				});
		},
	} satisfies vscode.DocumentLinkProvider & Record<string, unknown>;
}

export function isWikilink(document: vscode.TextDocument, { start }: WrittenName): boolean {
	return document.getText().startsWith("[[", start - 2);
}

/** File for a missing note: beside the linking note, or at a path from the open folder. */
function fileToCreate(document: vscode.TextDocument, { iri, start, end }: WrittenName): vscode.Uri {
	const beside = vscode.Uri.parse(iri);
	const root = vscode.workspace.getWorkspaceFolder(document.uri)?.uri;
	const folders = document.getText().slice(start, end).split("/").slice(0, -1);
	const folder = root && vscode.Uri.joinPath(root, ...folders);
	const isFromRoot =
		folder && existsSync(folder.fsPath) && !existsSync(vscode.Uri.joinPath(beside, "..").fsPath);
	return isFromRoot ? vscode.Uri.joinPath(folder, basename(beside.path)) : beside;
}
