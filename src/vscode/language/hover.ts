import * as vscode from "vscode";
import { escapeMarkdown, inlineCode, linkTarget } from "../../base/text/markdown.ts";
import type { Place, ThingView } from "../../core/knowledge/things.ts";
import { numeral } from "../amounts.ts";
import { signalOf } from "../cancellation.ts";
import { DOOR, type LanguageDeps } from "./deps.ts";
import { nameUnder } from "./namedDocument.ts";

const PLACES = 5;
const USUAL = 12;

/** What the documents say of the thing under the pointer. */
export function createHover({ things }: LanguageDeps) {
	return {
		provideHover: async (document, position, token) => {
			const found = nameUnder(document, position);
			if (!found) return undefined;
			const view = await things.describe({ iri: found.name.iri, ...DOOR }, signalOf(token));
			return view && new vscode.Hover(new vscode.MarkdownString(hoverText(view)), found.range);
		},
	} satisfies vscode.HoverProvider;
}

/** Names and values come from documents: they are shown as they are, never as Markdown. */
function hoverText(view: ThingView): string {
	const { id, label, types, properties, usual, places, pointers, aliases } = view;
	const classes = types.map((type) => escapeMarkdown(type.label)).join(", ");
	const values = properties.map(({ label: property, values: shown, total }) => {
		const more = total > shown.length ? ` … (${total})` : "";
		return `- *${escapeMarkdown(property)}*: ${shown.map(escapeMarkdown).join("; ")}${more}`;
	});
	const parts = [
		`**${escapeMarkdown(label)}**${classes ? ` — ${classes}` : ""}`,
		inlineCode(id),
		values.join("\n"),
		usual.length > 0
			? vscode.l10n.t("Usual properties: {0}", namesOf(usual.map((property) => property.label)))
			: "",
		aliases.length > 0 ? vscode.l10n.t("Same as {0}", aliases.map(inlineCode).join(", ")) : "",
		placesText(places),
		countText(pointers),
	];
	return parts.filter((part) => part !== "").join("\n\n");
}

function namesOf(names: readonly string[]): string {
	const shown = names.slice(0, USUAL).map(escapeMarkdown).join(", ");
	return names.length > USUAL ? `${shown} … (${names.length})` : shown;
}

function placesText(places: readonly Place[]): string {
	if (places.length === 0) return vscode.l10n.t("No document describes it.");
	const shown = places.slice(0, PLACES).map(({ uri, lines }) => {
		const file = vscode.Uri.parse(uri);
		const name = `${vscode.workspace.asRelativePath(file)}:${lines.start}`;
		return `[${escapeMarkdown(name)}](${linkTarget(uri)}#L${lines.start})`;
	});
	const more = places.length > PLACES ? ` … (${places.length})` : "";
	return vscode.l10n.t("Described in {0}", shown.join(", ") + more);
}

function countText(pointers: number): string {
	if (pointers === 0) return vscode.l10n.t("Nothing points to it.");
	return pointers === 1
		? vscode.l10n.t("1 statement points to it.")
		: vscode.l10n.t("{0} statements point to it.", numeral(pointers));
}
