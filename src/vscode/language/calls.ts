import * as vscode from "vscode";
import type { FoundThing, ThingLink } from "../../core/knowledge/things.ts";
import { signalOf } from "../cancellation.ts";
import { DOOR, type LanguageDeps } from "./deps.ts";
import { nameUnder } from "./namedDocument.ts";
import { linesRange, locationOf } from "./places.ts";

/** A thing in the tree of links. */
class ThingItem extends vscode.CallHierarchyItem {
	readonly iri: string;

	constructor(
		{ id, label, types }: Pick<FoundThing, "id" | "label" | "types">,
		detail: string,
		location: vscode.Location,
	) {
		const kind = vscode.SymbolKind.Object;
		super(kind, label, detail || types.join(", "), location.uri, location.range, location.range);
		this.iri = id;
	}
}

/** What points to a thing, and what it points to, as the editor shows calls. */
export function createLinkTree({ things }: LanguageDeps) {
	const linksOf = (
		item: vscode.CallHierarchyItem,
		direction: "incoming" | "outgoing",
		token: vscode.CancellationToken,
	) =>
		item instanceof ThingItem ? things.links({ iri: item.iri, direction, ...DOOR }, signalOf(token)) : [];
	return {
		prepareCallHierarchy: async (document, position, token) => {
			const found = nameUnder(document, position);
			const view = found && (await things.describe({ iri: found.name.iri, ...DOOR }, signalOf(token)));
			if (!view) return undefined;
			const [first] = view.places;
			const types = view.types.map(({ label }) => label);
			const location = first ? locationOf(first) : new vscode.Location(document.uri, found.range);
			return new ThingItem({ ...view, types }, "", location);
		},
		provideCallHierarchyIncomingCalls: async (item, token) =>
			(await linksOf(item, "incoming", token)).map(
				(link) => new vscode.CallHierarchyIncomingCall(itemOf(link), [linesRange(link.place.lines)]),
			),
		provideCallHierarchyOutgoingCalls: async (item, token) =>
			(await linksOf(item, "outgoing", token)).map(
				(link) => new vscode.CallHierarchyOutgoingCall(itemOf(link), [linesRange(link.place.lines)]),
			),
	} satisfies vscode.CallHierarchyProvider;
}

/** Where the other thing is described, else where the link is stated. */
function itemOf({ property, thing, place }: ThingLink): ThingItem {
	return new ThingItem(thing, property.label, locationOf(thing.place ?? place));
}
