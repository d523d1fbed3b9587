import { readPath } from "../core/knowledge/citation.ts";
import type { Embedder } from "../core/knowledge/embedder.ts";
import type { Hit, SearchQuery, SearchResult } from "../core/knowledge/knowledge.ts";
import type { Graph } from "../graph/facts/graph.ts";
import type { DocumentReads, MatchOptions, PassageReads, StoredPassage } from "../store/store.ts";
import { chooseHits } from "./chooseHits.ts";
import type { DescriptorLeg } from "./descriptorLeg.ts";
import { describePath, type GraphPath } from "./entities/graphPath.ts";
import { createEntityLeg, type EntityLeg } from "./entityLeg.ts";
import type { Fused } from "./fuse.ts";
import { joinNeighbours } from "./joinNeighbours.ts";
import { type LegRun, missingLegs } from "./legs.ts";
import { hasPhrases, phrasesIn } from "./phrases.ts";
import { createRepetitions } from "./repetitions.ts";
import { choiceNotices, rankChosen, runChosenLegs, withinTokens } from "./searchChoice.ts";

/** Passages that every leg hands over. */
const CANDIDATES = 100;

/** Passages that are read for one hit: some say the same, or stand in the same document as better ones. */
const READ_PER_HIT = 3;

const DEFAULT_LIMIT = 10;

export interface RetrieverPorts {
	readonly store: PassageReads & DocumentReads;
	readonly embedder: Embedder | undefined;
	/** The path that people see for a URI. */
	readonly pathOf: (uri: string) => string;
	/** The facts of the documents; absent where there are none. */
	readonly facts?: Facts;
	/** What is said of the documents; absent where nothing can be. */
	readonly descriptors?: DescriptorLeg;
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
		return isOfAll ? entities?.list(query, ports.pathOf) : undefined;
	}

	async function find(query: SearchQuery, entities: EntityLeg | undefined, signal: AbortSignal) {
		const { limit = DEFAULT_LIMIT } = query;
		const phrases = phrasesIn(query.query);
		const options = optionsOf(query, phrases, ports);
		const run = await runChosenLegs(query, options, { ...ports, entities }, signal);
		const fused = rankChosen(run, query, store);
		const best = phrases.length > 0 ? fused : fused.slice(0, READ_PER_HIT * limit);
		const passages = await store.read(best.map(({ row }) => row));
		signal.throwIfAborted();
		const candidates = best.flatMap((entry) => toCandidate(passages.get(entry.row), entry, run));
		const missed = best.length - candidates.length;
		const wanted = candidates.filter(({ hit }) => hasPhrases(`${hit.title}\n${hit.text}`, phrases));
		const { hits: chosen, passages: shown } = choose(wanted, limit);
		const hits = withinTokens(
			chosen.map((hit) => toHit(hit, ports)),
			query.maxTokens,
		);
		const cut = chosen.length - hits.length;
		const quotes = chosen.length === 0 ? phrases : [];
		return {
			hits,
			missed,
			...countOf(run, { query, shown: shown - cut, matching: fused.length - (best.length - wanted.length) }),
			notices: [...quoteNotice(quotes), ...choiceNotices(query, run, cut)],
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

function optionsOf(
	{ types, sources }: SearchQuery,
	phrases: readonly string[],
	ports: RetrieverPorts,
): MatchOptions {
	return {
		limit: CANDIDATES,
		...(phrases.length > 0 && { phrases }),
		...(types?.length && { types }),
		...(sources?.length && { uris: urisUnder(sources, ports) }),
	};
}

function urisUnder(sources: readonly string[], { store, pathOf }: RetrieverPorts): string[] {
	const prefixes = sources
		.map((source) => source.replace(/^(?:\.?\/)+/, ""))
		.flatMap((source) => [source, readPath(source)]);
	return [...store.documents().keys()].filter((uri) => {
		const path = pathOf(uri);
		return prefixes.some((prefix) => path.startsWith(prefix));
	});
}

/** A passage that may become a hit. */
interface Candidate {
	readonly hit: Omit<Hit, "path" | "via"> & { readonly way?: GraphPath };
	/** Whether it is running text, not what verbalizes a resource. */
	readonly isText: boolean;
}

function toCandidate(
	passage: StoredPassage | undefined,
	{ row, score, why }: Fused,
	{ via }: LegRun,
): Candidate[] {
	if (!passage) return [];
	const { resource, ...rest } = passage;
	const iri = resource?.startsWith("_:") ? undefined : resource;
	const way = via.get(row);
	const hit = { ...rest, score, why, ...(iri !== undefined && { iri }), ...(way && { way }) };
	return [{ hit, isText: resource === undefined }];
}

function toHit({ way, ...hit }: Candidate["hit"], { pathOf, facts }: RetrieverPorts): Hit {
	return { ...hit, path: pathOf(hit.uri), ...(way && facts && { via: describePath(facts.graph, way) }) };
}

/** As many hits as are wanted, and how many passages are in them: joining neighbours makes room for others. */
function choose(candidates: readonly Candidate[], limit: number) {
	const all = candidates.map(({ hit }) => hit);
	const texts = new Set(candidates.filter(({ isText }) => isText).map(({ hit }) => hit.id));
	const repeats = createRepetitions();
	for (let count = limit; ; ) {
		const chosen = chooseHits(all, count, repeats);
		const hits = joinNeighbours(chosen, ({ id }) => texts.has(id));
		if (hits.length >= limit || chosen.length < count) return { hits, passages: chosen.length };
		count += limit - hits.length;
	}
}

function quoteNotice(phrases: readonly string[]): string[] {
	if (phrases.length === 0) return [];
	return [`Nothing has ${phrases.map((phrase) => `“${phrase}”`).join(" and ")} word for word.`];
}

function missingGraph(
	{ index }: SearchQuery,
	{ facts }: RetrieverPorts,
	entities: EntityLeg | undefined,
): string[] {
	if (!facts || entities || index === "descriptor") return [];
	return ["The graph is still being read: names in the question were not looked up in it."];
}
