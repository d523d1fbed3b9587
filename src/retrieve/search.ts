import { languageOf } from "../base/language/detect.ts";
import { FUNCTION_WORDS } from "../base/language/languages.ts";
import { editDistance } from "../base/text/editDistance.ts";
import { decodeEntities } from "../base/words/entities.ts";
import { wordList } from "../base/words/wordList.ts";
import type { WordModel } from "../core/knowledge/embedder.ts";
import type { Listing, SearchQuery, SearchResult } from "../core/knowledge/knowledge.ts";
import { NOTHING_MATCHES } from "../core/knowledge/searchSummary.ts";
import type { Graph } from "../graph/facts/graph.ts";
import { isLikely, respelled, spelledWords } from "../search/spelling.ts";
import type { Reads } from "../store/port/store.ts";
import { type AnsweringPorts, createAnswering } from "./answering.ts";
import { citing, type PlacePorts } from "./candidate.ts";
import { createEntityLeg } from "./entityLeg.ts";
import { createFind } from "./find.ts";
import { type EntityLeg, missingLegs } from "./legs.ts";

export interface RetrieverPorts extends AnsweringPorts {
	/** Absent if the documents have no graph. */
	readonly facts?: Facts;
}

export interface Facts {
	readonly graph: Graph;
	/** Whether the graph is up to date, or will be within a short wait. */
	ready(signal: AbortSignal): Promise<boolean>;
	/** Updates the graph in the background and then calls `whenRead`. */
	catchUp(whenRead: () => Promise<void>): void;
}

export interface Retriever {
	search(query: SearchQuery, signal: AbortSignal): Promise<SearchResult>;
	refresh(): Promise<void>;
}

export function createRetriever(ports: RetrieverPorts): Retriever {
	const { store, facts, words } = ports;
	const find = createFind(ports);
	const answer = createAnswering(ports, answers);
	const entityLeg = facts && createEntityLeg({ graph: facts.graph, store, words });
	return { search, refresh: async () => entityLeg?.refresh() };

	async function answers(query: string): Promise<boolean> {
		const found = await search({ query, wantsAnswer: true }, new AbortController().signal);
		return found.listing !== undefined || found.answer?.kind === "answer";
	}

	async function search(asked: SearchQuery, signal: AbortSignal): Promise<SearchResult> {
		const query = await withWords(asked);
		const entities = (await facts?.ready(signal)) ? entityLeg : undefined;
		const first = await find(query, entities, signal);
		// Searches again if a document was replaced between search and read.
		const { missed, notices, questions, chosen, isNothing, ...result } =
			first.missed > 0 ? await find(query, entities, signal) : first;
		const listings = await listAll(query, questions, { ...ports, entities });
		const canTell = canTellIn(query, listings, entities);
		const answered = await answer(query, { hits: result.hits, chosen, canTell });
		const missing = [...missingLegs(ports), ...missingGraph(query, ports, entities)];
		// Starts last, so that the graph's update does not delay this answer.
		if (entityLeg && !entities) facts?.catchUp(entityLeg.refresh);
		const found = { ...result, ...listings, ...answered, notices: [...missing, ...notices] };
		if (!isNothing || isAnswered(found)) return found;
		return { ...found, isWeak: true, notices: [...found.notices, NOTHING_MATCHES] };
	}

	/** Corrects the spelling of the query and prepends the topic, if the question continues one. */
	async function withWords({ about, ...query }: SearchQuery) {
		const question = await corrected(decodeEntities(query.query), store, words);
		if (about === undefined) return { ...query, query: question, question };
		return { ...query, query: `${about} ${question}`, question, about };
	}
}

function canTellIn(
	{ question, wantsAnswer }: Pick<SearchQuery, "wantsAnswer"> & { readonly question: string },
	{ listing }: Pick<SearchResult, "listing">,
	entities: EntityLeg | undefined,
) {
	return listing || !wantsAnswer ? undefined : entities?.canTell(question);
}

function isAnswered({ answer, listing }: Pick<SearchResult, "answer" | "listing">): boolean {
	return listing !== undefined || (answer !== undefined && answer.kind !== "nothing");
}

function missingGraph(
	{ index }: SearchQuery,
	{ facts }: RetrieverPorts,
	entities: EntityLeg | undefined,
): string[] {
	if (!facts || entities || index === "descriptor") return [];
	return ["The graph is still being read: names in the question were not looked up in it."];
}

interface ListPorts extends PlacePorts {
	readonly entities: EntityLeg | undefined;
}

/** Listings for the query. The parts have listings only if the query has none or if `queries` are asked together. */
async function listAll(
	query: SearchQuery,
	questions: readonly string[],
	ports: ListPorts,
): Promise<Pick<SearchResult, "listing" | "otherListings">> {
	const listing = await list(query, query.query, ports);
	const others = new Map<string, Listing>();
	for (const question of query.queries || !listing ? questions : []) {
		const other = await list(query, question, ports);
		if (other && other.what !== listing?.what) others.set(other.what, other);
	}
	const otherListings = [...others.values()];
	return { ...(listing && { listing }), ...(otherListings.length > 0 && { otherListings }) };
}

/** Returns `undefined` for a query with filters, because a listing covers all documents. */
async function list({ types, sources, index }: SearchQuery, question: string, ports: ListPorts) {
	const isOfAll = !types?.length && !sources?.length && index !== "descriptor";
	return isOfAll ? ports.entities?.list(question, citing(ports)) : undefined;
}

/** Replaces words that neither the passages nor the model know by the nearest known word, if there is a model. */
export async function corrected(query: string, store: Reads, words: WordModel | undefined): Promise<string> {
	const strange = words ? spelledWords(query).filter((word) => words.rankOf(word) === undefined) : [];
	if (strange.length === 0) return query;
	const forms = new Map<string, string>();
	for (const [word, terms] of await store.spellings(strange.join(" "))) {
		const form = functionWordFor(word, query) ?? (await firstFormOf(terms, word, store));
		if (form !== undefined) forms.set(word, form);
	}
	return respelled(query, forms);
}

/** Question words, which are preferred to other words at the same edit distance. */
const ASKING = wordList("which what when where whose whom welche welcher welches wann warum");

function functionWordFor(word: string, query: string): string | undefined {
	const lower = word.toLowerCase();
	const known = [...ASKING, ...FUNCTION_WORDS[languageOf(query) ?? "en"]];
	return known.find((each) => each[0] === lower[0] && each.length > 2 && editDistance(each, lower) === 1);
}

async function firstFormOf(
	terms: readonly string[],
	word: string,
	store: Reads,
): Promise<string | undefined> {
	for (const term of terms) {
		const form = await formOf(term, word, store);
		if (form !== undefined) return form;
	}
	return undefined;
}

async function formOf(term: string, word: string, store: Reads): Promise<string | undefined> {
	const { matches } = await store.matchText(term, { limit: 1 });
	const [passage] = (await store.read(matches.map(({ row }) => row))).values();
	const told = passage ? `${passage.title} ${passage.text}`.match(/\p{L}+/gu) : [];
	return told?.find((other) => other[0]?.toLowerCase() === term[0] && isLikely(word, other));
}
