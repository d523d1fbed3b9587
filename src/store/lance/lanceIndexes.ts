import { Index, type IndexStatistics, type Table } from "@lancedb/lancedb";
import { batchesOf } from "../../base/values.ts";
import { numbersIn, readIndexed, toCompletion } from "../tables/passageTable.ts";
import { commit, isOneOf, runQuery } from "../tables/query.ts";
import type { Tables } from "../tables/tables.ts";

const TEXT_INDEX = "terms_idx";

/** Up to here every vector is compared; above, compressed ones are searched first. */
const MOST_EXACT_ROWS = 10_000;

/** Every optimization adds a segment to the vector index, and each is searched. */
const MOST_SEGMENTS = 3;

const VECTOR_INDEX = "vector_idx";

/** Bits per number. Three times as many candidates then give results as good as full vectors; with half the bits they do not. */
const VECTOR_BITS = 4;

/** Rows outside of the indexes that every search looks through: some ten microseconds each, so that it stays below .2 s. */
const FEW_FRESH = 2000;
const MOST_FRESH_SHARE = 0.05;
const MOST_FRESH = 20_000;

/**
 * Number of partitions, of some 4,000 vectors each, in which a search looks: this minimum, or one per
 * `PASSAGES_PER_PROBE`. With 1,000,000 passages they contain .995 of the nearest ten, with 5,000,000 .98, against .92
 * for 128.
 */
const PROBES = 128;
const PASSAGES_PER_PROBE = 20_000;
/** Number for the first question: partitions that are not cached take long to read, above all from remote storage. */
const FIRST_PROBES = 20;

/** Our own terms, which are stems in the language of the passage: as they are, so that both engines find the same. */
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

/** Creates the indexes for LanceDB, or some of them if aborted. Rows written meanwhile are found without an index. */
export async function makeIndexes(tables: Tables, signal: AbortSignal): Promise<void> {
	const { passages, dimensions } = tables;
	const isNew = !(await areIndexed(tables));
	// Another process may have written compact rows at the last moment, or this one been killed before it came to them.
	// They are known by their codes: to look for terms takes thirty times as long.
	const areCompact = async () => dimensions > 0 && (await passages.countRows("codes IS NOT NULL")) > 0;
	if (isNew || (await areCompact())) await completeRows(tables, signal);
	if (signal.aborted) return;
	if (dimensions > 0) await fitVectorIndex(passages);
	if (!isNew || signal.aborted) return;
	// Last: its presence means that all indexes exist.
	await commit(passages, () => passages.createIndex("terms", { config: Index.fts(WORDS) }));
	// Until it is there, processes that search in memory write compact rows.
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

/** What is new is added as a segment, unless it is much, or there are many segments already. */
function isWorthKeeping({ numIndices = 1, numIndexedRows, numUnindexedRows }: IndexStatistics): boolean {
	return numIndices <= MOST_SEGMENTS && numUnindexedRows < numIndexedRows / 2;
}

/** Whether so many rows are new that searches take longer. */
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

/** Documents that one condition names, and rows that are completed in one commit: these are in memory at once. */
const BATCH_DOCUMENTS = 1000;
const BATCH_ROWS = 10_000;

const IS_COMPACT = "terms IS NULL";

type PassageRows = Pick<Tables, "passages" | "dimensions">;

/** Completes compact rows, but those that are replaced meanwhile. If aborted, the next run continues. */
export async function completeRows(rows: PassageRows, signal: AbortSignal): Promise<void> {
	if (rows.dimensions === 0) return;
	const compact = await runQuery(rows.passages.query().where(IS_COMPACT).select(["revision"]));
	for (const batch of batchesOf([...new Set(numbersIn(compact, "revision"))], BATCH_DOCUMENTS)) {
		const condition = `${IS_COMPACT} AND ${isOneOf("revision", batch)}`;
		while (!signal.aborted && (await completeBatch(rows, condition)) === BATCH_ROWS);
	}
}

/** How many rows it has completed. */
async function completeBatch({ passages, dimensions }: PassageRows, condition: string): Promise<number> {
	const query = passages.query().where(condition).select(["content", "codes"]).limit(BATCH_ROWS);
	const rows = (await runQuery(query)).batches.flatMap((batch) => [...readIndexed(batch)]);
	const completion = await toCompletion(rows, dimensions);
	const merge = () =>
		passages.mergeInsert(["revision", "ordinal"]).whenMatchedUpdateAll().execute(completion);
	await commit(passages, merge);
	return rows.length;
}
