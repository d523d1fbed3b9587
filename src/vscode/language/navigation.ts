import { access } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as vscode from "vscode";
import type { FoundThing, Place, ThingKind } from "../../core/knowledge/things.ts";
import { signalOf } from "../cancellation.ts";
import { DOOR, type LanguageDeps } from "./deps.ts";
import { fileUriOf, nameUnder } from "./namedDocument.ts";
import { linesRange, locationOf, narrowed } from "./places.ts";

/** Things that one search of the workspace shows. */
const MOST_SYMBOLS = 200;

/** Every place that describes the thing; a file that is named is its own. */
export function createDefinition({ things }: LanguageDeps) {
	return {
		provideDefinition: async (document, position, token) => {
			const found = nameUnder(document, position);
			if (!found) return undefined;
			const { iri } = found.name;
			const view = await things.describe({ iri, ...DOOR }, signalOf(token));
			const places = view && view.places.length > 0 ? view.places : await placeOfFile(iri);
			return places.map((place): vscode.LocationLink => {
				const { uri, range } = locationOf(place);
				return { originSelectionRange: found.range, targetUri: uri, targetRange: range };
			});
		},
	} satisfies vscode.DefinitionProvider;
}

async function placeOfFile(iri: string): Promise<Place[]> {
	if (!iri.startsWith("file:")) return [];
	const [uri = ""] = iri.split("#", 1);
	const isThere = await access(fileURLToPath(uri)).then(
		() => true,
		() => false,
	);
	return isThere ? [{ uri, lines: { start: 1, end: 1 } }] : [];
}

/** Every statement that points to the thing, and where it is described if that is asked for. */
export function createReferences({ things }: LanguageDeps) {
	return {
		provideReferences: async (document, position, { includeDeclaration }, token) => {
			const found = nameUnder(document, position);
			if (!found) return undefined;
			const query = { iri: found.name.iri, ...DOOR };
			const signal = signalOf(token);
			const pointers = await things.pointers(query, signal);
			const view = includeDeclaration ? await things.describe(query, signal) : undefined;
			return [...(await narrowed(query.iri, pointers)), ...(view?.places ?? []).map(locationOf)];
		},
	} satisfies vscode.ReferenceProvider;
}

/** What the document describes. */
export function createDocumentSymbols({ things }: LanguageDeps) {
	return {
		provideDocumentSymbols: async (document, token) => {
			const found = await things.described({ uri: fileUriOf(document.uri), ...DOOR }, signalOf(token));
			return found.map(({ label, id, types, lines }) => {
				const range = document.validateRange(linesRange(lines));
				const detail = types.map(lastPart).join(", ");
				const kind = SYMBOLS[kindBy(types)];
				return new vscode.DocumentSymbol(
					label || id,
					detail,
					kind,
					range,
					new vscode.Range(range.start, range.start),
				);
			});
		},
	} satisfies vscode.DocumentSymbolProvider;
}

/** Things by the beginnings of their words. */
export function createWorkspaceSymbols({ things }: LanguageDeps) {
	return {
		provideWorkspaceSymbols: async (words, token) => {
			if (words.trim() === "") return [];
			const found = await things.find({ words, limit: MOST_SYMBOLS, ...DOOR }, signalOf(token));
			return found.flatMap(toSymbol);
		},
	} satisfies vscode.WorkspaceSymbolProvider;
}

const SYMBOLS: Readonly<Record<ThingKind, vscode.SymbolKind>> = {
	class: vscode.SymbolKind.Class,
	property: vscode.SymbolKind.Property,
	thing: vscode.SymbolKind.Object,
};

function toSymbol({ label, kind, types, place }: FoundThing): vscode.SymbolInformation[] {
	if (!place) return [];
	return [new vscode.SymbolInformation(label, SYMBOLS[kind], types.join(", "), locationOf(place))];
}

function kindBy(types: readonly string[]): ThingKind {
	if (types.some((type) => /[#/]Class$/.test(type))) return "class";
	return types.some((type) => /Property$/.test(type)) ? "property" : "thing";
}

function lastPart(iri: string): string {
	return iri.slice(Math.max(iri.lastIndexOf("#"), iri.lastIndexOf("/")) + 1);
}
