import { Index, type IndexStatistics, type Table } from "@lancedb/lancedb";
import { batchesOf } from "../../base/values.ts";
import { numbersIn, readIndexed, toCompletion } from "../tables/passageTable.ts";
import { commit, isOneOf, runQuery } from "../tables/query.ts";
import type { Tables } from "../tables/tables.ts";

const TEXT_INDEX = "terms_idx";

/** Up to this many rows, every vector is compared; above, compressed vectors are searched first. */
const MOST_EXACT_ROWS = 10_000;

/** Maximum number of segments of the vector index: optimizing adds one, and a search reads all. */
const MOST_SEGMENTS = 3;

const VECTOR_INDEX = "vector_idx";

/** Bits per number: with 3 times the candidates, results are as good as with full vectors; 2 bits are too few. */
const VECTOR_BITS = 4;

/** Rows outside of the indexes, which every search scans at some 10 µs each: so a scan stays below 0.2 s. */
const FEW_FRESH = 2000;
const MOST_FRESH_SHARE = 0.05;
const MOST_FRESH = 20_000;

/**
 * Number of partitions, of some 4,000 vectors each, that a search reads: at least this, or one per
 * `PASSAGES_PER_PROBE`. With 1,000,000 passages they contain .995 of the nearest ten, with 5,000,000 .98, against .92
 * for 128.
 */
const PROBES = 128;
const PASSAGES_PER_PROBE = 20_000;
/** Partitions for the first question: uncached ones are slow to read, above all from remote storage. */
const FIRST_PROBES = 20;

/** Indexes our own stemmed terms unchanged, so that both engines find the same passages. */
const WORDS = {
	baseTokenizer: "whitespace",
	lowercase: false,
	stem: false,
	removeStopWords: false,
	asciiFolding: false,
	withPosition: false,
	maxTokenLength: 255,
} as const;

export async function areIndexed({ passages }: Tables): Promise<boolean> {
	return (await passages.listIndices()).some(({ name }) => name === TEXT_INDEX);
}

/** Creates LanceDB's indexes; stops between two if aborted. Rows written meanwhile are found without an index. */
export async function makeIndexes(tables: Tables, signal: AbortSignal): Promise<void> {
	const { passages, dimensions } = tables;
	const isNew = !(await areIndexed(tables));
	// Compact rows may be left if another process wrote some late, or if a process was killed before completing them.
	// Checks codes for this, because checking terms takes thirty times as long.
	const areCompact = async () => dimensions > 0 && (await passages.countRows("codes IS NOT NULL")) > 0;
	if (isNew || (await areCompact())) await completeRows(tables, signal);
	if (signal.aborted) return;
	if (dimensions > 0) await fitVectorIndex(passages);
	if (!isNew || signal.aborted) return;
	// Created last: its presence means that all indexes exist.
	await commit(passages, () => passages.createIndex("terms", { config: Index.fts(WORDS) }));
	// Until the index exists, processes that search in memory write compact rows.
	await completeRows(tables, signal);
}

/** Creates the vector index that fits the number of rows, unless it exists. */
async function fitVectorIndex(table: Table): Promise<void> {
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

/** Whether to add new rows as a segment: not if there are many rows or many segments. */
function isWorthKeeping({ numIndices = 1, numIndexedRows, numUnindexedRows }: IndexStatistics): boolean {
	return numIndices <= MOST_SEGMENTS && numUnindexedRows < numIndexedRows / 2;
}

/** Whether there are enough new rows to slow searches down. */
export async function areBehind({ passages }: Tables): Promise<boolean> {
	const stats = await passages.indexStats(TEXT_INDEX);
	return stats !== undefined && areManyFresh(stats.numIndexedRows, stats.numUnindexedRows);
}

export function areManyFresh(indexed: number, fresh: number): boolean {
	return fresh > Math.max(FEW_FRESH, Math.min(MOST_FRESH, MOST_FRESH_SHARE * indexed));
}

/** Number of partitions for the next search. Doubles with each search, up to the number that finds nearly all matches. */
export function createProbes(): (passages: number) => number {
	let next = FIRST_PROBES;
	return (passages) => {
		const now = Math.min(next, Math.max(PROBES, Math.ceil(passages / PASSAGES_PER_PROBE)));
		next = 2 * now;
		return now;
	};
}

/** Maximum number of documents in one condition, and of rows in one commit, which are in memory at once. */
const BATCH_DOCUMENTS = 1000;
const BATCH_ROWS = 10_000;

const IS_COMPACT = "terms IS NULL";

type PassageRows = Pick<Tables, "passages" | "dimensions">;

/** Completes compact rows, except rows replaced meanwhile. If aborted, the next run continues. */
export async function completeRows(rows: PassageRows, signal: AbortSignal): Promise<void> {
	if (rows.dimensions === 0) return;
	const compact = await runQuery(rows.passages.query().where(IS_COMPACT).select(["revision"]));
	for (const batch of batchesOf([...new Set(numbersIn(compact, "revision"))], BATCH_DOCUMENTS)) {
		const condition = `${IS_COMPACT} AND ${isOneOf("revision", batch)}`;
		while (!signal.aborted && (await completeBatch(rows, condition)) === BATCH_ROWS);
	}
}

/** Completes up to `BATCH_ROWS` rows and returns their number. */
async function completeBatch({ passages, dimensions }: PassageRows, condition: string): Promise<number> {
	const query = passages.query().where(condition).select(["content", "codes"]).limit(BATCH_ROWS);
	const rows = (await runQuery(query)).batches.flatMap((batch) => [...readIndexed(batch)]);
	const completion = await toCompletion(rows, dimensions);
	const merge = () =>
		passages.mergeInsert(["revision", "ordinal"]).whenMatchedUpdateAll().execute(completion);
	await commit(passages, merge);
	return rows.length;
}
