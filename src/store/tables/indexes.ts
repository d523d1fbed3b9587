import { Index, type IndexStatistics, type Table } from "@lancedb/lancedb";
import { messageOf } from "../../base/failure.ts";
import { commit } from "./query.ts";

/** Up to here every vector is compared; above, compressed ones are searched first. */
const MOST_EXACT_ROWS = 10_000;

/** Every optimization adds a segment to the vector index, and each is searched. */
const MOST_SEGMENTS = 3;

/** Milliseconds for which files that are not current are kept for readers in the midst of a query. */
const GRACE_MS = 10_000;

const VECTOR_INDEX = "vector_idx";

/** Bits per number. Three times as many candidates then give results as good as full vectors; with half the bits they do not. */
const VECTOR_BITS = 4;

/**
 * Folds new rows into the indexes, and frees the space of old ones. Writes nothing if nothing changed. Resolves to the
 * milliseconds after which another call can free what readers still use, if anything.
 */
export async function optimizeTable(table: Table): Promise<number | undefined> {
	try {
		await commit(table, () => table.optimize({ cleanupOlderThan: new Date(Date.now() - GRACE_MS) }));
	} catch (thrown) {
		// LanceDB Cloud does it by itself.
		if (/not supported on LanceDB cloud/i.test(messageOf(thrown))) return undefined;
		throw thrown;
	}
	return (await table.listVersions()).length > 1 ? GRACE_MS : undefined;
}

/** Creates the vector index that fits the number of rows, unless it exists. */
export async function fitVectorIndex(table: Table): Promise<void> {
	const rows = await table.countRows("vector IS NOT NULL");
	if (rows === 0) return;
	const kind = rows > MOST_EXACT_ROWS ? "IVF_RQ" : "IVF_FLAT";
	const present = await table.indexStats(VECTOR_INDEX);
	if (present?.indexType === kind && isWorthKeeping(present)) return;
	const toConfig = () =>
		kind === "IVF_RQ"
			? Index.ivfRq({ distanceType: "cosine", numBits: VECTOR_BITS })
			: Index.ivfFlat({ distanceType: "cosine" });
	await commit(table, () => table.createIndex("vector", { config: toConfig(), replace: true }));
}

/** What is new is added as a segment, unless it is much, or there are many segments already. */
function isWorthKeeping({ numIndices = 1, numIndexedRows, numUnindexedRows }: IndexStatistics): boolean {
	return numIndices <= MOST_SEGMENTS && numUnindexedRows < numIndexedRows / 2;
}
