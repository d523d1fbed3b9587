import type { Citation } from "../core/knowledge/citation.ts";
import type { Hit, SearchQuery, SearchResult } from "../core/knowledge/knowledge.ts";
import type { LineRange } from "../core/knowledge/source.ts";
import type { Graph } from "../graph/facts/graph.ts";
import { chooseHits } from "./chooseHits.ts";
import { describePath } from "./entities/graphPath.ts";
import { createEntityLeg, type EntityLeg } from "./entityLeg.ts";
import { joinNeighbours } from "./joinNeighbours.ts";
import { type LegRun, missingLegs } from "./legs.ts";
import { CANDIDATES, type Candidate, createLook, DEFAULT_LIMIT, type LookPorts } from "./look.ts";
import { createRepetitions } from "./repetitions.ts";
import { choiceNotices, withinTokens } from "./searchChoice.ts";

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
	const lookFor = createLook(ports);
	const entityLeg = facts && createEntityLeg({ graph: facts.graph, store, embedder });
	return {
		async search(query, signal) {
			const entities = (await facts?.ready(signal)) ? entityLeg : undefined;
			const found = await find(query, entities, signal);
			// A document that was replaced between finding and reading is there again, in its new state.
			const { missed, notices, ...result } = found.missed > 0 ? await find(query, entities, signal) : found;
			const listing = await list(query, entities);
			const missing = [...missingLegs(ports), ...missingGraph(query, ports, entities)];
			// Not before: this answer would wait for what only the next one uses.
			if (entityLeg && !entities) facts?.catchUp(entityLeg.refresh);
			return { ...result, ...(listing && { listing }), notices: [...missing, ...notices] };
		},
	};

	/** A listing is of all documents: a query that leaves out some gets none. */
	async function list({ query, types, sources, index }: SearchQuery, entities: EntityLeg | undefined) {
		const isOfAll = !types?.length && !sources?.length && index !== "descriptor";
		return isOfAll ? entities?.list(query, (uri, lines) => cite(uri, lines, ports)) : undefined;
	}

	async function find(query: SearchQuery, entities: EntityLeg | undefined, signal: AbortSignal) {
		const { run, candidates, matching, missed, notices } = await lookFor(query, entities, signal);
		const { hits: chosen, passages: shown } = choose(candidates, query.limit ?? DEFAULT_LIMIT, ports);
		const hits = withinTokens(
			chosen.map((hit) => toHit(hit, ports)),
			query.maxTokens,
		);
		const cut = chosen.length - hits.length;
		return {
			hits,
			missed,
			...countOf(run, { query, shown: shown - cut, matching }),
			notices: [...notices, ...choiceNotices(query, run, cut)],
		};
	}
}

/** How many passages match. Of those that only words found, nobody knows how many have the score that is wanted. */
function countOf(
	{ text, total: withWords }: LegRun,
	{
		query,
		shown,
		matching,
	}: { readonly query: SearchQuery; readonly shown: number; readonly matching: number },
) {
	const isAtLeast = text.length >= CANDIDATES;
	const total = isAtLeast && !query.threshold ? Math.max(withWords, matching) : Math.max(0, matching);
	return { total, truncated: total > shown, ...(isAtLeast && { isAtLeast }) };
}

function toHit({ way, ...hit }: Candidate["hit"], { pathOf, facts }: RetrieverPorts): Hit {
	return { ...hit, path: pathOf(hit.uri), ...(way && facts && { via: describePath(facts.graph, way) }) };
}

function cite(uri: string, lines: LineRange, { pathOf, placeOf }: LookPorts): Citation {
	return { path: pathOf(uri), lines: placeOf?.(uri, lines) ?? lines };
}

/** As many hits as are wanted, and how many passages are in them: joining neighbours makes room for others. */
function choose(candidates: readonly Candidate[], limit: number, { placeOf }: LookPorts) {
	const all = candidates.map(({ hit }) => (placeOf ? { ...hit, lines: placeOf(hit.uri, hit.lines) } : hit));
	const texts = new Set(candidates.filter(({ isText }) => isText).map(({ hit }) => hit.id));
	const repeats = createRepetitions();
	for (let count = limit; ; ) {
		const chosen = chooseHits(all, count, repeats);
		const hits = joinNeighbours(chosen, ({ id }) => texts.has(id));
		if (hits.length >= limit || chosen.length < count) return { hits, passages: chosen.length };
		count += limit - hits.length;
	}
}

function missingGraph(
	{ index }: SearchQuery,
	{ facts }: RetrieverPorts,
	entities: EntityLeg | undefined,
): string[] {
	if (!facts || entities || index === "descriptor") return [];
	return ["The graph is still being read: names in the question were not looked up in it."];
}
