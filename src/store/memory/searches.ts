import type { Match, TextMatches } from "../../search/match.ts";
import type { PassageIndex } from "../../search/passageIndex.ts";
import { rowsWithPhrases } from "../../search/phrases.ts";
import type { RowFilter } from "../../search/rowFilter.ts";
import type { Database } from "../database/database.ts";
import type { SubjectPlaces } from "../database/subjectPlaces.ts";
import type { MatchOptions, PassageSubject, Store } from "../port/store.ts";
import { revisionsOf } from "../tables/manifest.ts";
import { typeKeyOf } from "../tables/typeKeys.ts";
import type { LiveIndex } from "./liveIndex.ts";

/** Characters; what a longer query adds is not worth its time. */
export const LONGEST_QUERY = 4000;

/** Passages with all words of the phrases that are read to see whether they have them as they are quoted. */
export const MOST_QUOTED = 2000;

/** How the passages are found. */
export function createSearches(
	database: Database,
	live: LiveIndex,
	{ read, placesAbout }: Pick<Store, "read"> & { readonly placesAbout: SubjectPlaces },
): Pick<
	Store,
	"matchText" | "spellings" | "matchVector" | "cosines" | "centreOf" | "typicalCosine" | "rowsAbout"
> {
	return { matchText, spellings, matchVector, cosines, centreOf, typicalCosine, rowsAbout };

	async function matchText(query: string, options: MatchOptions): Promise<TextMatches> {
		const index = await live.current();
		const filter = await filterOf(options, index);
		return index.matchText(query.slice(0, LONGEST_QUERY), { ...filter, limit: options.limit });
	}

	async function spellings(query: string) {
		const index = await live.current();
		return index.spellings(query.slice(0, LONGEST_QUERY));
	}

	async function matchVector(vector: Float32Array, options: MatchOptions): Promise<Match[]> {
		const index = await live.current();
		if (!isSearchable(vector)) return [];
		return index.matchVector(vector, { ...(await filterOf(options, index)), limit: options.limit });
	}

	/** Rows are numbers in what was seen last: nothing is looked up. */
	function cosines(vector: Float32Array, rows: readonly number[]): Map<number, number> {
		return (isSearchable(vector) && live.latest()?.cosines(vector, rows)) || new Map();
	}

	function centreOf(rows: readonly number[]): Float32Array {
		return live.latest()?.centreOf(rows) ?? new Float32Array();
	}

	async function typicalCosine(vector: Float32Array): Promise<number> {
		const index = await live.current();
		return isSearchable(vector) ? index.medianCosine(vector) : 0;
	}

	async function rowsAbout(
		wanted: readonly PassageSubject[],
		{ limit, ...options }: MatchOptions,
	): Promise<Map<number, number>> {
		const index = await live.current();
		const places = await placesAbout(wanted, database.snapshot());
		const rows = index.rowsAt(places, await filterOf(options, index));
		const found = places.map(({ subject }, number) => ({ row: rows[number], subject }));
		return firstOf(found, index.inOrder, limit);
	}

	async function filterOf(
		{ uris, types, phrases }: Omit<MatchOptions, "limit">,
		index: PassageIndex,
	): Promise<RowFilter> {
		const { manifest } = database.snapshot();
		const filter: RowFilter = {
			...(uris && { revisions: revisionsOf(uris, manifest) }),
			...(types && { types: types.map(typeKeyOf) }),
		};
		if (!phrases?.length) return filter;
		const rows = index.rowsWithAll(phrases.join(" "), filter).slice(0, MOST_QUOTED);
		return { ...filter, rows: rowsWithPhrases(await read(rows), phrases) };
	}

	function isSearchable(vector: Float32Array): boolean {
		const { dimensions } = database.snapshot().tables;
		return dimensions === vector.length && vector.some((value) => value !== 0);
	}
}

/** By row, if there is one: the subject that it is about. Those of the first subjects come first, each in their order. */
export function firstOf(
	found: readonly { readonly row: number | undefined; readonly subject: number }[],
	inOrder: PassageIndex["inOrder"],
	limit: number,
): Map<number, number> {
	const subjects = new Map(
		found.flatMap(({ row, subject }) => (row === undefined ? [] : [[row, subject] as const])),
	);
	const ordered = inOrder([...subjects.keys()]).map((row) => [row, subjects.get(row) ?? 0] as const);
	return new Map(ordered.sort(([, a], [, b]) => a - b).slice(0, limit));
}
