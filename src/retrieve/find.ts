import type { Hit, SearchQuery } from "../core/knowledge/knowledge.ts";
import { overlap } from "../core/knowledge/place.ts";
import { NOTHING_MATCHES } from "../core/knowledge/searchSummary.ts";
import { aliasesOf } from "../graph/facts/aliases.ts";
import type { Graph } from "../graph/facts/graph.ts";
import { createAnalyzer } from "../search/analyzer.ts";
import type { Candidate, OtherPlace, ReadCandidate } from "./candidate.ts";
import { type Chosen, choose } from "./choose.ts";
import { describePath } from "./entities/graphPath.ts";
import type { EntityLeg } from "./entityLeg.ts";
import { NEAREST } from "./floor.ts";
import { gatherThings } from "./gatherThings.ts";
import type { LegRun } from "./legs.ts";
import { CANDIDATES, createLook, DEFAULT_LIMIT, filtersOf, type LookPorts } from "./look.ts";
import { nameLinked } from "./nameLinked.ts";
import { partsIn } from "./questionParts.ts";
import { choiceNotices, withinTokens } from "./searchChoice.ts";
import { inLightOf, inTurns, withParts } from "./subjects.ts";

/** Candidates for each hit that are read at first: some say the same, or stand next to each other. */
const READ_PER_HIT = 4;

/** Things for each hit of which all places are read: some hits are of one document, or say the same. */
const GATHERED_PER_HIT = 2;

interface FindPorts extends LookPorts {
	readonly facts?: { readonly graph: Graph };
}

/** Finds what answers a query and, where it asks for several things at once, each of them. */
export function createFind(ports: FindPorts) {
	const { store, facts } = ports;
	const lookFor = createLook(ports);
	const { termsOf } = createAnalyzer();
	return find;

	async function find(query: SearchQuery, entities: EntityLeg | undefined, signal: AbortSignal) {
		const limit = query.limit ?? DEFAULT_LIMIT;
		const look = (text: string) => findOne({ ...query, query: text }, entities, signal);
		const whole = await look(query.query);
		const questions = partsOf(query);
		const parts = await Promise.all(questions.map(look));
		const answered = parts.filter(({ isMatched }) => isMatched);
		const isNothing = !whole.isMatched && answered.length === 0;
		const chosen = isNothing ? whole.hits.slice(0, NEAREST) : together(query, limit, [whole, ...answered]);
		const hits = withinTokens(
			chosen.map((hit) => toHit(hit, ports)),
			query.maxTokens,
		);
		const { run, candidates, passages, areWordsTelling } = whole;
		const cut = chosen.length - hits.length;
		const matching = candidates.filter(({ isMatch }) => isMatch).length;
		return {
			hits,
			questions,
			missed: [whole, ...parts].reduce((sum, { missed }) => sum + missed, 0),
			...countOf(run, { query, shown: passages - cut, matching, areWordsTelling }),
			notices: [...whole.notices, ...(isNothing ? [NOTHING_MATCHES] : []), ...choiceNotices(query, run, cut)],
		};
	}

	/** The questions that are answered together with it. */
	function partsOf({ query, queries, index }: SearchQuery): readonly string[] {
		return queries ?? (index === "descriptor" ? [] : partsIn(query, (text) => termsOf(text).terms));
	}

	async function findOne(query: SearchQuery, entities: EntityLeg | undefined, signal: AbortSignal) {
		const limit = query.limit ?? DEFAULT_LIMIT;
		const { run, candidates, missed, ...look } = await lookFor(query, entities, signal);
		const gathering = {
			store,
			aliasesOf: (iri: string) => (entities && facts ? aliasesOf(facts.graph, iri) : []),
			options: filtersOf(query, ports),
			mostThings: GATHERED_PER_HIT * limit,
		};
		for (let first = READ_PER_HIT * limit; ; first *= 2) {
			const gathered = await gatherThings(candidates, { first, named: run.named }, gathering);
			const chosen = choose(gathered, { ...ports, limit, named: run.named });
			if (chosen) return { run, candidates, ...look, missed: missed + gathered.missed, ...chosen };
		}
	}
}

/** The hits of a query and of its parts, or of queries that are answered together. */
function together(
	{ queries }: SearchQuery,
	limit: number,
	[whole, ...parts]: readonly [Chosen & { readonly candidates: readonly Candidate[] }, ...Chosen[]],
) {
	const lists = parts.map(({ hits }) => hits);
	if (queries) return inTurns([whole.hits, ...lists], [], limit);
	if (lists.length === 0) return whole.hits.slice(0, limit);
	const scores = new Map(whole.candidates.map(({ id, score }) => [id, score]));
	return withParts(
		whole,
		lists.map((hits) => inLightOf(scores, hits)),
		limit,
	);
}

interface Counted {
	readonly query: SearchQuery;
	readonly shown: number;
	readonly matching: number;
	readonly areWordsTelling: boolean;
}

/** How many passages match. Of those that only words found, nobody knows how many have the score that is wanted. */
function countOf({ text, total: withWords }: LegRun, { query, shown, matching, areWordsTelling }: Counted) {
	const isAtLeast = matching > 0 && text.length >= CANDIDATES;
	const isMore = isAtLeast && areWordsTelling && !query.threshold;
	const total = isMore ? Math.max(withWords, matching) : matching;
	return { total, truncated: total > shown, ...(isAtLeast && { isAtLeast }) };
}

function toHit(candidate: ReadCandidate, ports: FindPorts): Hit {
	const { pathOf, placeOf, facts } = ports;
	const { id, uri, lines, title, score, why, iri, way, others = [] } = candidate;
	const name = (place: OtherPlace) =>
		facts && iri !== undefined
			? nameLinked({ ...place, iri }, facts.graph)
			: { text: place.text, places: [] };
	const { text, places } = name(candidate);
	const added = places
		.map((place) => ({ ...place, lines: placeOf?.(place.uri, place.lines) ?? place.lines }))
		.filter(
			(place) => !others.some((other) => other.uri === place.uri && overlap(other.lines, place.lines) > 0),
		);
	const told = [...others.map((other) => ({ ...other, text: name(other).text })), ...added];
	return {
		...{ id, uri, path: pathOf(uri), lines, title, text, score, why },
		...(iri !== undefined && { iri }),
		...(way && facts && { via: describePath(facts.graph, way) }),
		...(told.length > 0 && { others: told.map((other) => ({ ...other, path: pathOf(other.uri) })) }),
	};
}
