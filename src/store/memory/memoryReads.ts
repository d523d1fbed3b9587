import type { Database } from "../database/database.ts";
import { keyOf, readPlaces, toStored } from "../database/passageReads.ts";
import type { SearchEngine } from "../port/engine.ts";
import type { StoredPassage } from "../port/store.ts";
import type { LiveIndex } from "./liveIndex.ts";

/** The passages of rows, out of memory as far as it has room for them. */
export function createMemoryReads(database: Database, live: LiveIndex): Pick<SearchEngine, "read"> {
	return {
		read: async (rows) => {
			const places = live.latest()?.placesOf(rows) ?? [];
			const unread = places.filter(({ passage }) => !passage);
			const read = await readPlaces(unread, database.snapshot().tables);
			const { manifest } = database.snapshot();
			return new Map<number, StoredPassage>(
				places.flatMap((place) => {
					const passage = place.passage ?? read.get(keyOf(place));
					return passage
						? toStored({ ...place, passage }, manifest).map((stored) => [place.row, stored] as const)
						: [];
				}),
			);
		},
	};
}
