import { hasPhrases } from "../../search/phrases.ts";
import type { Snapshot } from "../database/database.ts";
import { inPlaces, isAmong, keyOf, type PlaceRef } from "../database/passageReads.ts";
import type { MatchOptions } from "../port/store.ts";
import { lanceFilterOf } from "./lanceFilter.ts";
import type { LanceLoads, LoadPassages } from "./lanceLoads.ts";
import type { FoundPassage, LanceRows } from "./lanceRows.ts";

/** Places that are looked at where many are left out. */
const MOST_PLACES = 2000;

/** A place of the `subject`th thing that was asked for. */
type SubjectPlace = KnownPlace & { readonly subject: number };

/** With the address that it had when it was looked up, where it was. */
type KnownPlace = PlaceRef & { readonly address?: number };

/** What a reading goes by. */
interface PlaceLook {
	readonly snapshot: Snapshot;
	readonly load: LoadPassages;
}

/** Reads passages whose places are known, and remembers them. */
export function createLancePlaces(rows: LanceRows, loads: LanceLoads) {
	const remember = createRemember(rows, loads);
	return { load, remember: remember.where };

	/** The first of those that may be found, each once, with their rows; they are remembered. */
	async function load<Place extends SubjectPlace>(
		places: readonly Place[],
		{ limit, types, uris, phrases = [] }: MatchOptions,
		look: PlaceLook,
	): Promise<{ row: number; place: Place }[]> {
		const { manifest } = look.snapshot;
		const filter = lanceFilterOf({ ...(types && { types }), ...(uris && { uris }) }, look.snapshot);
		const isNarrowed = types !== undefined || phrases.length > 0;
		const before = inPlaces(manifest);
		const sorted = [...new Map(places.filter(filter.lets).map((place) => [keyOf(place), place])).values()]
			.sort((a, b) => a.subject - b.subject || before(a, b))
			.slice(0, isNarrowed ? MOST_PLACES : limit);
		const loaded = sorted.map((place) => ({ row: rows.rowOf(place, manifest), place }));
		const missing = loaded.filter(({ row }) => types || !rows.recall(row)).map(({ place }) => place);
		// Of classes only LanceDB knows.
		const asked = types ? missing : await remember.at(missing, look);
		const found = await remember.where(asked, look.snapshot, types && filter.condition);
		const shown = types ? loaded.filter(({ place }) => found.has(keyOf(place))) : loaded;
		return shown.filter(({ row }) => isQuoted(row, phrases)).slice(0, limit);
	}

	function isQuoted(row: number, phrases: readonly string[]): boolean {
		if (phrases.length === 0) return true;
		const { passage } = rows.recall(row) ?? {};
		return passage !== undefined && hasPhrases(passage, phrases);
	}
}

function createRemember(rows: LanceRows, loads: LanceLoads) {
	const note = (found: FoundPassage, { manifest }: Snapshot) =>
		rows.remember(rows.rowOf(found, manifest), found);
	return {
		/** Those of the places that are not at their address any more. */
		at: async <Place extends KnownPlace>(places: readonly Place[], { snapshot, load }: PlaceLook) => {
			const found = await load(places.flatMap(({ address }) => address ?? []));
			return places.filter((place) => {
				const passage = found.get(place.address ?? Number.NaN);
				if (!passage || keyOf(passage) !== keyOf(place)) return true;
				note(passage, snapshot);
				return false;
			});
		},
		/** The keys of those that are there, and meet the condition. */
		where: async (places: readonly PlaceRef[], snapshot: Snapshot, condition?: string) => {
			if (places.length === 0) return new Set<string>();
			const among = isAmong(places);
			const wanted = new Set(places.map(keyOf));
			const found = await loads.readWhere(condition ? `${among} AND ${condition}` : among, snapshot);
			const asked = found.filter((passage) => wanted.has(keyOf(passage)));
			for (const passage of asked) note(passage, snapshot);
			return new Set(asked.map(keyOf));
		},
	};
}
