import type { Database } from "../database/database.ts";
import type { Store } from "../port/store.ts";
import { typeKeyOf } from "../tables/typeKeys.ts";
import type { LiveIndex } from "./liveIndex.ts";

/** Which documents the passages are of that were found. */
export function createRowDocuments(database: Database, live: LiveIndex): Pick<Store, "urisOf" | "firstRows"> {
	return {
		urisOf: (rows) => {
			const { manifest } = database.snapshot();
			const uris = new Map<number, string>();
			for (const row of rows) {
				const place = live.latest()?.placeOf(row);
				const uri = place && manifest.uriOf(place.revision);
				if (uri !== undefined) uris.set(row, uri);
			}
			return uris;
		},
		firstRows: async (uris, { types }) => {
			const index = await live.current();
			const { manifest } = database.snapshot();
			const places = uris.map((uri) => ({ revision: manifest.revisionOf(uri) ?? Number.NaN, ordinal: 0 }));
			const rows = index.rowsAt(places, types ? { types: types.map(typeKeyOf) } : {});
			return new Map(
				uris.flatMap((uri, number) => {
					const row = rows[number];
					return row === undefined ? [] : [[uri, row] as const];
				}),
			);
		},
	};
}
