import type { Database } from "./database.ts";
import { revisionsOf } from "./manifest.ts";
import { typeKeyOf } from "./passageTable.ts";
import type { LiveIndex } from "./search/liveIndex.ts";
import type { RowFilter } from "./search/rowFilter.ts";
import type { Match, MatchOptions, Store } from "./store.ts";

/** Characters; what a longer query adds is not worth its time. */
const LONGEST_QUERY = 4000;

/** How the passages are found. */
export function createSearches(
	database: Database,
	live: LiveIndex,
): Pick<Store, "matchText" | "countMatches" | "matchVector" | "typicalCosine"> {
	return { matchText, countMatches, matchVector, typicalCosine };

	async function matchText(query: string, options: MatchOptions): Promise<Match[]> {
		return [...(await rank(query, options)).matches];
	}

	async function countMatches(query: string, options: Omit<MatchOptions, "limit">): Promise<number> {
		return (await rank(query, { ...options, limit: 0 })).total;
	}

	async function rank(query: string, options: MatchOptions) {
		const index = await live.current();
		return index.matchText(query.slice(0, LONGEST_QUERY), { ...filterOf(options), limit: options.limit });
	}

	async function matchVector(vector: Float32Array, options: MatchOptions): Promise<Match[]> {
		const index = await live.current();
		if (!isSearchable(vector)) return [];
		return index.matchVector(vector, { ...filterOf(options), limit: options.limit });
	}

	async function typicalCosine(vector: Float32Array): Promise<number> {
		const index = await live.current();
		return isSearchable(vector) ? index.medianCosine(vector) : 0;
	}

	function filterOf({ uris, types }: Omit<MatchOptions, "limit">): RowFilter {
		const { manifest } = database.snapshot();
		return {
			...(uris && { revisions: revisionsOf(uris, manifest) }),
			...(types && { types: types.map(typeKeyOf) }),
		};
	}

	function isSearchable(vector: Float32Array): boolean {
		const { dimensions } = database.snapshot().tables;
		return !database.stale && dimensions === vector.length && vector.some((value) => value !== 0);
	}
}
