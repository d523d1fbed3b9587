import type { Database } from "./database.ts";
import type { SearchEngine } from "./engine.ts";
import type { LiveIndex } from "./liveIndex.ts";
import { keyOf, readPlaces, toStored } from "./passageReads.ts";
import type { StoredPassage } from "./store.ts";

/** The passages of rows, out of memory as far as it has room for them. */
export function createMemoryReads(database: Database, live: LiveIndex): Pick<SearchEngine, "read"> {
	return {
		read: async (rows) => {
			const places = live.latest()?.placesOf(rows) ?? [];
			const unread = places.filter(({ passage }) => !passage);
			const read = await readPlaces(unread, database.snapshot().tables.passages);
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
