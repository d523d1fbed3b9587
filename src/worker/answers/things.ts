import { WELL_KNOWN_NAMESPACES } from "../../base/prefixes.ts";
import type { Resource } from "../../core/knowledge/document.ts";
import type { Things } from "../../core/knowledge/things.ts";
import type { Graph } from "../../graph/facts/graph.ts";
import { idOf, subjectOf } from "../../graph/facts/resourceId.ts";
import type { OntologySummary } from "../../graph/ontology/ontologySummary.ts";
import { prefixesOf } from "../../graph/ontology/ontologyText.ts";
import { neighboursOf, pathBetween, thingsAt } from "../../graph/things/neighbourhood.ts";
import { rememberThingList } from "../../graph/things/thingList.ts";
import { countPointers, foundThing, linksOf, pointersTo, viewThing } from "../../graph/things/thingView.ts";
import type { DocumentReads } from "../../store/store.ts";
import { renameThing } from "./rename.ts";
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
	readonly summarize: () => OntologySummary;
	readonly pathOf: (uri: string) => string;
}

const KINDS = ["class", "property", "thing"] as const;

/** Links of a thing that nobody could look through. */
const MOST_LINKS = 500;

export function createThings({ store, storeGraph, summarize, pathOf }: ThingPorts): DoorThings {
	const list = rememberThingList(storeGraph.graph);
	/** What is little behind is good enough for who types, and does not wait for a look at the disk. */
	const look = async <Result>(signal: AbortSignal, at: (graph: Graph) => Result) =>
		at((await storeGraph.soon(signal)) ?? (await storeGraph.current(signal)));
	return {
		describe: ({ iri }, signal) => look(signal, (graph) => viewThing(graph, iri, list().kindOf)),
		named: ({ iris }, signal) =>
			look(signal, (graph) => {
				const known = iris.map(subjectOf).filter((subject) => graph.numberOf(subject) !== 0);
				const { kindOf } = list();
				return Object.fromEntries(
					known.map((subject) => [idOf(subject), foundThing(graph, subject, kindOf)]),
				);
			}),
		pointers: ({ iri }, signal) => look(signal, (graph) => pointersTo(graph, iri)),
		described: async ({ uri }, signal) => {
			const resources = await resourcesOf(uri, store);
			return look(signal, (graph) =>
				resources.map((each) => ({ ...each, pointers: countPointers(graph, each.id) })),
			);
		},
		find: ({ kinds = KINDS, within = "", ...query }, signal) =>
			look(signal, () => list().find({ ...query, kinds, within })),
		links: ({ iri, direction, limit = MOST_LINKS }, signal) =>
			look(signal, (graph) =>
				linksOf(graph, iri, { direction, limit: Math.min(limit, MOST_LINKS) }, list().kindOf),
			),
		neighbours: (query, signal) => look(signal, (graph) => neighboursOf(graph, query, list().kindOf)),
		path: (query, signal) => look(signal, (graph) => pathBetween(graph, query, list().kindOf)),
		at: ({ places }, signal) => look(signal, (graph) => thingsAt(graph, places)),
		rename: async (query, signal) =>
			renameThing(query, { graph: await storeGraph.current(signal), pathOf }, signal),
		prefixes: (_, signal) =>
			look(signal, () => ({
				...WELL_KNOWN_NAMESPACES,
				...Object.fromEntries(prefixesOf(summarize()).namespaces),
			})),
	};
}

/** What a document describes and can be pointed at, in the order of its lines. */
async function resourcesOf(uri: string, store: DocumentReads): Promise<readonly Resource[]> {
	const { resources = [] } = (await store.statementsOf([uri])).get(uri) ?? {};
	return resources.filter(({ id }) => !id.startsWith("_:")).toSorted((a, b) => a.lines.start - b.lines.start);
}
