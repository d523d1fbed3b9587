import { CHARACTERS_PER_TOKEN } from "../base/text/tokenEstimate.ts";
import { formatEvidence } from "../core/knowledge/evidence.ts";
import type { Hit, SearchQuery } from "../core/knowledge/knowledge.ts";
import { aliasesOf } from "../graph/facts/sameThings.ts";
import { createAnalyzer } from "../search/analyzer.ts";
import type { Candidate } from "./candidate.ts";
import { type Chosen, choose } from "./choose.ts";
import { gatherThings } from "./gatherThings.ts";
import type { EntityLeg, LegRun } from "./legs.ts";
import { CANDIDATES, createLook, DEFAULT_LIMIT, filtersOf, type Look, type LookPorts } from "./look.ts";
import { partsIn } from "./questionParts.ts";
import { inLightOf, inTurns, withParts } from "./subjects.ts";
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
