import type { Table } from "@lancedb/lancedb";
import { commit } from "./commit.ts";

/** Milliseconds for which files that are not current are kept for readers in the midst of a query. */
const GRACE_MS = 10_000;

/** Folds new rows into the indexes, and gives back the space of old ones. Writes nothing where all is done. */
export async function optimizeTable(table: Table): Promise<void> {
	await commit(table, () => table.optimize({ cleanupOlderThan: new Date(Date.now() - GRACE_MS) }));
}
