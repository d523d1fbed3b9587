import type { Database } from "../database/database.ts";
import type { SubjectPlaces } from "../database/subjectPlaces.ts";
import type { SearchEngine } from "../port/engine.ts";
import { optimizeTable } from "../tables/indexes.ts";
import { areBehind, makeIndexes } from "./lanceIndexes.ts";
import { createLanceReads, createLanceVectors } from "./lanceReads.ts";
import { createLanceRows } from "./lanceRows.ts";
import { createSampleReader } from "./lanceSample.ts";
import { createLanceSearches } from "./lanceSearches.ts";

/** Searches the indexes that LanceDB keeps, on disk or far away: this process has only what was found last. */
export function createLanceEngine(
	database: Database,
	firstRow: number,
	placesAbout: SubjectPlaces,
): SearchEngine {
	const rows = createLanceRows(firstRow);
	const sampleOf = createSampleReader();
	return {
		kind: "lancedb",
		...createLanceSearches(database, rows, sampleOf),
		...createLanceVectors(database, rows, sampleOf),
		...createLanceReads(database, rows, placesAbout),
		follow: async () => undefined,
		stage: async () => undefined,
		unstage: () => undefined,
		commit: () => undefined,
		settle: async () => {
			const { tables } = database.snapshot();
			if (await areBehind(tables)) await optimizeTable(tables.passages);
		},
		tidy: async () => makeIndexes(database.snapshot().tables),
		drop: async () => undefined,
		close: async () => undefined,
	};
}
