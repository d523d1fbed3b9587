import { MatchQuery, type Query, type VectorQuery } from "@lancedb/lancedb";
import { type CosineSample, readCosineSample } from "./cosineSample.ts";
import type { Database, Snapshot } from "./database.ts";
import { countUnsearchable, isCompressed } from "./indexes.ts";
import { revisionsOf } from "./manifest.ts";
import { readRowIds, typeKeyOf } from "./passageTable.ts";
import { isOneOf, quote, readIndex, runQuery } from "./query.ts";
import type { Match, MatchOptions, Store } from "./store.ts";

/** Characters; what a longer query adds is not worth its time. */
const LONGEST_QUERY = 4000;

/** Parts of the vector index that are searched, and how many more where a filter leaves too little in them. */
const PROBES = 20;
const MOST_PROBES = 100_000;

/** Compressed vectors find this many times the limit, and the full ones put these in order. */
const REFINE_FACTOR = 2;

/** How the passages are found. */
export function createSearches(
	database: Database,
): Pick<Store, "matchText" | "matchVector" | "typicalCosine" | "countUnsearchable"> {
	let sample:
		| { readonly of: CosineSample; readonly passages: number; readonly generation: number }
		| undefined;
	return {
		matchText,
		matchVector,
		typicalCosine,
		countUnsearchable: () => readIndex(() => countUnsearchable(database.snapshot().tables.passages)),
	};

	async function matchText(query: string, options: MatchOptions): Promise<Match[]> {
		const { tables, manifest } = await database.refresh();
		const words = new MatchQuery(query.slice(0, LONGEST_QUERY), "content");
		const search = tables.passages.query().fullTextSearch(words);
		if ((await readIndex(() => countUnsearchable(tables.passages))) > 0) search.fastSearch();
		return findMatches(narrow(search, options, manifest), "_score", (score) => score);
	}

	async function matchVector(vector: Float32Array, options: MatchOptions): Promise<Match[]> {
		const { tables, manifest } = await database.refresh();
		if (!isSearchable(vector)) return [];
		const search = tables.passages.query().nearestTo(vector).distanceType("cosine").nprobes(PROBES);
		if (options.uris || options.types) search.maximumNprobes(MOST_PROBES);
		if (isCompressed(manifest.passages)) search.refineFactor(REFINE_FACTOR);
		return findMatches(narrow(search, options, manifest), "_distance", (distance) => 1 - distance);
	}

	async function typicalCosine(vector: Float32Array): Promise<number> {
		const { tables, manifest } = await database.refresh();
		if (!isSearchable(vector)) return 0;
		const { passages } = manifest;
		if (!sample || !isLike(sample, passages, tables.generation))
			sample = { of: await readCosineSample(tables.passages), passages, generation: tables.generation };
		return sample.of.medianWith(vector);
	}

	function isSearchable(vector: Float32Array): boolean {
		const { dimensions } = database.snapshot().tables;
		return dimensions === vector.length && vector.some((value) => value !== 0);
	}
}

/** Whether a sample that was taken before still stands for the passages. */
function isLike(
	sample: { readonly passages: number; readonly generation: number },
	passages: number,
	generation: number,
): boolean {
	return (
		generation === sample.generation && passages <= 2 * sample.passages && passages >= sample.passages / 2
	);
}

/** The query with its conditions and its limit. */
function narrow<Search extends Query | VectorQuery>(
	search: Search,
	{ limit, uris, types }: MatchOptions,
	manifest: Snapshot["manifest"],
): Search {
	const conditions = [
		uris && isOneOf("revision", revisionsOf(uris, manifest)),
		types && `array_has_any(types, [${types.map((type) => quote(typeKeyOf(type))).join(", ")}])`,
	].filter((condition) => condition !== undefined);
	if (conditions.length > 0) search.where(conditions.join(" AND "));
	search.limit(limit);
	return search;
}

/** Only row numbers and scores are read: the columns of the best are read later, by themselves. */
async function findMatches(
	search: Query | VectorQuery,
	column: string,
	toScore: (value: number) => number,
): Promise<Match[]> {
	const result = await runQuery(search.select([column]).withRowId());
	const values = Array.from(result.getChild(column) ?? [], Number);
	return readRowIds(result).map((row, index) => ({ row, score: toScore(values[index] ?? 0) }));
}
