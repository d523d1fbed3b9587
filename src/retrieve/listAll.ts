import type { Listing, SearchQuery, SearchResult } from "../core/knowledge/knowledge.ts";
import type { PlacePorts } from "./candidate.ts";
import type { EntityLeg } from "./entityMatches.ts";

interface ListPorts extends PlacePorts {
	readonly entities: EntityLeg | undefined;
}

/** What a query counts or lists, and its other questions; empty if the query is understood entirely. */
export async function listAll(
	query: SearchQuery,
	questions: readonly string[],
	ports: ListPorts,
): Promise<Pick<SearchResult, "listing" | "otherListings">> {
	const listing = await list(query, query.query, ports);
	const others = query.queries || !listing ? await listEach(query, questions, ports) : [];
	const otherListings = others.filter(({ what }) => what !== listing?.what);
	return { ...(listing && { listing }), ...(otherListings.length > 0 && { otherListings }) };
}

/** Omits listings that repeat another one. */
async function listEach(query: SearchQuery, questions: readonly string[], ports: ListPorts) {
	const told = new Map<string, Listing>();
	for (const question of questions) {
		const listing = await list(query, question, ports);
		if (listing) told.set(listing.what, listing);
	}
	return [...told.values()];
}

/** A listing covers all documents, so a query with filters gets none. */
async function list(
	{ types, sources, index }: SearchQuery,
	question: string,
	{ entities, pathOf, placeOf }: ListPorts,
) {
	const isOfAll = !types?.length && !sources?.length && index !== "descriptor";
	if (!isOfAll) return undefined;
	return entities?.list(question, (uri, lines) => ({
		path: pathOf(uri),
		lines: placeOf?.(uri, lines) ?? lines,
	}));
}
