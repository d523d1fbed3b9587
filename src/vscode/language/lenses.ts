import * as vscode from "vscode";
import type { WrittenName } from "../../names/name.ts";
import { signalOf } from "../cancellation.ts";
import { linesRange } from "../folders.ts";
import { counted } from "../l10n.ts";
import { DOOR, fileUriOf, type LanguageDeps, namesOf, rangeOf } from "./namedDocument.ts";
import { narrowed } from "./places.ts";

const MOST_LENSES = 500;

export function createLenses({ things }: LanguageDeps) {
	return {
		/** Above a described thing: how many statements point to it. */
		provideCodeLenses: async (document, token) => {
			const uri = fileUriOf(document.uri);
			const described = await things.described({ uri, ...DOOR }, signalOf(token));
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
			const pointers = await things.pointers({ iri, ...DOOR }, new AbortController().signal);
			const locations = await narrowed(iri, pointers, things);
			await vscode.commands.executeCommand("editor.action.showReferences", uri, position, locations);
		},
		/** Beside a name that says nothing by itself: what the thing is called. */
		provideInlayHints: async (document, range, token) => {
			const isShown = (name: WrittenName) => !name.place && range.intersection(rangeOf(document, name));
			const names = namesOf(document).names.filter(isShown);
			const iris = [...new Set(names.map(({ iri }) => iri))];
			const found = await things.named({ iris, ...DOOR }, signalOf(token));
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

const references = counted(vscode.l10n.t("1 reference"), vscode.l10n.t("{0} references"));

/** Whether the name is the label but for its spelling. */
function saysIt(iri: string, label: string): boolean {
	const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
	return letters(iri).endsWith(letters(label));
}
