import * as vscode from "vscode";
import type { FoundThing, ThingKind } from "../../core/knowledge/things.ts";
import { agentDocuments } from "../agents/agentDocuments.ts";
import { signalOf } from "../cancellation.ts";
import { DOOR, type LanguageDeps } from "./deps.ts";
import { type Wanted, wantedWord } from "./wanted.ts";
import { wantedInTurtle } from "./wantedInTurtle.ts";

const MOST_ITEMS = 50;

const TURTLE = /\.(?:ttl|turtle|n3|trig|nt|nq|rq|sparql)$/i;

/** Names of things, classes and properties where one may stand. */
export function createCompletion({ things }: LanguageDeps) {
	return {
		provideCompletionItems: async (document, position, token) => {
			// Their fields name nothing of the graph.
			if (vscode.languages.match(agentDocuments(), document) > 0) return undefined;
			const signal = signalOf(token);
			const isTurtle = TURTLE.test(document.uri.path);
			const known = isTurtle ? await things.prefixes(DOOR, signal) : {};
			const wanted = isTurtle ? wantedInTurtle(document, position, known) : wantedWord(document, position);
			if (!wanted) return undefined;
			const { words, kinds, within } = wanted;
			const query = { words, kinds, limit: MOST_ITEMS, ...(within && { within }), ...DOOR };
			const found = await things.find(query, signal);
			const items = found.flatMap((thing, rank) => toItem(document, thing, { wanted, rank }));
			return new vscode.CompletionList(items, true);
		},
	} satisfies vscode.CompletionItemProvider;
}

const ITEMS: Readonly<Record<ThingKind, vscode.CompletionItemKind>> = {
	class: vscode.CompletionItemKind.Class,
	property: vscode.CompletionItemKind.Property,
	thing: vscode.CompletionItemKind.Value,
};

function toItem(
	document: vscode.TextDocument,
	thing: FoundThing,
	{ wanted, rank }: { readonly wanted: Wanted; readonly rank: number },
): vscode.CompletionItem[] {
	const spelled = wanted.spell(thing);
	if (!spelled) return [];
	const { id, label, kind, types } = thing;
	const item = new vscode.CompletionItem({ label, description: types.join(", ") }, ITEMS[kind]);
	item.insertText = spelled.text;
	item.range = wanted.range;
	// What fits was chosen already, by more than the letters.
	item.filterText = document.getText(wanted.range);
	item.sortText = String(rank).padStart(4, "0");
	item.detail = id;
	if (spelled.edits) item.additionalTextEdits = spelled.edits;
	return [item];
}
