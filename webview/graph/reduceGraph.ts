import type { Neighbourhood } from "../../src/core/knowledge/graph.ts";
import type { GraphRequest, GraphUpdate } from "../../src/protocol/graphView.ts";
import { amounts, l10n, numeral } from "../parts/l10n.ts";
import { FROM_GROUP, type GraphEvent, type GraphState, type GraphStep, keyOf } from "./model.ts";

/** The page decides here and nowhere else. */
export function reduceGraph(state: GraphState, event: GraphEvent): GraphStep {
	switch (event.kind) {
		case "opened":
			return step(state, { kind: "ready" });
		case "told":
			return { state: hear(state, event.update), requests: [] };
		case "selected":
			return step(select(state, event.id));
		case "expanded":
			return step(select(state, event.id), {
				kind: "expand",
				iris: [event.id],
				shown: [...state.things.keys()],
			});
		case "linesWanted":
			return step(state, ...linesOf(state, event.id));
		case "searched":
			return search(state, event.words);
		case "foundChosen":
			return choose(state, event.id);
		case "pathEnded":
			return findPath(state, event.id);
		case "overviewWanted":
			return step(state, { kind: "overview" });
		default:
			return step(change(state, event));
	}
}

/** What changes nothing but the picture. */
function change(
	state: GraphState,
	event: Extract<GraphEvent, { kind: "removed" | "filterToggled" | "groupOpened" | "pathBegun" | "laidOut" }>,
): GraphState {
	switch (event.kind) {
		case "removed":
			return remove(state, event.id);
		case "filterToggled":
			return { ...state, hidden: toggled(state.hidden, event.name) };
		case "groupOpened":
			return {
				...state,
				opened: new Map(state.opened).set(event.name, (state.opened.get(event.name) ?? 0) + FROM_GROUP),
				layouts: state.layouts + 1,
			};
		case "pathBegun":
			return { ...state, pathFrom: event.id, message: l10n.t("Select the other end of the path.") };
		case "laidOut":
			return { ...state, layouts: state.layouts + 1 };
	}
}

function step(state: GraphState, ...requests: readonly GraphRequest[]): GraphStep {
	return { state, requests };
}

function select(state: GraphState, id: string | undefined): GraphState {
	const { selected: _, ...rest } = state;
	if (id === undefined) return rest;
	const looked = state.looked.has(id) ? state.looked : new Set(state.looked).add(id);
	return { ...rest, selected: id, looked };
}

function hear(state: GraphState, update: GraphUpdate): GraphState {
	switch (update.kind) {
		case "shown":
			return withFocus(add(cleared(state), update.picture), update.focus);
		case "added":
			return withFocus(add(state, update.picture), update.focus);
		case "path":
			return hearPath(state, update);
		case "found":
			// What was typed since has its own answer on the way.
			return update.words === state.words ? { ...state, found: update.things } : state;
		case "failed":
			return { ...state, message: update.message };
	}
}

function cleared(state: GraphState): GraphState {
	const [nothing, none] = [new Set<string>(), new Map()];
	return select(
		{ ...state, things: none, links: [], way: nothing, looked: nothing, opened: none },
		undefined,
	);
}

function withFocus(state: GraphState, [first]: readonly string[]): GraphState {
	return first === undefined || !state.things.has(first) ? state : select(state, first);
}

function add(state: GraphState, { things, links, left }: Neighbourhood): GraphState {
	const all = new Map([...state.things, ...things.map((thing) => [thing.id, thing] as const)]);
	const known = new Map([...state.links, ...links].map((link) => [keyOf(link), link]));
	const message =
		all.size === 0 ? l10n.t("The documents say nothing about this.") : sizeText(all.size, known.size, left);
	return { ...state, things: all, links: [...known.values()], left, message, layouts: state.layouts + 1 };
}

function sizeText(things: number, links: number, left: number): string {
	const shown = l10n.t("{0}, {1}.", amounts.things(things), amounts.links(links));
	if (left === 0) return shown;
	const hidden =
		left === 1
			? l10n.t("1 more neighbor is not shown.")
			: l10n.t("{0} more neighbors are not shown.", numeral(left));
	return `${shown} ${hidden}`;
}

function hearPath(state: GraphState, { picture, way }: Extract<GraphUpdate, { kind: "path" }>): GraphState {
	const { pathFrom: _, ...rest } = state;
	if (way.length === 0) return { ...rest, message: l10n.t("No links lead from one to the other.") };
	const steps = way.length - 1;
	return {
		...add(rest, picture),
		way: new Set(way),
		message: steps === 1 ? l10n.t("1 link leads there.") : l10n.t("{0} links lead there.", numeral(steps)),
	};
}

function linesOf({ things }: GraphState, id: string): GraphRequest[] {
	const place = things.get(id)?.place;
	return place ? [{ kind: "open", uri: place.uri, start: place.lines.start, end: place.lines.end }] : [];
}

function search(state: GraphState, words: string): GraphStep {
	const next = { ...state, words, found: [] };
	return words.trim() === "" ? step(next) : step(next, { kind: "search", words });
}

function choose(state: GraphState, id: string): GraphStep {
	const next = { ...select(state, id), words: "", found: [] };
	if (state.pathFrom !== undefined) return findPath(next, id);
	return step(next, { kind: "expand", iris: [id], shown: [...state.things.keys()] });
}

function findPath(state: GraphState, to: string): GraphStep {
	const { pathFrom: from } = state;
	if (from === undefined || from === to) return step(state);
	return step(state, { kind: "path", from, to, shown: [...state.things.keys()] });
}

function remove(state: GraphState, id: string): GraphState {
	const things = new Map(state.things);
	things.delete(id);
	const links = state.links.filter(({ from, to }) => from !== id && to !== id);
	return select({ ...state, things, links }, undefined);
}

function toggled(set: ReadonlySet<string>, item: string): Set<string> {
	const next = new Set(set);
	if (!next.delete(item)) next.add(item);
	return next;
}
