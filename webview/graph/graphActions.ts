import type { Neighbourhood } from "../../src/core/knowledge/graph.ts";
import type { GraphUpdate } from "../../src/protocol/graphView.ts";
import { stay } from "../model/state.ts";
import { amounts, counted, l10n } from "../parts/l10n.ts";
import { FROM_GROUP, type GraphAction, type GraphState, keyOf, OPENING } from "./model.ts";

export function hear(update: GraphUpdate): GraphAction {
	return (state) => {
		switch (update.kind) {
			case "shown":
				return stay(withFocus(add(cleared(state), update.picture), update.focus));
			case "added":
				return stay(withFocus(add(state, update.picture), update.focus));
			case "path":
				return stay(hearPath(state, update));
			case "found":
				// Ignores the answer to a former text: the answer to the present text will follow.
				return stay(update.words === state.words ? { ...state, found: update.things } : state);
			case "failed":
				return stay({ ...state, message: update.message });
		}
	};
}

function cleared(state: GraphState): GraphState {
	const { things, links, way, looked, opened } = OPENING;
	return { ...state, things, links, way, looked, opened, selected: undefined };
}

function withFocus(state: GraphState, [first]: readonly string[]): GraphState {
	return first === undefined || !state.things.has(first) ? state : selected(state, first);
}

function selected(state: GraphState, id: string | undefined): GraphState {
	const isNew = id !== undefined && !state.looked.has(id);
	return { ...state, selected: id, looked: isNew ? new Set(state.looked).add(id) : state.looked };
}

function add(state: GraphState, { things, links, left }: Neighbourhood): GraphState {
	const all = new Map([...state.things, ...things.map((thing) => [thing.id, thing] as const)]);
	const known = new Map([...state.links, ...links].map((link) => [keyOf(link), link]));
	const shown = l10n.t("{0}, {1}.", amounts.things(all.size), amounts.links(known.size));
	const size = left === 0 ? shown : `${shown} ${hiddenText(left)}`;
	const message = all.size === 0 ? l10n.t("The documents say nothing about this.") : size;
	return { ...state, things: all, links: [...known.values()], message, layouts: state.layouts + 1 };
}

const hiddenText = counted(
	l10n.t("1 more neighbor is not shown."),
	l10n.t("{0} more neighbors are not shown."),
);

function hearPath(state: GraphState, { picture, way }: Extract<GraphUpdate, { kind: "path" }>): GraphState {
	const ended = { ...state, pathFrom: undefined };
	if (way.length === 0) return { ...ended, message: l10n.t("No links lead from one to the other.") };
	return { ...add(ended, picture), way: new Set(way), message: lengthText(way.length - 1) };
}

const lengthText = counted(l10n.t("1 link leads there."), l10n.t("{0} links lead there."));

export function select(id: string | undefined): GraphAction {
	return (state) => stay(selected(state, id));
}

export function choose(id: string): GraphAction {
	// Only visible resources can be chosen, so the resource need not be marked as looked at.
	return (state) => (state.pathFrom === undefined ? stay({ ...state, selected: id }) : findPath(id)(state));
}

export function expand(id: string): GraphAction {
	return (state) =>
		stay(selected(state, id), { kind: "expand", iris: [id], shown: [...state.things.keys()] });
}

export function openLines(id: string): GraphAction {
	return (state) => {
		const place = state.things.get(id)?.place;
		if (!place) return stay(state);
		const { uri, lines } = place;
		return stay(state, { kind: "open", uri, start: lines.start, end: lines.end });
	};
}

export function search(words: string): GraphAction {
	return (state) => {
		const next = { ...state, words, found: [] };
		return words.trim() === "" ? stay(next) : stay(next, { kind: "search", words });
	};
}

export function chooseFound(id: string): GraphAction {
	return (state) => {
		const next = { ...state, words: "", found: [] };
		return (state.pathFrom === undefined ? expand : findPath)(id)(selected(next, id));
	};
}

export function beginPath(id: string): GraphAction {
	return (state) => stay({ ...state, pathFrom: id, message: l10n.t("Select the other end of the path.") });
}

function findPath(to: string): GraphAction {
	return (state) => {
		const { pathFrom: from, things } = state;
		if (from === undefined || from === to) return stay(state);
		return stay(state, { kind: "path", from, to, shown: [...things.keys()] });
	};
}

export const showOverview: GraphAction = (state) => stay(state, { kind: "overview" });

export const layOutAgain: GraphAction = (state) => stay({ ...state, layouts: state.layouts + 1 });

export function openGroup(name: string): GraphAction {
	return (state) => {
		const opened = new Map(state.opened).set(name, (state.opened.get(name) ?? 0) + FROM_GROUP);
		return stay({ ...state, opened, layouts: state.layouts + 1 });
	};
}

export function toggleFilter(name: string): GraphAction {
	return (state) => {
		const hidden = new Set(state.hidden);
		if (!hidden.delete(name)) hidden.add(name);
		return stay({ ...state, hidden });
	};
}
