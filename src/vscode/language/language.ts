import * as vscode from "vscode";
import { l10n } from "vscode";
import { localNameOf } from "../../base/rdf/vocabulary.ts";
import { NOTE } from "../../base/text/noteSyntax.ts";
import { escapeMarkdown, inlineCode, linkTarget } from "../../base/text/visibleText.ts";
import type { Place, ThingKind, ThingView } from "../../core/knowledge/graph.ts";
import type { WrittenName } from "../../names/name.ts";
import { signalOf } from "../cancellation.ts";
import { linesRange } from "../folders.ts";
import { counted } from "../l10n.ts";
import { createCompletion, openVocabularies, type Vocabularies } from "./completion.ts";
import { createFixes, createNotes } from "./fixes.ts";
import { CHANNEL, fileUriOf, type LanguageDeps, namesOf, nameUnder, rangeOf } from "./namedDocument.ts";
import { createPlaces, locationOf, narrowed } from "./places.ts";
import { createQueries } from "./queries.ts";
import { createRename } from "./rename.ts";

const MOST_SYMBOLS = 200;
const MOST_LENSES = 500;

export function openLanguage(deps: LanguageDeps) {
	const vocabularies = openVocabularies(deps.termsFile);
	return {
		...createHover(deps, vocabularies),
		...createPlaces(deps),
		...createSymbols(deps),
		...createCompletion(deps, vocabularies),
		...createRename(deps),
		...createLenses(deps),
		...createFixes(deps),
		...createNotes(deps),
		...createQueries(deps),
	};
}

const PLACES = 5;
const USUAL = 12;

function createHover({ things }: LanguageDeps, vocabularies: Vocabularies) {
	return {
		provideHover: async (document, position, token) => {
			const found = nameUnder(document, position);
			if (!found || !isShown(document, found.name)) return undefined;
			const { iri } = found.name;
			const signal = signalOf(token);
			const view = await things.describe({ iri, ...CHANNEL }, signal);
			const mentions = NOTE.test(view?.id ?? "") ? await things.mentions({ iri, ...CHANNEL }, signal) : [];
			const term = await vocabularies.describe(iri);
			const text = [view && hoverText(view, mentions), escapeMarkdown(term?.comment ?? "")].filter(Boolean);
			if (text.length === 0) return undefined;
			return new vscode.Hover(new vscode.MarkdownString(text.join("\n\n")), found.range);
		},
	} satisfies vscode.HoverProvider;
}

/** Whether a name has a hover. Of a note's own headings and blocks, only the first heading has a hover. */
function isShown(document: vscode.TextDocument, name: WrittenName): boolean {
	return name.place !== "here" || namesOf(document).names.find(({ place }) => place === "here") === name;
}

/** Escapes names and values, because they come from documents and could contain Markdown. */
function hoverText(view: ThingView, mentions: readonly Place[]): string {
	const { id, label, types, properties, usual, places, pointers, aliases } = view;
	const classes = types.map((type) => escapeMarkdown(type.label)).join(", ");
	const values = properties.map(({ label: property, values: shown, total }) => {
		const more = total > shown.length ? ` … (${total})` : "";
		return `- *${escapeMarkdown(property)}*: ${shown.map(escapeMarkdown).join("; ")}${more}`;
	});
	const common = firstOf(usual, USUAL, (one) => escapeMarkdown(one.label));
	const parts = [
		`**${escapeMarkdown(label)}**${classes ? ` — ${classes}` : ""}`,
		inlineCode(id),
		values.join("\n"),
		common && l10n.t("Usual properties: {0}", common),
		aliases.length > 0 ? l10n.t("Same as {0}", aliases.map(inlineCode).join(", ")) : "",
		places.length === 0
			? l10n.t("No document describes it.")
			: l10n.t("Described in {0}", placesText(places)),
		pointers === 0 ? l10n.t("Nothing points to it.") : pointersText(pointers),
		mentions.length > 0 ? l10n.t("Named without a link in {0}", placesText(mentions)) : "",
	];
	return parts.filter((part) => part !== "").join("\n\n");
}

function placesText(places: readonly Place[]): string {
	return firstOf(places, PLACES, ({ uri, lines }) => {
		const name = `${vscode.workspace.asRelativePath(vscode.Uri.parse(uri))}:${lines.start}`;
		return `[${escapeMarkdown(name)}](${linkTarget(uri)}#L${lines.start})`;
	});
}

function firstOf<Item>(items: readonly Item[], most: number, write: (item: Item) => string): string {
	const shown = items.slice(0, most).map(write).join(", ");
	return items.length > most ? `${shown} … (${items.length})` : shown;
}

const pointersText = counted(l10n.t("1 statement points to it."), l10n.t("{0} statements point to it."));

function createSymbols({ things }: LanguageDeps) {
	return {
		provideDocumentSymbols: async (document, token) => {
			const found = await things.described({ uri: fileUriOf(document.uri), ...CHANNEL }, signalOf(token));
			return found.map(({ label, id, types, lines }) => {
				const range = document.validateRange(linesRange(lines));
				const detail = types.map(localNameOf).join(", ");
				const name = new vscode.Range(range.start, range.start);
				return new vscode.DocumentSymbol(label || id, detail, SYMBOLS[kindBy(types)], range, name);
			});
		},
		provideWorkspaceSymbols: async (words, token) => {
			if (words.trim() === "") return [];
			const found = await things.find({ words, limit: MOST_SYMBOLS, ...CHANNEL }, signalOf(token));
			return found.flatMap(({ label, kind, types, place }) =>
				place ? new vscode.SymbolInformation(label, SYMBOLS[kind], types.join(", "), locationOf(place)) : [],
			);
		},
	} satisfies vscode.DocumentSymbolProvider & vscode.WorkspaceSymbolProvider;
}

const SYMBOLS: Readonly<Record<ThingKind, vscode.SymbolKind>> = {
	class: vscode.SymbolKind.Class,
	property: vscode.SymbolKind.Property,
	thing: vscode.SymbolKind.Object,
};

function kindBy(types: readonly string[]): ThingKind {
	if (types.some((type) => /[#/]Class$/.test(type))) return "class";
	return types.some((type) => /Property$/.test(type)) ? "property" : "thing";
}

function createLenses({ things }: LanguageDeps) {
	return {
		provideCodeLenses: async (document, token) => {
			const uri = fileUriOf(document.uri);
			const described = await things.described({ uri, ...CHANNEL }, signalOf(token));
			return described
				.filter(({ pointers }) => pointers > 0)
				.slice(0, MOST_LENSES)
				.map(({ id, lines, pointers }) => {
					const { start } = document.validateRange(linesRange(lines));
					const [title, of] = [references(pointers), [document.uri, start, id]];
					const command = { title, command: "copilot-ld.showReferences", arguments: of };
					return new vscode.CodeLens(new vscode.Range(start, start), command);
				});
		},
		showReferences: async (uri: vscode.Uri, position: vscode.Position, iri: string) => {
			const pointers = await things.pointers({ iri, ...CHANNEL }, new AbortController().signal);
			const locations = await narrowed(iri, pointers, things);
			await vscode.commands.executeCommand("editor.action.showReferences", uri, position, locations);
		},
		provideInlayHints: async (document, range, token) => {
			const isInSight = (name: WrittenName) => !name.place && range.intersection(rangeOf(document, name));
			const names = namesOf(document).names.filter(isInSight);
			const iris = [...new Set(names.map(({ iri }) => iri))];
			const found = await things.named({ iris, ...CHANNEL }, signalOf(token));
			return names.flatMap(({ iri, end }) => {
				const label = found[iri]?.label;
				if (label === undefined || saysIt(iri, label)) return [];
				const shown = label.length > 40 ? `${label.slice(0, 40)}…` : label;
				const hint = new vscode.InlayHint(document.positionAt(end), shown);
				hint.paddingLeft = true;
				return [hint];
			});
		},
	} satisfies vscode.CodeLensProvider & vscode.InlayHintsProvider & Record<"showReferences", unknown>;
}

const references = counted(l10n.t("1 reference"), l10n.t("{0} references"));

function saysIt(iri: string, label: string): boolean {
	const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
	return letters(iri).endsWith(letters(label));
}
