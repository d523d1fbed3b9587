import type { Passage } from "../../core/knowledge/document.ts";
import type { PassageIndex } from "../../search/passageIndex.ts";
import type { Database } from "../database/database.ts";
import { keyOf, type PlaceRef, readPlaces, toStored } from "../database/passageReads.ts";
import type { SubjectPlaces } from "../database/subjectPlaces.ts";
import type { SearchEngine } from "../port/engine.ts";
import type { PassageHead, Store } from "../port/store.ts";
import { typeKeyOf } from "../tables/typeKeys.ts";
import { createLiveIndex, type LiveIndex, type SnapshotPlace } from "./liveIndex.ts";
import { createSearches } from "./searches.ts";

/** Searches a copy of the passages in this process. */
export function createMemoryEngine(
	database: Database,
	place: SnapshotPlace,
	placesAbout: SubjectPlaces,
): SearchEngine {
	const live = createLiveIndex(database, place);
	const reads = createMemoryReads(database, live);
	return {
		kind: "memory",
		...reads,
		...createSearches(database, live, { ...reads, placesAbout }),
		...createRowDocuments(database, live),
		follow: async () => {
			await live.current();
		},
		stage: live.stage,
		unstage: live.unstage,
		commit: live.commit,
		settle: async () => undefined,
		tidy: live.tidy,
		drop: live.dropSnapshots,
		close: live.close,
	};
}

/** The passages of rows, out of memory as far as it has room for them. */
function createMemoryReads(database: Database, live: LiveIndex): Pick<SearchEngine, "headsOf" | "read"> {
	return {
		headsOf: (rows) => read(rows, (index, row) => index.headAt(row)),
		read: (rows) => read(rows, (index, row) => index.passageAt(row)),
	};

	/** What is wanted of the passages that are in memory, and all of the others. */
	async function read<Part extends Pick<Passage, "resource">>(
		rows: readonly number[],
		partAt: (index: PassageIndex, row: number) => Part | undefined,
	): Promise<Map<number, (Part | Passage) & PassageHead>> {
		const places = placesIn(live.latest(), rows, partAt);
		const unread = places.filter(({ part }) => !part);
		const read = await readPlaces(unread, database.snapshot().tables);
		const { manifest } = database.snapshot();
		const found = new Map<number, (Part | Passage) & PassageHead>();
		for (const { row, revision, ordinal, part } of places) {
			const passage = part ?? read.get(keyOf({ revision, ordinal }));
			const [stored] = passage ? toStored({ revision, ordinal, passage }, manifest) : [];
			if (stored) found.set(row, stored);
		}
		return found;
	}
}

/** A row that is shown, and what is in memory of its passage. */
interface Placed<Part> extends PlaceRef {
	readonly row: number;
	readonly part: Part | undefined;
}

function placesIn<Part>(
	index: PassageIndex | undefined,
	rows: readonly number[],
	partAt: (index: PassageIndex, row: number) => Part | undefined,
): Placed<Part>[] {
	const places: Placed<Part>[] = [];
	for (const row of index ? rows : []) {
		const place = index?.placeOf(row);
		if (index && place) places.push({ row, ...place, part: partAt(index, row) });
	}
	return places;
}

/** Which documents the passages are of that were found. */
function createRowDocuments(database: Database, live: LiveIndex): Pick<Store, "urisOf" | "firstRows"> {
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
