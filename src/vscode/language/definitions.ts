import { access } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as vscode from "vscode";
import { decodedPart } from "../../base/rdf/vocabulary.ts";
import { NOTE } from "../../base/text/noteSyntax.ts";
import type { Place } from "../../core/knowledge/graph.ts";
import type { WrittenName } from "../../names/name.ts";
import { signalOf } from "../cancellation.ts";
import { DOOR, type LanguageDeps, nameUnder } from "./namedDocument.ts";
import { introductions, locateInNote, locationOf, narrowed } from "./places.ts";

/** Where each file introduces the thing; of a note the file, or the heading or block in it. */
export function createDefinition({ things }: LanguageDeps) {
	return {
		provideDefinition: async (document, position, token) => {
			const found = nameUnder(document, position);
			if (!found) return undefined;
			const locations = await locate(found.name, things, signalOf(token));
			return locations.map(
				({ uri, range }): vscode.LocationLink => ({
					originSelectionRange: found.range,
					targetUri: uri,
					targetRange: range,
				}),
			);
		},
	} satisfies vscode.DefinitionProvider;
}

async function locate(
	{ iri, place }: WrittenName,
	things: LanguageDeps["things"],
	signal: AbortSignal,
): Promise<vscode.Location[]> {
	const view = await things.describe({ iri, ...DOOR }, signal);
	if (!place && view && !NOTE.test(view.id) && view.places.length > 0)
		return introductions(view.id, view.places);
	const notes = await things.notes({ iris: [iri], ...DOOR }, signal);
	const fragment = place ? iri.slice(iri.indexOf("#")) : "";
	const found = await Promise.all((notes[iri] ?? []).map((note) => locateInNote(note, fragment)));
	return found.length > 0 ? found : (await placeOfFile(iri)).map(locationOf);
}

async function placeOfFile(iri: string): Promise<Place[]> {
	if (!iri.startsWith("file:")) return [];
	const [uri = ""] = iri.split("#", 1);
	const isThere = await access(fileURLToPath(uri)).then(
		() => true,
		() => false,
	);
	if (isThere) return [firstLineOf(uri)];
	// Pictures and other attachments are found by their names, as notes are.
	const name = decodedPart(uri.slice(uri.lastIndexOf("/") + 1)).replace(/[*?{}[\]]/g, "[$&]");
	const found = await vscode.workspace.findFiles(`**/${name}`, undefined, 1);
	return found.map((file) => firstLineOf(file.toString()));
}

function firstLineOf(uri: string): Place {
	return { uri, lines: { start: 1, end: 1 } };
}

/** Every statement that points to the resource and, if requested, its description. */
export function createReferences({ things }: LanguageDeps) {
	return {
		provideReferences: async (document, position, { includeDeclaration }, token) => {
			const found = nameUnder(document, position);
			if (!found) return undefined;
			const { iri, place } = found.name;
			const query = { iri, ...DOOR };
			const signal = signalOf(token);
			const pointers = await things.pointers(query, signal);
			const narrowing = { things, withPlace: includeDeclaration };
			if (place) {
				// A note may link to its own headings and blocks.
				const { [iri]: [note] = [] } = await things.notes({ iris: [iri], ...DOOR }, signal);
				return narrowed(iri, [...pointers, ...(note ? [firstLineOf(note)] : [])], narrowing);
			}
			const view = includeDeclaration ? await things.describe(query, signal) : undefined;
			return [...(await narrowed(iri, pointers, narrowing)), ...(view?.places ?? []).map(locationOf)];
		},
	} satisfies vscode.ReferenceProvider;
}
