import * as vscode from "vscode";
import { Failure } from "../../base/failure.ts";
import { namespaceOf } from "../../base/rdf/vocabulary.ts";
import type { FileEdits } from "../../core/knowledge/graph.ts";
import { nameAt, type WrittenName } from "../../names/name.ts";
import { NAMED_FILES, namesIn } from "../../names/names.ts";
import { signalOf } from "../cancellation.ts";
import { DOOR, fileUriOf, type LanguageDeps, nameUnder, type PlacedName } from "./namedDocument.ts";

/** Renames a resource, or a note, in all files. The user sees every change before it is made. */
export function createRename({ things }: LanguageDeps) {
	return {
		prepareRename: async (document, position) => {
			const { name, range } = requireName(document, position);
			const text = document.getText(range);
			const inside = /^<.*>$/s.test(text)
				? new vscode.Range(range.start.translate(0, 1), range.end.translate(0, -1))
				: range;
			return { range: inside, placeholder: text.startsWith("<") ? name.iri : text };
		},
		provideRenameEdits: async (document, position, newName, token) => {
			const { name } = requireName(document, position);
			const to = newIri(document, name, newName);
			const open = vscode.workspace.textDocuments
				.filter(({ isDirty, uri }) => isDirty && isNamedFile(uri))
				.map((each) => ({ uri: fileUriOf(each.uri), text: each.getText() }));
			const { files, notice } = await things.rename({ iri: name.iri, to, open, ...DOOR }, signalOf(token));
			return toWorkspaceEdit(files, { iri: name.iri, to, notice });
		},
	} satisfies vscode.RenameProvider;
}

function isNamedFile({ scheme, path }: vscode.Uri): boolean {
	return scheme === "file" && NAMED_FILES.includes(path.slice(path.lastIndexOf(".") + 1).toLowerCase());
}

function requireName(document: vscode.TextDocument, position: vscode.Position): PlacedName {
	const found = nameUnder(document, position);
	if (!found) throw new Failure("BAD_INPUT", vscode.l10n.t("There is no name of a thing here."));
	return found;
}

/** The IRI that the new text would have at this position: the user writes in the file's syntax, or a full IRI. */
function newIri(document: vscode.TextDocument, { iri, start, end }: WrittenName, written: string): string {
	const text = document.getText();
	const old = text.slice(start, end);
	const isIri = /^[a-z][\w+.-]*:\/\/|^urn:/i.test(written);
	if (isIri && !iri.startsWith("file:")) return written;
	const word = old.startsWith("<") ? `<${written}>` : written;
	const uri = fileUriOf(document.uri);
	const edited = text.slice(0, start) + word + text.slice(end);
	const name = nameAt(namesIn({ uri, text: edited }).names, start + 1);
	if (name?.start === start && name.end === start + word.length) return name.iri;
	// A term of a JSON-LD context means nothing before the context is renamed too.
	if ([old, written].every((each) => /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(each)))
		return namespaceOf(iri) + written;
	throw new Failure(
		"BAD_INPUT",
		vscode.l10n.t("“{0}” is not a valid name here. Write it like {1}, or as a full IRI.", written, old),
	);
}

interface Change {
	readonly iri: string;
	readonly to: string;
	readonly notice: string | undefined;
}

/** What goes beyond one file is shown first. */
function toWorkspaceEdit(files: readonly FileEdits[], { iri, to, notice }: Change): vscode.WorkspaceEdit {
	const edit = new vscode.WorkspaceEdit();
	const label = vscode.l10n.t("Rename in All Files");
	const needsConfirmation = files.length > 1 || notice !== undefined || iri.startsWith("file:");
	const metadata = { label, needsConfirmation, ...(notice !== undefined && { description: notice }) };
	for (const { uri, edits } of files) {
		const file = vscode.Uri.parse(uri);
		for (const { from, to: end, text } of edits)
			edit.replace(
				file,
				new vscode.Range(from.line, from.character, end.line, end.character),
				text,
				metadata,
			);
	}
	if (iri.startsWith("file:"))
		edit.renameFile(vscode.Uri.parse(iri), vscode.Uri.parse(to), { overwrite: false }, metadata);
	return edit;
}
