import { MatchQuery } from "@lancedb/lancedb";
import { rememberFor } from "../../base/jobs/lazily.ts";
import { type Analyzer, createAnalyzer } from "../../search/analyzer.ts";
import { countTerms, idfOf, scoreOf } from "../../search/bm25.ts";
import type { PlaceRef } from "../../search/rowColumns.ts";
import { revisionsOf, type Snapshot } from "../database/database.ts";
import { isAmong, keyOf } from "../database/passageReads.ts";
import type { MatchOptions } from "../port/store.ts";
import { typeKeyOf } from "../tables/columns.ts";
import { numbersIn } from "../tables/passageTable.ts";
import { isOneOf, quote, runQuery } from "../tables/query.ts";
import type { FoundPassage } from "./lanceLoads.ts";
import { medianCosine, readVectors, usualLength } from "./lanceTerms.ts";

export type AmongReader = ReturnType<typeof createAmongReader>;

/** Maximum number of rows to count for a term; the exact number hardly matters for more frequent terms. */
const MOST_COUNTED = 50_000;

const SAMPLE_DOCUMENTS = 64;
const SAMPLE_ROWS = 512;

export function createAmongReader() {
	const analyzer = createAnalyzer();
	return rememberFor((uris: readonly string[], snapshot: Snapshot) => readAmong(uris, snapshot, analyzer));
}

/** Computes statistics of these documents alone, because LanceDB's statistics cover all rows. */
async function readAmong(uris: readonly string[], snapshot: Snapshot, analyzer: Analyzer) {
	const { usual, vectors } = await readSample(uris, snapshot);
	const { documents } = snapshot.manifest;
	const passages = uris.reduce((sum, uri) => sum + (documents.entry(uri)?.passages ?? 0), 0);
	return {
		passages,
		/** Inverse document frequencies by term; a promise while the term is being counted. */
		idfs: new Map<string, number | Promise<number>>(),
		readIdf: async (term: string) => {
			const having = await countRows(term, uris, snapshot);
			return having === 0 ? 0 : idfOf(having, passages);
		},
		scoreOf: ({ passage }: FoundPassage, terms: readonly string[], idfOfTerm: (term: string) => number) => {
			const own = analyzer.markedTermsOf(`${passage.title}\n${passage.text}`);
			const counts = countTerms(own);
			const length = own.length / Math.max(1, usual);
			const scoreFor = (term: string) => scoreOf(idfOfTerm(term), { count: counts.get(term) ?? 0, length });
			return terms.reduce((sum, term) => sum + scoreFor(term), 0);
		},
		typicalCosine: (vector: Float32Array) => medianCosine(vector, vectors),
	};
}

async function countRows(term: string, uris: readonly string[], snapshot: Snapshot): Promise<number> {
	const { condition, lets } = lanceFilterOf({ uris, limit: MOST_COUNTED }, snapshot);
	const query = snapshot.tables.passages.query().fullTextSearch(new MatchQuery(term, "terms"));
	if (condition !== undefined) query.where(condition);
	const found = await runQuery(query.select(["revision", "_score"]).limit(MOST_COUNTED));
	return numbersIn(found, "revision").filter((revision) => lets({ revision, ordinal: 0 })).length;
}

/** Takes every n-th document of the sorted list, so the sample does not depend on the order in the index. */
async function readSample(uris: readonly string[], { tables, manifest }: Snapshot) {
	const sorted = uris.toSorted();
	const step = Math.max(1, sorted.length / SAMPLE_DOCUMENTS);
	const chosen = sorted.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
	const revisions = revisionsOf(chosen, manifest);
	const columns = ["terms", ...(tables.dimensions > 0 ? ["vector"] : [])];
	const query = tables.passages.query().where(isOneOf("revision", revisions)).select(columns);
	const rows = await runQuery(query.limit(SAMPLE_ROWS));
	return { usual: usualLength(rows.getChild("terms") ?? []), vectors: readVectors(rows.getChild("vector")) };
}

/** Maximum number of documents in a condition; with more documents, results are filtered after the search. */
const MOST_NAMED = 10_000;

export type LanceFilter = ReturnType<typeof lanceFilterOf>;

/** `places` restricts the search to some passages, for example to passages with a phrase. */
export function lanceFilterOf(options: MatchOptions, snapshot: Snapshot, places?: readonly PlaceRef[]) {
	const { among, uris = among, types } = options;
	const { manifest } = snapshot;
	const documents = uris && documentsOf(uris, snapshot);
	const seen = among && documentsOf(among, snapshot);
	const named = places && new Set(places.map(keyOf));
	const conditions = [
		documents?.isFew && isOneOf("revision", [...documents.revisions]),
		// The table has each class both by IRI and by last segment.
		types && `array_has_any(types, [${types.map(typeKeyOf).map(quote).join(", ")}])`,
		places && isAmong(places),
	].filter((condition) => typeof condition === "string");
	return {
		...(conditions.length > 0 && { condition: conditions.map((one) => `(${one})`).join(" AND ") }),
		/** Whether so few rows remain that comparing all of them is faster than an index. */
		isNarrow: named !== undefined || documents?.isFew === true,
		/** Whether a passage may be in the results: its document must also be committed. */
		lets: (place: PlaceRef): boolean =>
			manifest.uriOf(place.revision) !== undefined &&
			(documents?.revisions.has(place.revision) ?? true) &&
			(seen?.revisions.has(place.revision) ?? true) &&
			(named?.has(keyOf(place)) ?? true),
	};
}

const documentsOf = rememberFor((uris: readonly string[], { manifest }: Snapshot) => {
	const revisions: ReadonlySet<number> = new Set(revisionsOf(uris, manifest));
	return { revisions, isFew: revisions.size <= MOST_NAMED };
});
