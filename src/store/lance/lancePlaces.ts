import { hasPhrases } from "../../search/phrases.ts";
import type { Snapshot } from "../database/database.ts";
import { inPlaces, isAmong, keyOf, type PlaceRef } from "../database/passageReads.ts";
import type { MatchOptions } from "../port/store.ts";
import { lanceFilterOf } from "./lanceFilter.ts";
import { readWhere } from "./lanceHits.ts";
import type { LanceRows } from "./lanceRows.ts";

/** Places that are looked at where many are left out. */
const MOST_PLACES = 2000;

/** A place of the `subject`th thing that was asked for. */
type SubjectPlace = PlaceRef & { readonly subject: number };

/** Reads passages whose places are known, and remembers them. */
export function createLancePlaces(rows: LanceRows) {
	return { load, remember };

	/** The first of those that may be found, each once, with their rows; they are remembered. */
	async function load<Place extends SubjectPlace>(
		places: readonly Place[],
		{ limit, types, uris, phrases = [] }: MatchOptions,
		snapshot: Snapshot,
	): Promise<{ row: number; place: Place }[]> {
		const { manifest } = snapshot;
		const filter = lanceFilterOf({ ...(types && { types }), ...(uris && { uris }) }, snapshot);
		const isNarrowed = types !== undefined || phrases.length > 0;
		const before = inPlaces(manifest);
		const sorted = [...new Map(places.filter(filter.lets).map((place) => [keyOf(place), place])).values()]
			.sort((a, b) => a.subject - b.subject || before(a, b))
			.slice(0, isNarrowed ? MOST_PLACES : limit);
		const loaded = sorted.map((place) => ({ row: rows.rowOf(place, manifest), place }));
		const missing = loaded.filter(({ row }) => types || !rows.recall(row));
		const found = await remember(
			missing.map(({ place }) => place),
			snapshot,
			filter.condition,
		);
		const shown = types ? loaded.filter(({ place }) => found.has(keyOf(place))) : loaded;
		return shown.filter(({ row }) => isQuoted(row, phrases)).slice(0, limit);
	}

	function isQuoted(row: number, phrases: readonly string[]): boolean {
		if (phrases.length === 0) return true;
		const { passage } = rows.recall(row) ?? {};
		return passage !== undefined && hasPhrases(passage, phrases);
	}

	/** The keys of those that are there, and meet the condition. */
	async function remember(
		places: readonly PlaceRef[],
		snapshot: Snapshot,
		condition?: string,
	): Promise<Set<string>> {
		if (places.length === 0) return new Set();
		const among = isAmong(places);
		const wanted = new Set(places.map(keyOf));
		const found = await readWhere(condition ? `${among} AND ${condition}` : among, snapshot);
		const asked = found.filter((hit) => wanted.has(keyOf(hit)));
		for (const hit of asked) rows.remember(rows.rowOf(hit, snapshot.manifest), hit);
		return new Set(asked.map(keyOf));
	}
}
