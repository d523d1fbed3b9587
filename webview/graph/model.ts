import type { FoundThing, Neighbourhood } from "../../src/core/knowledge/graph.ts";
import type { GraphRequest, GraphUpdate } from "../../src/protocol/graphView.ts";
import { l10n } from "../parts/elements.ts";

export type Link = Neighbourhood["links"][number];

export interface GraphState {
	/** By their ids, in the order in which they came. */
	readonly things: ReadonlyMap<string, FoundThing>;
	readonly links: readonly Link[];
	readonly selected?: string;
	readonly pinned: ReadonlySet<string>;
	/** Names of classes, and ids of properties, that are not shown. */
	readonly hidden: ReadonlySet<string>;
	/** Ends of a path that is asked for. */
	readonly pathFrom?: string;
	readonly way: ReadonlySet<string>;
	/** Things that were looked at: they are drawn apart from now on. */
	readonly looked: ReadonlySet<string>;
	/** How many things came out of the groups of classes. */
	readonly opened: ReadonlyMap<string, number>;
	readonly words: string;
	readonly found: readonly FoundThing[];
	/** Neighbours that had no room. */
	readonly left: number;
	/** Grows when everything is to be laid out again. */
	readonly layouts: number;
	/** Said to the person, aloud too. */
	readonly message: string;
}

export type GraphEvent =
	| { readonly kind: "opened" }
	| { readonly kind: "told"; readonly update: GraphUpdate }
	| { readonly kind: "selected"; readonly id: string | undefined }
	| { readonly kind: "expanded"; readonly id: string }
	| { readonly kind: "linesWanted"; readonly id: string }
	| { readonly kind: "pinToggled"; readonly id: string }
	| { readonly kind: "removed"; readonly id: string }
	| { readonly kind: "filterToggled"; readonly name: string }
	| { readonly kind: "searched"; readonly words: string }
	| { readonly kind: "foundChosen"; readonly id: string }
	| { readonly kind: "pathBegun"; readonly id: string }
	| { readonly kind: "pathEnded"; readonly id: string }
	/** More things of a class are wanted apart. */
	| { readonly kind: "groupOpened"; readonly name: string }
	| { readonly kind: "overviewWanted" }
	| { readonly kind: "laidOut" }
	| { readonly kind: "saved"; readonly format: "svg" | "png"; readonly content: string };

export interface GraphStep {
	readonly state: GraphState;
	readonly requests: readonly GraphRequest[];
}

export const OPENING: GraphState = {
	things: new Map(),
	links: [],
	pinned: new Set(),
	hidden: new Set(),
	way: new Set(),
	looked: new Set(),
	opened: new Map(),
	words: "",
	found: [],
	left: 0,
	layouts: 0,
	message: "",
};

export function classOf({ types, kind }: FoundThing): string {
	if (kind !== "thing") return kind;
	return types.at(-1) ?? l10n.t("no class");
}

/** What is left of the things and links when those that are filtered are gone. */
export function visibleIn({ things, links, hidden }: GraphState) {
	const shown = new Map([...things].filter(([, thing]) => !hidden.has(classOf(thing))));
	return {
		things: shown,
		links: links.filter(
			({ from, to, property }) => shown.has(from) && shown.has(to) && !hidden.has(property.id),
		),
	};
}

export function keyOf({ from, property, to }: Link): string {
	return JSON.stringify([from, property.id, to]);
}
