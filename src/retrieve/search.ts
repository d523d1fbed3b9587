import type { Citation } from "../core/knowledge/citation.ts";
import type { Listing, SearchQuery, SearchResult } from "../core/knowledge/knowledge.ts";
import type { LineRange } from "../core/knowledge/source.ts";
import type { Graph } from "../graph/facts/graph.ts";
import { createEntityLeg, type EntityLeg } from "./entityLeg.ts";
import { createFind } from "./find.ts";
import { missingLegs } from "./legs.ts";
import type { LookPorts } from "./look.ts";

export interface RetrieverPorts extends LookPorts {
	/** The facts of the documents; absent where there are none. */
	readonly facts?: Facts;
}

/** The graph of what the documents state, always the same one. */
export interface Facts {
	readonly graph: Graph;
	/** Whether it is in step with the documents, or can be in a moment. */
	ready(signal: AbortSignal): Promise<boolean>;
	/** Brings it in step while nobody waits for it, and then does what follows. */
	catchUp(whenRead: () => Promise<void>): void;
}

export interface Retriever {
	search(query: SearchQuery, signal: AbortSignal): Promise<SearchResult>;
}

export function createRetriever(ports: RetrieverPorts): Retriever {
	const { store, facts, embedder } = ports;
	const find = createFind(ports);
	const entityLeg = facts && createEntityLeg({ graph: facts.graph, store, embedder });
	return {
		async search(query, signal) {
			const entities = (await facts?.ready(signal)) ? entityLeg : undefined;
			const found = await find(query, entities, signal);
			// A document that was replaced between finding and reading is there again, in its new state.
			const { missed, notices, questions, ...result } =
				found.missed > 0 ? await find(query, entities, signal) : found;
			const listings = await listAll(query, questions, entities);
			const missing = [...missingLegs(ports), ...missingGraph(query, ports, entities)];
			// Not before: this answer would wait for what only the next one uses.
			if (entityLeg && !entities) facts?.catchUp(entityLeg.refresh);
			return { ...result, ...listings, notices: [...missing, ...notices] };
		},
	};

	/** What the query counts or lists, and what else its questions do; those of a query that is understood whole are no others. */
	async function listAll(
		query: SearchQuery,
		questions: readonly string[],
		entities: EntityLeg | undefined,
	): Promise<Pick<SearchResult, "listing" | "otherListings">> {
		const listing = await list(query, query.query, entities);
		const others = query.queries || !listing ? await listEach(query, questions, entities) : [];
		const otherListings = others.filter(({ what }) => what !== listing?.what);
		return { ...(listing && { listing }), ...(otherListings.length > 0 && { otherListings }) };
	}

	/** Those that say the same once. */
	async function listEach(query: SearchQuery, questions: readonly string[], entities: EntityLeg | undefined) {
		const told = new Map<string, Listing>();
		for (const question of questions) {
			const listing = await list(query, question, entities);
			if (listing) told.set(listing.what, listing);
		}
		return [...told.values()];
	}

	/** A listing is of all documents: a query that leaves out some gets none. */
	async function list(
		{ types, sources, index }: SearchQuery,
		question: string,
		entities: EntityLeg | undefined,
	) {
		const isOfAll = !types?.length && !sources?.length && index !== "descriptor";
		return isOfAll ? entities?.list(question, (uri, lines) => cite(uri, lines, ports)) : undefined;
	}
}

function cite(uri: string, lines: LineRange, { pathOf, placeOf }: LookPorts): Citation {
	return { path: pathOf(uri), lines: placeOf?.(uri, lines) ?? lines };
}

function missingGraph(
	{ index }: SearchQuery,
	{ facts }: RetrieverPorts,
	entities: EntityLeg | undefined,
): string[] {
	if (!facts || entities || index === "descriptor") return [];
	return ["The graph is still being read: names in the question were not looked up in it."];
}
