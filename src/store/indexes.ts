import { Index, type IndexStatistics, type Table } from "@lancedb/lancedb";
import { commit } from "./commit.ts";

/** Up to here every vector is compared; above, compressed ones are searched first. */
const MOST_EXACT_ROWS = 10_000;

/** Every optimization adds a segment to the vector index, and each is searched. */
const MOST_SEGMENTS = 3;

/** Milliseconds for which files that are not current are kept for readers in the midst of a query. */
const GRACE_MS = 10_000;

/** Passages outside the full-text index that a search looks through one by one: 25 microseconds each. */
const MOST_FRESH = 4000;

/** The names that LanceDB gives to indexes. */
const TEXT_INDEX = "content_idx";
const VECTOR_INDEX = "vector_idx";

/** How many passages are too many to be searched for words before they are folded into the full-text index. */
export async function countUnsearchable(passages: Table): Promise<number> {
	const { numUnindexedRows = 0 } = (await passages.indexStats(TEXT_INDEX)) ?? {};
	return numUnindexedRows > MOST_FRESH ? numUnindexedRows : 0;
}

/** Whether the index has doubled: folding the new passages in at such times costs as much as all of it once more. */
export async function isFoldingDue(passages: Table): Promise<boolean> {
	const { numIndexedRows = 0 } = (await passages.indexStats(TEXT_INDEX)) ?? {};
	return (await countUnsearchable(passages)) > numIndexedRows;
}

/** Folds new rows into the indexes, and gives back the space of old ones. Writes nothing where all is done. */
export async function optimizeTable(table: Table): Promise<void> {
	await commit(table, () => table.optimize({ cleanupOlderThan: new Date(Date.now() - GRACE_MS) }));
}

/** Whether so many passages have a vector index of compressed vectors. */
export function isCompressed(passages: number): boolean {
	return passages > MOST_EXACT_ROWS;
}

/** Makes the vector index that fits the number of passages, where the present one does not. */
export async function fitVectorIndex(table: Table): Promise<void> {
	const passages = await table.countRows("vector IS NOT NULL");
	if (passages === 0) return;
	const kind = isCompressed(passages) ? "IVF_RQ" : "IVF_FLAT";
	const present = await table.indexStats(VECTOR_INDEX);
	if (present?.indexType === kind && isWorthKeeping(present)) return;
	const toConfig = () =>
		kind === "IVF_RQ"
			? Index.ivfRq({ distanceType: "cosine", numBits: 2 })
			: Index.ivfFlat({ distanceType: "cosine" });
	await commit(table, () => table.createIndex("vector", { config: toConfig(), replace: true }));
}

/** What is new is added as a segment, unless it is much, or there are many segments already. */
function isWorthKeeping({ numIndices = 1, numIndexedRows, numUnindexedRows }: IndexStatistics): boolean {
	return numIndices <= MOST_SEGMENTS && numUnindexedRows < numIndexedRows / 2;
}
