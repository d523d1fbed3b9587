import { MatchQuery, type Query, type VectorQuery } from "@lancedb/lancedb";
import { type CosineSample, readCosineSample } from "./cosineSample.ts";
import type { Database, Snapshot } from "./database.ts";
import { isCompressed } from "./indexes.ts";
import { type Manifest, revisionsOf } from "./manifest.ts";
import { KEY_COLUMNS, type PassageKey, passageIdOf, readKeys, typeKeyOf } from "./passageTable.ts";
import { isOneOf, quote, runQuery } from "./query.ts";
import type { Match, MatchOptions, Store } from "./store.ts";

/** Characters; what a longer query adds is not worth its time. */
const LONGEST_QUERY = 4000;

/** Parts of the vector index that are searched. */
const PROBES = 20;

/** Compressed vectors find this many times the limit, and the full ones put these in order. */
const REFINE_FACTOR = 3;

/** Share of the passages below which comparing all of the allowed ones is faster, and exact. */
const SELECTIVE = 0.02;

type Searches = Pick<Store, "matchText" | "matchVector" | "typicalCosine">;

/** A row that was found, whether or not it can be seen. */
interface FoundRow {
	readonly key: PassageKey;
	readonly row: bigint;
	readonly score: number;
}

/** `filter` is an SQL condition. */
type Find = (snapshot: Snapshot, filter: string | undefined) => Promise<FoundRow[]>;

/** How the passages are found. */
export function createSearches(database: Database): Searches {
	let sample: { readonly of: CosineSample; readonly passages: number } | undefined;

	return {
		matchText: (query, options) =>
			match(options, async ({ tables }, filter) => {
				const words = new MatchQuery(query.slice(0, LONGEST_QUERY), "content");
				const search = tables.passages.query().fullTextSearch(words);
				if (filter) search.where(filter);
				return foundRows(search, { column: "_score", limit: options.limit });
			}),

		async matchVector(vector, options) {
			if (database.stale || vector.every((value) => value === 0)) return [];
			const rows = await match(options, ({ tables, manifest }, filter) => {
				const search = tables.passages.query().nearestTo(vector).distanceType("cosine").nprobes(PROBES);
				if (filter) search.where(filter);
				if (shareOf(options.uris, manifest) < SELECTIVE) search.bypassVectorIndex();
				if (isCompressed(manifest.passages)) search.refineFactor(REFINE_FACTOR);
				return foundRows(search, { column: "_distance", limit: options.limit });
			});
			return rows.map((match) => ({ ...match, score: 1 - match.score }));
		},

		async typicalCosine(vector) {
			const { tables, manifest } = await database.refresh();
			if (database.stale || tables.dimensions === 0) return 0;
			const { passages } = manifest;
			if (!sample || passages > 2 * sample.passages || passages < sample.passages / 2)
				sample = { of: await readCosineSample(tables.passages), passages };
			return sample.of.medianWith(vector);
		},
	};

	/** Searches again where a document was replaced meanwhile: its old rows were found, and its new ones count. */
	async function match(options: MatchOptions, find: Find): Promise<Match[]> {
		const before = await database.refresh();
		const first = await findVisible(before, options, find);
		const after = await database.refresh();
		if (first.hidden === 0 || before.version === after.version) return first.matches;
		return (await findVisible(after, options, find)).matches;
	}

	async function findVisible(snapshot: Snapshot, options: MatchOptions, find: Find) {
		const revisions = options.uris && revisionsOf(options.uris, snapshot.manifest);
		if (snapshot.manifest.passages === 0 || revisions?.length === 0) return { matches: [], hidden: 0 };
		const found = await find(snapshot, conditionOf(revisions, options.types));
		const { manifest } = database.snapshot();
		const matches = found.flatMap((row) => toMatches(row, manifest));
		return { matches, hidden: found.length - matches.length };
	}
}

function conditionOf(
	revisions: readonly number[] | undefined,
	types: readonly string[] | undefined,
): string | undefined {
	const conditions = [
		revisions && isOneOf("revision", revisions),
		types && `array_has_any(types, [${types.map((type) => quote(typeKeyOf(type))).join(", ")}])`,
	].filter((condition) => condition !== undefined);
	return conditions.length > 0 ? conditions.join(" AND ") : undefined;
}

async function foundRows(
	query: Query | VectorQuery,
	{ column, limit }: { readonly column: string; readonly limit: number },
): Promise<FoundRow[]> {
	const result = await runQuery(
		query
			.select([...KEY_COLUMNS, column])
			.withRowId()
			.limit(limit),
	);
	const rows = result.getChild("_rowid");
	const scores = result.getChild(column);
	return readKeys(result).map((key, index) => ({
		key,
		row: BigInt(rows?.get(index)),
		score: Number(scores?.get(index)),
	}));
}

/** None where the row's document is not committed, or no more. */
function toMatches({ key, row, score }: FoundRow, manifest: Manifest): Match[] {
	const uri = manifest.uriOf(key.revision);
	return uri === undefined ? [] : [{ id: passageIdOf(uri, key.ordinal), uri, score, row }];
}

/** The share of all passages that these documents have. */
function shareOf(uris: readonly string[] | undefined, { records, passages }: Manifest): number {
	if (!uris) return 1;
	return uris.reduce((sum, uri) => sum + (records.get(uri)?.passages ?? 0), 0) / passages;
}
