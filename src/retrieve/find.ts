import { CHARACTERS_PER_TOKEN } from "../base/text/tokenEstimate.ts";
import { overlap } from "../core/knowledge/citation.ts";
import { formatEvidence } from "../core/knowledge/evidence.ts";
import type { Hit, SearchQuery } from "../core/knowledge/knowledge.ts";
import { aliasesOf } from "../graph/facts/sameThings.ts";
import { createAnalyzer } from "../search/analyzer.ts";
import type { Candidate, ReadCandidate } from "./candidate.ts";
import { type Chosen, choose } from "./choose.ts";
import { gatherThings } from "./gatherThings.ts";
import type { EntityLeg, LegRun } from "./legs.ts";
import { CANDIDATES, createLook, DEFAULT_LIMIT, filtersOf, type Look, type LookPorts } from "./look.ts";
import { partsIn } from "./questionParts.ts";
import { toHit } from "./toHit.ts";

/** Number of candidates read first per wanted hit, because some of them repeat or join others. */
const READ_PER_HIT = 4;

/** Number of resources per wanted hit whose passages are all read, because some resources are dropped later. */
const GATHERED_PER_HIT = 2;

/** Finds hits for a query and, if it asks for several things, for each of its parts. */
export function createFind(ports: LookPorts) {
	const { store, facts } = ports;
	const lookFor = createLook(ports);
	const { termsOf } = createAnalyzer();
	return find;

	async function find(query: SearchQuery, entities: EntityLeg | undefined, signal: AbortSignal) {
		const limit = query.limit ?? DEFAULT_LIMIT;
		const look = (text: string) => findOne({ ...query, query: text }, entities, signal);
		const whole = await look(query.query);
		const questions = questionsIn(query, (text) => termsOf(text).terms);
		const parts = await Promise.all(questions.map(look));
		const answered = parts.filter(({ isMatched }) => isMatched);
		const isNothing = !whole.isMatched && answered.length === 0;
		const chosen = together(query, limit, [whole, ...answered]);
		const all = chosen.map((hit) => toHit(hit, { ...ports, hasSections: query.wantsAnswer === true }));
		const hits = withinTokens(all, query.maxTokens);
		const { run, passages } = whole;
		const cut = chosen.length - hits.length;
		return {
			hits,
			chosen: chosen.slice(0, hits.length),
			isNothing,
			questions,
			missed: [whole, ...parts].reduce((sum, { missed }) => sum + missed, 0),
			...countOf(query, whole, passages - cut),
			notices: [...whole.notices, ...choiceNotices(query, run, cut)],
		};
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

function questionsIn({ query, queries, index }: SearchQuery, termsOf: (text: string) => readonly string[]) {
	return queries ?? (index === "descriptor" ? [] : partsIn(query, termsOf));
}

/** Combines the hits of a query with the hits of its parts or of `queries`. */
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

/** Number of passages with all words, and whether more passages match than are `shown`. */
function countOf({ threshold }: SearchQuery, { run, candidates, areWordsTelling }: Look, shown: number) {
	const matching = candidates.filter(({ isMatch }) => isMatch).length;
	const isFull = areWordsTelling && !threshold && run.text.length >= CANDIDATES;
	const { total, isAtLeast } = run;
	return { total, ...(isAtLeast && { isAtLeast }), truncated: isFull || matching > shown };
}

function withinTokens(hits: readonly Hit[], maxTokens?: number): readonly Hit[] {
	if (maxTokens === undefined) return hits;
	let room = maxTokens * CHARACTERS_PER_TOKEN;
	const end = hits.findIndex((hit) => {
		room -= formatEvidence(hit).length;
		return room < 0;
	});
	return end < 0 ? hits : hits.slice(0, end);
}

function choiceNotices({ index, maxTokens }: SearchQuery, run: LegRun, cut: number): string[] {
	const passages = cut === 1 ? "1 passage was" : `${cut} passages were`;
	return [
		...(index === "descriptor" && !run.descriptor ? [UNDESCRIBED] : []),
		...(cut > 0
			? [`${passages} left out: together they take more than ${maxTokens} tokens (maxTokens).`]
			: []),
	];
}

const UNDESCRIBED =
	"Descriptions were searched, and there are none. Run “Describe Documents” in “Copilot-LD: Index Status…”, or search the content.";

type Found = Pick<ReadCandidate, "id" | "iri" | "uri" | "lines" | "score">;

const HITS_PER_PART = 3;

/** Weight of the whole query's score for a hit of a part, because parts lack context. Chosen in docs/experiments.md. */
const LIGHT = 0.25;

/** Merges hits: named hits of the whole query, its best hits within its share of `limit`, best hits of each part. */
function withParts<Hit extends Found>(
	whole: { readonly hits: readonly Hit[]; readonly named: ReadonlySet<string> },
	parts: readonly (readonly Hit[])[],
	limit: number,
): Hit[] {
	const most = Math.max(0, limit - HITS_PER_PART * parts.length);
	const kept = whole.hits.slice(0, limit).filter(({ id }, rank) => rank < most || whole.named.has(id));
	const least = kept.at(-1)?.score ?? 1;
	const added = inTurns(parts, kept, limit).slice(kept.length);
	const scored = added.map((hit) => ({ ...hit, score: hit.score * least })).sort((a, b) => b.score - a.score);
	return [...kept, ...scored];
}

/** Sorts hits of a part by both scores, but takes one hit of each document or resource before any second hit. */
function inLightOf<Hit extends Found>(whole: ReadonlyMap<Hit["id"], number>, hits: readonly Hit[]): Hit[] {
	const worth = ({ id, score }: Hit) => score + LIGHT * (whole.get(id) ?? 0);
	const sorted = [...hits].sort((a, b) => worth(b) - worth(a));
	const seen = new Set<string>();
	const isFirst = ({ uri, iri = uri }: Hit) => !seen.has(iri) && seen.add(iri);
	const first = sorted.filter(isFirst);
	return [...first, ...sorted.filter((hit) => !first.includes(hit))];
}

/** Adds the first hit of each list, then each second hit and so on, up to the limit and without duplicates. */
function inTurns<Hit extends Found>(
	lists: readonly (readonly Hit[])[],
	before: readonly Hit[],
	limit: number,
): Hit[] {
	const taken = [...before];
	const longest = Math.max(0, ...lists.map(({ length }) => length));
	for (let rank = 0; rank < longest; rank++)
		for (const list of lists) {
			const hit = list[rank];
			if (taken.length >= limit) return taken;
			if (hit && !taken.some((other) => isSame(hit, other))) taken.push(hit);
		}
	return taken;
}

function isSame(hit: Found, other: Found): boolean {
	if (hit.id === other.id || (hit.iri !== undefined && hit.iri === other.iri)) return true;
	return hit.uri === other.uri && overlap(hit.lines, other.lines) > 0 && !hit.lines.columns;
}
