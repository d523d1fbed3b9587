import { createPrefixes, WELL_KNOWN_NAMESPACES } from "../../base/rdf/prefixes.ts";
import type { Resource } from "../../core/knowledge/document.ts";
import type { Things } from "../../core/knowledge/things.ts";
import type { Graph } from "../../graph/facts/graph.ts";
import { idOf, subjectOf } from "../../graph/facts/resourceId.ts";
import { findShapes, pathsOf } from "../../graph/ontology/shapes.ts";
import { neighboursOf, overviewOf, pathBetween, thingsAt } from "../../graph/things/neighbourhood.ts";
import { createThingList } from "../../graph/things/thingList.ts";
import { countPointers, foundThing, linksOf, pointersTo, viewThing } from "../../graph/things/thingView.ts";
import type { DocumentReads } from "../../store/port/store.ts";
import type { Parser } from "../parsing/parserProcess.ts";
import { type RenamePorts, renameThing } from "./rename.ts";
import { createShapeChecks } from "./shapes.ts";
import type { StoreGraph } from "./storeGraph.ts";

/** The same questions, without the door: each door has its own graph. */
export type DoorThings = {
	readonly [Name in keyof Things]: (
		query: Omit<Parameters<Things[Name]>[0], "door">,
		signal: AbortSignal,
	) => ReturnType<Things[Name]>;
};

export interface ThingPorts {
	readonly store: DocumentReads;
	readonly storeGraph: StoreGraph;
	readonly pathOf: (uri: string) => string;
	/** Read files again as they would be with another name. */
	readonly parsers: RenamePorts["parsers"];
	/** Checks shapes, in a process of its own. */
	readonly validator: Parser;
}

const KINDS = ["class", "property", "thing"] as const;

/** Links of a thing that nobody could look through. */
const MOST_LINKS = 500;

const MOST_IN_OVERVIEW = 10_000;

export function createThings({ store, storeGraph, ...ports }: ThingPorts): DoorThings {
	const { pathOf, parsers, validator } = ports;
	const checkShapes = createShapeChecks(validator);
	const list = createThingList(storeGraph.graph);
	/** What is little behind is good enough for who types, and does not wait for a look at the disk. */
	const look = async <Result>(signal: AbortSignal, at: (graph: Graph) => Result) => {
		const graph = (await storeGraph.soon(signal)) ?? (await storeGraph.current(signal));
		// Who looks at names will write one: the list is made meanwhile, in small parts, and not when its first is awaited.
		list.refresh().catch(() => undefined);
		return at(graph);
	};
	const lookInList = async <Result>(signal: AbortSignal, at: (graph: Graph) => Result) => {
		await look(signal, list.refresh);
		return at(storeGraph.graph);
	};
	return {
		describe: ({ iri }, signal) => look(signal, (graph) => viewThing(graph, iri)),
		named: ({ iris }, signal) =>
			look(signal, (graph) => {
				const known = iris.map(subjectOf).filter((subject) => graph.numberOf(subject) !== 0);
				return Object.fromEntries(known.map((subject) => [idOf(subject), foundThing(graph, subject)]));
			}),
		pointers: ({ iri }, signal) => look(signal, (graph) => pointersTo(graph, iri)),
		described: async ({ uri }, signal) => {
			const resources = await resourcesOf(uri, store);
			return look(signal, (graph) =>
				resources.map((each) => ({ ...each, pointers: countPointers(graph, each.id) })),
			);
		},
		find: ({ kinds = KINDS, within = "", ...query }, signal) =>
			lookInList(signal, () => list.find({ ...query, kinds, within })),
		links: ({ iri, direction, limit = MOST_LINKS }, signal) =>
			look(signal, (graph) => linksOf(graph, iri, { direction, limit: Math.min(limit, MOST_LINKS) })),
		neighbours: (query, signal) => look(signal, (graph) => neighboursOf(graph, query)),
		overview: ({ limit }, signal) =>
			look(signal, (graph) => overviewOf(graph, Math.min(limit, MOST_IN_OVERVIEW))),
		path: (query, signal) => look(signal, (graph) => pathBetween(graph, query)),
		at: ({ places }, signal) => look(signal, (graph) => thingsAt(graph, places)),
		rename: async (query, signal) =>
			renameThing(query, { graph: await storeGraph.current(signal), pathOf, parsers }, signal),
		checkShapes: async (_, signal) => checkShapes(await storeGraph.current(signal), signal),
		prefixes: (_, signal) =>
			lookInList(signal, (graph) => ({
				...WELL_KNOWN_NAMESPACES,
				...Object.fromEntries(
					createPrefixes([...list.namespaces(), ...pathsOf(findShapes(graph))]).namespaces,
				),
			})),
	};
}

/** What a document describes and can be pointed at, in the order of its lines. */
async function resourcesOf(uri: string, store: DocumentReads): Promise<readonly Resource[]> {
	const { resources = [] } = (await store.statementsOf([uri])).get(uri) ?? {};
	return resources.filter(({ id }) => !id.startsWith("_:")).toSorted((a, b) => a.lines.start - b.lines.start);
}
