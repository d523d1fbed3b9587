import type { FoundThing, Neighbourhood } from "../../src/core/knowledge/graph.ts";
import type { GraphRequest } from "../../src/protocol/graphView.ts";
import type { Action } from "../model/state.ts";
import { amounts, l10n } from "../parts/l10n.ts";
import { lookOf } from "./pictureStyle.ts";

/** Above this number, most resources are drawn in groups, because single resources would overlap. */
const MOST_APART = 600;

/** Number of resources with the most links that are drawn singly beside groups. */
const HUBS = 150;

export const FROM_GROUP = 150;

interface Group {
	readonly id: string;
	readonly name: string;
	readonly count: number;
}

/** A link between two resources, or all links from one group to another. */
interface DrawnLink {
	readonly id: string;
	readonly from: string;
	readonly to: string;
	readonly label: string;
}

export interface Drawn {
	readonly things: ReadonlyMap<string, FoundThing>;
	readonly groups: readonly Group[];
	readonly links: readonly DrawnLink[];
	/** Every link that no filter hides, including links of grouped resources. */
	readonly all: readonly Link[];
}

/** Chooses what is drawn: all resources, or if they are too many, groups and the most important ones. */
export function drawnIn(state: GraphState): Drawn {
	const { things, links } = visibleIn(state);
	if (things.size <= MOST_APART) return { things, groups: [], links: links.map(toDrawn), all: links };
	const apart = thingsApart(state, things, links);
	const others = [...things.values()].filter(({ id }) => !apart.has(id));
	const groups = [...Map.groupBy(others, classOf)]
		.map(([name, own]) => ({ id: groupId(name), name, count: own.length }))
		.sort((a, b) => (a.name < b.name ? -1 : 1));
	const endOf = (id: string) => {
		const thing = things.get(id);
		return apart.has(id) || !thing ? id : groupId(classOf(thing));
	};
	return { things: apart, groups, links: joined(links, endOf), all: links };
}

export type Shares = ReturnType<typeof sharesIn>;

/** Counts the resources of each class and the links of each property, including hidden ones. */
export function sharesIn({ things, links }: GraphState) {
	return {
		classes: sharesOf([...things.values()].map((thing) => [classOf(thing), classOf(thing)])),
		properties: sharesOf(links.map(({ property }) => [property.id, property.label])),
	};
}

/** Caches a result until its inputs change, because every key press draws the page again. */
export function remember<Result>(make: (state: GraphState) => Result, inputs: readonly (keyof GraphState)[]) {
	let last: { readonly state: GraphState; readonly result: Result } | undefined;
	return (state: GraphState): Result => {
		const former = last?.state;
		if (!last || inputs.some((part) => state[part] !== former?.[part])) last = { state, result: make(state) };
		return last.result;
	};
}

function sharesOf(entries: readonly (readonly [name: string, label: string])[]) {
	const groups = Map.groupBy(entries, ([name]) => name);
	return [...groups]
		.map(([name, own]) => ({ name, label: own[0]?.[1] ?? name, count: own.length }))
		.sort((a, b) => b.count - a.count || (a.label < b.label ? -1 : 1));
}

export function groupId(name: string): string {
	return `group ${name}`;
}

function toDrawn(link: Link): DrawnLink {
	const { from, to, property } = link;
	return { id: keyOf(link), from, to, label: property.label };
}

function thingsApart(state: GraphState, things: ReadonlyMap<string, FoundThing>, links: readonly Link[]) {
	const { way, looked, opened } = state;
	const ranked = mostLinked([...things.values()], links);
	const members = Map.groupBy(ranked.slice(HUBS), classOf);
	const asked = [...opened].flatMap(([name, count]) => (members.get(name) ?? []).slice(0, count));
	const hubs = ranked.slice(0, HUBS);
	const chosen = new Set([...way, ...looked, ...[...hubs, ...asked].map(({ id }) => id)]);
	return new Map([...things].filter(([id]) => chosen.has(id)));
}

export function mostLinked(
	things: readonly FoundThing[],
	links: readonly { readonly from: string; readonly to: string }[],
): FoundThing[] {
	const counts = new Map<string, number>();
	for (const id of links.flatMap(({ from, to }) => [from, to])) counts.set(id, (counts.get(id) ?? 0) + 1);
	return things.toSorted((a, b) => (counts.get(b.id) ?? 0) - (counts.get(a.id) ?? 0));
}

/** Joins links between the same two nodes if one of them is a group. Omits links inside a group. */
function joined(links: readonly Link[], endOf: (id: string) => string): DrawnLink[] {
	const ended = links.map((link) => ({ link, from: endOf(link.from), to: endOf(link.to) }));
	const isApart = ({ link, from, to }: (typeof ended)[number]) => from === link.from && to === link.to;
	const others = ended.filter((each) => !isApart(each) && each.from !== each.to);
	const between = [...Map.groupBy(others, ({ from, to }) => JSON.stringify([from, to]))];
	return [
		...ended.filter(isApart).map(({ link }) => toDrawn(link)),
		...between.flatMap(([id, [one, ...more]]) =>
			one ? { id, from: one.from, to: one.to, label: amounts.links(more.length + 1) } : [],
		),
	];
}

export type Link = Neighbourhood["links"][number];

export interface GraphState {
	/** Resources by id, in order of arrival. */
	readonly things: ReadonlyMap<string, FoundThing>;
	readonly links: readonly Link[];
	readonly selected?: string | undefined;
	/** Names of hidden classes, and ids of hidden properties. */
	readonly hidden: ReadonlySet<string>;
	readonly pathFrom?: string | undefined;
	readonly way: ReadonlySet<string>;
	/** Ids of resources that the user has looked at, which are never drawn in groups again. */
	readonly looked: ReadonlySet<string>;
	/** Number of resources that were taken out of each class's group. */
	readonly opened: ReadonlyMap<string, number>;
	readonly words: string;
	readonly found: readonly FoundThing[];
	/** Grows when a new layout of all nodes is requested. */
	readonly layouts: number;
	readonly message: string;
}

export type GraphAction = Action<GraphState, GraphRequest>;

export const OPENING: GraphState = {
	things: new Map(),
	links: [],
	hidden: new Set(),
	way: new Set(),
	looked: new Set(),
	opened: new Map(),
	words: "",
	found: [],
	layouts: 0,
	message: "",
};

export function classOf({ types, kind }: FoundThing): string {
	if (kind !== "thing") return kind;
	return types.at(-1) ?? l10n.t("no class");
}

/** Assigns styles to classes in order of arrival, so that a new class does not change other classes. */
export function looksIn({ things }: GraphState): ReadonlyMap<string, string> {
	const names = new Set([...things.values()].map(classOf));
	return new Map([...names].map((name, at) => [name, lookOf(at)]));
}

export function visibleIn({ things, links, hidden }: GraphState) {
	const shown = new Map([...things].filter(([, thing]) => !hidden.has(classOf(thing))));
	const isShown = ({ from, to, property }: Link) =>
		shown.has(from) && shown.has(to) && !hidden.has(property.id);
	return { things: shown, links: links.filter(isShown) };
}

export function keyOf({ from, property, to }: Link): string {
	return JSON.stringify([from, property.id, to]);
}
