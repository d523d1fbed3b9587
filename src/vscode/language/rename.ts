import * as vscode from "vscode";
import { l10n } from "vscode";
import { Failure } from "../../base/failure.ts";
import { decodedPart, namespaceOf } from "../../base/rdf/vocabulary.ts";
import { linkName, NOTE } from "../../base/text/noteSyntax.ts";
import type { Renaming } from "../../core/knowledge/graph.ts";
import { nameAt, type WrittenName } from "../../names/name.ts";
import { NAMED_FILES, namesIn } from "../../names/names.ts";
import { signalOf } from "../cancellation.ts";
import { translated } from "../l10n.ts";
import { CHANNEL, fileUriOf, type LanguageDeps, nameUnder, type PlacedName } from "./namedDocument.ts";

/** Renames a resource, or a note, in all files. The user sees every change before it is made. */
export function createRename({ things }: LanguageDeps) {
	const changed = (iri: string, to: string, signal: AbortSignal) => {
		const isNamed = ({ scheme, path }: vscode.Uri) =>
			scheme === "file" && NAMED_FILES.includes(path.slice(path.lastIndexOf(".") + 1).toLowerCase());
		const open = vscode.workspace.textDocuments
			.filter(({ isDirty, uri }) => isDirty && isNamed(uri))
			.map((each) => ({ uri: fileUriOf(each.uri), text: each.getText() }));
		return things.rename({ iri, to, open, ...CHANNEL }, signal);
	};
	return {
		linksToRenamed: async (oldUri: vscode.Uri, newUri: vscode.Uri) => {
			const [iri, to] = [fileUriOf(oldUri), fileUriOf(newUri)];
			const renaming = await changed(iri, to, new AbortController().signal);
			const { length } = renaming.files;
			return length > 0 ? toWorkspaceEdit({ ...renaming, iri, to, isFile: false }) : undefined;
		},
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
			const signal = signalOf(token);
			const { [name.iri]: [note] = [] } = await things.notes({ iris: [name.iri], ...CHANNEL }, signal);
			const { iri, to } = asNote(note, name, newIri(document, name, newName));
			const isFile = note !== undefined && !name.place;
			return toWorkspaceEdit({ ...(await changed(iri, to, signal)), iri, to, isFile });
		},
	} satisfies vscode.RenameProvider & Record<"linksToRenamed", unknown>;
}

function requireName(document: vscode.TextDocument, position: vscode.Position): PlacedName {
	const found = nameUnder(document, position);
	if (!found) throw new Failure("BAD_INPUT", l10n.t("There is no name of a thing here."));
	return found;
}

/** The IRI of the new name at this position. The user types the syntax of the file, or a full IRI. */
function newIri(document: vscode.TextDocument, { iri, start, end }: WrittenName, written: string): string {
	const text = document.getText();
	const old = text.slice(start, end);
	const isIri = /^[a-z][\w+.-]*:\/\/|^urn:/i.test(written);
	if (isIri && !iri.startsWith("file:")) return written;
	const word = old.startsWith("<") ? `<${written}>` : written;
	const uri = fileUriOf(document.uri);
	const edited = text.slice(0, start) + word + text.slice(end);
	const name = nameAt(namesIn({ uri, text: edited }).names, start + 1);
	if (name?.start === start && name.end === start + word.length)
		return name.place ? newPlace(iri, written) : name.iri;
	// A new term of a JSON-LD context has no meaning before the context is edited, too.
	if ([old, written].every((each) => /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(each)))
		return namespaceOf(iri) + written;
	const invalid = l10n.t(
		"“{0}” is not a valid name here. Write it like {1}, or as a full IRI.",
		written,
		old,
	);
	throw new Failure("BAD_INPUT", invalid);
}

function newPlace(iri: string, written: string): string {
	const place = `${iri.includes("#%5E") ? "^" : ""}${decodedPart(written)}`;
	return `${iri.split("#", 1)[0]}#${encodeURIComponent(place.toWellFormed())}`;
}

/** Converts a renamed link to the renaming of its note. Folders that the link omits do not change. */
function asNote(note: string | undefined, { iri, place }: WrittenName, written: string) {
	const [file = ""] = iri.split("#", 1);
	if (note === undefined || note === file) return { iri, to: written };
	if (place) return { iri: note + iri.slice(file.length), to: note + written.slice(file.length) };
	const alias = l10n.t("This is another name of the note. Change it in the front matter of the note.");
	if (linkName(file) !== linkName(note)) throw new Failure("BAD_INPUT", alias);
	const [from, to] = [file.split("/").slice(0, -1), note.split("/").slice(0, -1)];
	while (from.at(-1)?.toLowerCase() === to.at(-1)?.toLowerCase() && from.length > 3) {
		from.pop();
		to.pop();
	}
	const left = `${from.join("/")}/`;
	const moved = written.startsWith(left) ? `${to.join("/")}/${written.slice(left.length)}` : written;
	return { iri: note, to: NOTE.test(moved) ? moved : `${moved}.md` };
}

interface Change extends Renaming {
	readonly iri: string;
	readonly to: string;
	readonly isFile: boolean;
}

/** Asks for confirmation if the edits reach beyond one file. */
function toWorkspaceEdit({ iri, to, files, notice, isFile }: Change): vscode.WorkspaceEdit {
	const edit = new vscode.WorkspaceEdit();
	const metadata = {
		label: l10n.t("Rename in All Files"),
		needsConfirmation: files.length > 1 || notice !== undefined || iri.startsWith("file:"),
		...(notice !== undefined && { description: translated(notice) }),
	};
	for (const { uri, edits } of files)
		for (const { from, to: end, text } of edits) {
			const range = new vscode.Range(from.line, from.character, end.line, end.character);
			edit.replace(vscode.Uri.parse(uri), range, text, metadata);
		}
	if (isFile) edit.renameFile(vscode.Uri.parse(iri), vscode.Uri.parse(to), { overwrite: false }, metadata);
	return edit;
}
