import type { Database } from "../database/database.ts";
import type { SearchEngine } from "../port/engine.ts";
import { optimizeTable } from "../tables/indexes.ts";
import { createFrequencies } from "./lanceFrequencies.ts";
import { areBehind, makeIndexes } from "./lanceIndexes.ts";
import { createLanceLoads } from "./lanceLoads.ts";
import { createLanceReads, createLanceVectors } from "./lanceReads.ts";
import { createLanceRows } from "./lanceRows.ts";
import { createCosineReader, createLengthReader } from "./lanceSample.ts";
import { createLanceSearches } from "./lanceSearches.ts";
import { createLanceSubjects } from "./lanceSubjects.ts";
import { createTermReader } from "./lanceTerms.ts";

/**
 * Searches the indexes that LanceDB keeps, on disk or far away: this process has only what was found last. No index is
 * begun once the signal is aborted.
 */
export function createLanceEngine(database: Database, firstRow: number, signal: AbortSignal): SearchEngine {
	const rows = createLanceRows(firstRow);
	const loads = createLanceLoads();
	const terms = createTermReader(createLengthReader(), createFrequencies());
	return {
		kind: "lancedb",
		...createLanceSearches(database, { rows, loads, terms }),
		...createLanceVectors(database, rows, createCosineReader()),
		...createLanceReads(database, { rows, loads }, createLanceSubjects()),
		follow: async () => undefined,
		stage: async (staged) => terms.stage(staged),
		unstage: () => undefined,
		commit: terms.commit,
		settle: async () => {
			const { tables } = database.snapshot();
			if (await areBehind(tables)) await optimizeTable(tables.passages);
		},
		tidy: async () => {
			await makeIndexes(database.snapshot().tables, signal);
			terms.forget();
		},
		drop: async () => undefined,
		close: async () => undefined,
	};
}
