import { MatchQuery, Operator, type Query, type VectorQuery } from "@lancedb/lancedb";
import { createLast } from "../../base/jobs/lazily.ts";
import { cosine } from "../../base/words/relevance.ts";
import type { QueryTerms } from "../../search/analyzer.ts";
import { havingOf, idfOf, sharesOf } from "../../search/bm25.ts";
import type { Match, TextMatches } from "../../search/match.ts";
import { hasPhrases } from "../../search/phrases.ts";
import type { PlaceRef } from "../../search/rowColumns.ts";
import { nearestTerms, spelledWords } from "../../search/spelling.ts";
import type { Database, Snapshot } from "../database/database.ts";
import { inPlaces } from "../database/passageReads.ts";
import { MOST_QUOTED, type SearchEngine } from "../port/engine.ts";
import type { MatchOptions } from "../port/store.ts";
import { addressesIn } from "../tables/passageTable.ts";
import { runQuery } from "../tables/query.ts";
import { type AmongReader, type LanceFilter, lanceFilterOf } from "./lanceAmong.ts";
import { createProbes } from "./lanceIndexes.ts";
import type { FoundPassage, LanceLoads, LanceRows, LoadPassages } from "./lanceLoads.ts";
import type { TermReader } from "./lanceTerms.ts";

const FUZZY_ROWS = 20;

/** Number of results requested beyond the limit, because full vectors reorder the results of compressed vectors. */
const VECTOR_SLACK = 16;

interface LanceReaders {
	readonly rows: LanceRows;
	readonly loads: LanceLoads;
	readonly terms: TermReader;
	readonly among: AmongReader;
}

interface Look extends LanceReaders {
	readonly snapshot: Snapshot;
	readonly load: LoadPassages;
	readonly filterOf: (options: MatchOptions, snapshot: Snapshot) => Promise<LanceFilter>;
	readonly probes: (passages: number) => number;
}

interface LanceHit {
	readonly found: FoundPassage;
	/** Score in a search by words (higher is better), distance in a search by vectors. */
	readonly value: number;
}

/** Number of results requested beyond the limit, because some rows may not be committed yet. */
const SLACK = 4;

/** Factor of the limit if results are scored again, because LanceDB's scores count hidden rows. */
const RESCORED = 4;

/** Factor by which a request grows if too many results were excluded, and the maximum request. */
const GROWTH = 4;

const MOST = 20_000;

/** Maximum number of retries if rows were moved between the search and the read. */
const MOST_MOVES = 3;

interface HitQuery {
	readonly filter: LanceFilter;
	readonly limit: number;
	readonly search: () => Query | VectorQuery;
	readonly measure: "_score" | "_distance";
	readonly slack?: number;
}

export function createLanceSearches(database: Database, readers: LanceReaders) {
	const { loads, terms } = readers;
	const quotedIn = createQuoted(terms, loads);
	const filterOf: Look["filterOf"] = async (options, snapshot) => {
		const free = lanceFilterOf(options, snapshot);
		if (!options.phrases?.length) return free;
		return lanceFilterOf(options, snapshot, await quotedIn(options, free, snapshot));
	};
	const ports = { ...readers, filterOf, probes: createProbes() };
	const run = <Result>(search: (look: Look) => Promise<Result>) => {
		const snapshot = database.snapshot();
		return loads.together(snapshot, (load) => search({ ...ports, snapshot, load }));
	};
	return {
		matchText: (query, options) => run((look) => matchText(query, options, look)),
		spellings: (query, uris) => run((look) => spellings(query, uris, look)),
		matchVector: (vector, options) => run((look) => matchVector(vector, options, look)),
	} satisfies Partial<SearchEngine>;
}

async function matchText(query: string, options: MatchOptions, look: Look): Promise<TextMatches> {
	const { snapshot, load, loads, terms, filterOf } = look;
	const among = options.among && (await look.among(options.among, snapshot));
	const reading = terms.read(query, snapshot, among);
	const [{ asked, idfs }, filter] = await Promise.all([reading, filterOf(options, snapshot)]);
	if (asked.terms.length === 0) return { matches: [], total: 0 };
	const words = new MatchQuery(asked.terms.join(" "), "terms");
	const search = () => snapshot.tables.passages.query().fullTextSearch(words);
	const wanted = { filter, limit: (among ? RESCORED : 1) * options.limit };
	const finding = findHits({ ...wanted, search, measure: "_score" }, load);
	// Most of the counted passages have been read when `finding` resolves.
	const loadAfter: LoadPassages = (addresses) => finding.then(() => loads.load(addresses, snapshot));
	const isOne = asked.terms.length === 1;
	const findingAll = isOne ? finding : findWithAll(asked, wanted, snapshot, loadAfter);
	const [{ hits }, idfOfTerm, all] = await Promise.all([finding, idfs(), findingAll]);
	const { passages } = among ?? snapshot.manifest;
	const valued = among
		? hits.map(({ found }) => ({ found, value: among.scoreOf(found, asked.terms, idfOfTerm) }))
		: hits;
	const { shareOf } = sharesOf(asked, passages, (term) => idfOfTerm(term) || idfOf(0, passages));
	const isForeign = ({ found: { language } }: LanceHit) =>
		asked.language !== undefined && language !== undefined && language !== asked.language;
	const isOfAll = isOne && !options.uris && !options.types && !options.phrases;
	return {
		matches: ranked(valued, snapshot)
			.slice(0, options.limit)
			.map((hit) => ({
				...toMatch(hit, look),
				...shareOf(hit.value),
				...(isForeign(hit) && { isForeign: true }),
			})),
		// This is a lower bound if the search stopped at its limit.
		total: all.hits.length,
		isAtLeast: !all.isAll,
		...(isOfAll && !all.isAll && { estimate: havingOf(idfOfTerm(asked.terms[0] ?? ""), passages) }),
	};
}

async function findWithAll(
	{ required }: QueryTerms,
	wanted: { readonly filter: LanceFilter; readonly limit: number },
	{ tables }: Snapshot,
	load: LoadPassages,
) {
	const found = await Promise.all(
		required.map((terms) => {
			const words = new MatchQuery(terms.join(" "), "terms", { operator: Operator.And });
			const search = () => tables.passages.query().fullTextSearch(words);
			return findHits({ ...wanted, search, measure: "_score" }, load);
		}),
	);
	return { hits: found.flatMap(({ hits }) => hits), isAll: found.every(({ isAll }) => isAll) };
}

async function spellings(query: string, uris: readonly string[] | undefined, look: Look) {
	const { terms, snapshot, among: amongOf } = look;
	const among = uris && (await amongOf(uris, snapshot));
	const { condition, lets } = lanceFilterOf({ limit: FUZZY_ROWS, ...(uris && { among: uris }) }, snapshot);
	const found = new Map<string, readonly string[]>();
	for (const word of spelledWords(query)) {
		const { asked, idfs } = await terms.read(word.toLowerCase(), snapshot, among);
		const idfOfTerm = await idfs();
		const [term = ""] = asked.terms;
		if (term === "" || asked.terms.some((one) => idfOfTerm(one) > 0)) continue;
		const near = new MatchQuery(term, "terms", { fuzziness: 2, prefixLength: 1 });
		const search = snapshot.tables.passages.query().fullTextSearch(near);
		if (condition !== undefined) search.where(condition);
		const rows = await runQuery(search.select(["terms", "revision", "_score"]).limit(FUZZY_ROWS));
		const shown = rows.toArray().filter(({ revision }) => lets({ revision: Number(revision), ordinal: 0 }));
		const texts = shown.flatMap(({ terms: text }) => String(text).split(" "));
		found.set(word, nearestTerms(word, new Set(texts)));
	}
	return found;
}

async function matchVector(vector: Float32Array, options: MatchOptions, look: Look): Promise<Match[]> {
	const { snapshot, load, filterOf, probes } = look;
	const { passages } = snapshot.tables;
	const filter = await filterOf(options, snapshot);
	const near = () => passages.query().nearestTo(vector).column("vector").distanceType("cosine");
	const exact = () => near().bypassVectorIndex();
	const looked = probes(snapshot.manifest.passages);
	const probed = () => near().nprobes(looked);
	const { limit } = options;
	const find = (search: typeof near) =>
		findHits({ search, measure: "_distance", filter, limit, slack: VECTOR_SLACK }, load);
	const found = await find(filter.isNarrow ? exact : probed);
	// The partitions that were read may have too few rows that meet the condition.
	const isShort = found.isAll && !filter.isNarrow && filter.condition !== undefined;
	const { hits } = isShort ? await find(exact) : found;
	const cosineOf = (other?: Float32Array) => (other ? cosine(vector, other) : 0);
	const cosines = hits.map(({ found: hit }) => ({ found: hit, value: cosineOf(hit.vector) }));
	const best = ranked(cosines, snapshot).slice(0, limit);
	return best.map((hit) => toMatch(hit, look));
}

function toMatch(hit: LanceHit, { rows, snapshot }: Look): Match {
	const row = rows.rowOf(hit.found, snapshot.manifest);
	rows.remember(row, hit.found);
	return { row, score: hit.value };
}

/**
 * Sorts by score, then by the URIs of the documents, then by position. Drops passages whose document was removed in
 * the meantime, because the next document gets the same row numbers.
 */
function ranked(hits: readonly LanceHit[], { manifest }: Snapshot): LanceHit[] {
	const before = inPlaces(manifest);
	return hits
		.filter(({ found }) => manifest.uriOf(found.revision) !== undefined)
		.sort((a, b) => b.value - a.value || before(a.found, b.found));
}

/** Finds passages that contain each phrase word for word. Cached, because all legs of a question ask for them. */
function createQuoted(terms: TermReader, loads: LanceLoads) {
	const last = createLast<Promise<readonly PlaceRef[]>>();
	return ({ phrases = [], uris, among }: MatchOptions, filter: LanceFilter, snapshot: Snapshot) => {
		// The condition alone is no key, because it omits long lists of documents, and `among`.
		const key = [phrases.join("\n"), uris, among, filter.condition, snapshot];
		return last(key, () => find(phrases, filter, snapshot));
	};

	async function find(phrases: readonly string[], filter: LanceFilter, snapshot: Snapshot) {
		const { asked } = await terms.read(phrases.join(" "), snapshot);
		// This read is not batched with the reads of the legs, because the legs wait for it.
		const load: LoadPassages = (addresses) => loads.load(addresses, snapshot);
		const { hits } = await findWithAll(asked, { filter, limit: MOST_QUOTED }, snapshot, load);
		return hits.map(({ found }) => found).filter(({ passage }) => hasPhrases(passage, phrases));
	}
}

/** Returns the best hits, and whether there are no others. Indexes return addresses; `load` reads the rows. */
async function findHits(
	{ search, measure, filter, limit, slack = SLACK }: HitQuery,
	load: LoadPassages,
): Promise<{ readonly hits: readonly LanceHit[]; readonly isAll: boolean }> {
	for (let [wanted, moves] = [limit + slack, 0]; ; ) {
		const query = search().select([measure]).withRowId().limit(wanted);
		if (filter.condition !== undefined) query.where(filter.condition);
		const result = await runQuery(query);
		const addresses = addressesIn(result);
		const values = result.getChild(measure);
		const read = await load(addresses);
		const all = addresses.flatMap((address, index) => {
			const found = read.get(address);
			return found ? [{ found, value: Number(values?.get(index)) }] : [];
		});
		if (all.length < addresses.length && moves++ < MOST_MOVES) continue;
		const hits = all.filter(({ found }) => filter.lets(found));
		const isAll = result.numRows < wanted;
		if (isAll || hits.length >= limit || wanted >= MOST) return { hits, isAll };
		wanted *= GROWTH;
	}
}
