import { Index, type IndexStatistics, type Table } from "@lancedb/lancedb";
import { batchesOf } from "../../base/values.ts";
import { numbersIn, readIndexed, toCompletion } from "../tables/passageTable.ts";
import { commit, isOneOf, runQuery } from "../tables/query.ts";
import type { Tables } from "../tables/tables.ts";

const TEXT_INDEX = "terms_idx";

/** Up to this many rows, every vector is compared. With more rows, compressed vectors are searched first. */
const MOST_EXACT_ROWS = 10_000;

/** Maximum number of segments of the vector index. Optimizing adds a segment, and a search reads all of them. */
const MOST_SEGMENTS = 3;

const VECTOR_INDEX = "vector_idx";

/** Bits per number. With 3 times the candidates, results are as good as with full vectors; 2 bits are too few. */
const VECTOR_BITS = 4;

/** Limits of rows outside the indexes. A search scans these rows in some 10 µs each, so in at most 0.2 s. */
const FEW_FRESH = 2000;
const MOST_FRESH_SHARE = 0.05;
const MOST_FRESH = 20_000;

/**
 * Number of partitions, of some 4,000 vectors each, that a search reads: `PROBES`, or one per `PASSAGES_PER_PROBE`
 * if that is more. These contain .995 of the nearest ten vectors with 1,000,000 passages, and .98 with 5,000,000
 * passages (with 128 partitions: .92).
 */
const PROBES = 128;
const PASSAGES_PER_PROBE = 20_000;
/** Number of partitions for the first question: uncached partitions are slow to read, above all remotely. */
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

/** Creates LanceDB's indexes; if aborted, stops between two. Searches also find rows that are not indexed yet. */
export async function makeIndexes(tables: Tables, signal: AbortSignal): Promise<void> {
	const { passages, dimensions } = tables;
	const isNew = !(await areIndexed(tables));
	// Compact rows remain if another process wrote them after the index was created, or if a process was killed before
	// it completed them. Only compact rows have `codes`; a query for missing `terms` takes thirty times as long.
	const areCompact = async () => dimensions > 0 && (await passages.countRows("codes IS NOT NULL")) > 0;
	if (isNew || (await areCompact())) await completeRows(tables, signal);
	if (signal.aborted) return;
	if (dimensions > 0) await fitVectorIndex(passages);
	if (!isNew || signal.aborted) return;
	// Created last, so that the presence of this index means that all indexes exist.
	await commit(passages, () => passages.createIndex("terms", { config: Index.fts(WORDS) }));
	// Processes that search in memory wrote compact rows until the index existed.
	await completeRows(tables, signal);
}

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

/** Whether optimizing may add the new rows as another segment: not if there are many rows or segments. */
function isWorthKeeping({ numIndices = 1, numIndexedRows, numUnindexedRows }: IndexStatistics): boolean {
	return numIndices <= MOST_SEGMENTS && numUnindexedRows < numIndexedRows / 2;
}

export async function areBehind({ passages }: Tables): Promise<boolean> {
	const stats = await passages.indexStats(TEXT_INDEX);
	return stats !== undefined && areManyFresh(stats.numIndexedRows, stats.numUnindexedRows);
}

export function areManyFresh(indexed: number, fresh: number): boolean {
	return fresh > Math.max(FEW_FRESH, Math.min(MOST_FRESH, MOST_FRESH_SHARE * indexed));
}

/** The number of partitions doubles with each search, up to the number that finds nearly all matches. */
export function createProbes(): (passages: number) => number {
	let next = FIRST_PROBES;
	return (passages) => {
		const now = Math.min(next, Math.max(PROBES, Math.ceil(passages / PASSAGES_PER_PROBE)));
		next = 2 * now;
		return now;
	};
}

const BATCH_DOCUMENTS = 1000;
const BATCH_ROWS = 10_000;

const IS_COMPACT = "terms IS NULL";

type PassageRows = Pick<Tables, "passages" | "dimensions">;

/** Adds the missing columns of compact rows. If aborted, the next run continues. */
export async function completeRows(rows: PassageRows, signal: AbortSignal): Promise<void> {
	if (rows.dimensions === 0) return;
	const compact = await runQuery(rows.passages.query().where(IS_COMPACT).select(["revision"]));
	for (const batch of batchesOf([...new Set(numbersIn(compact, "revision"))], BATCH_DOCUMENTS)) {
		const condition = `${IS_COMPACT} AND ${isOneOf("revision", batch)}`;
		while (!signal.aborted && (await completeBatch(rows, condition)) === BATCH_ROWS);
	}
}

async function completeBatch({ passages, dimensions }: PassageRows, condition: string): Promise<number> {
	const query = passages.query().where(condition).select(["content", "codes"]).limit(BATCH_ROWS);
	const rows = (await runQuery(query)).batches.flatMap((batch) => [...readIndexed(batch)]);
	const completion = await toCompletion(rows, dimensions);
	const merge = () =>
		passages.mergeInsert(["revision", "ordinal"]).whenMatchedUpdateAll().execute(completion);
	await commit(passages, merge);
	return rows.length;
}
