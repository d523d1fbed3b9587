import { Index, type Table } from "@lancedb/lancedb";
import { createPacer } from "../../base/jobs/pacer.ts";
import { fitVectorIndex } from "../tables/indexes.ts";
import { toCompletion } from "../tables/passageLayout.ts";
import { commit, isOneOf, readIndexed, readRevisions, runQuery } from "../tables/query.ts";
import type { Tables } from "../tables/tables.ts";

const TEXT_INDEX = "terms_idx";

/** With so many for each number, compressed vectors find as much as half of them and three times the full vectors do. */
const VECTOR_BITS = 4;

/** Rows outside of the indexes that every search looks through: some ten microseconds each, so that it stays below .2 s. */
const FEW_FRESH = 2000;
const MOST_FRESH_SHARE = 0.05;
const MOST_FRESH = 20_000;

/**
 * Partitions of the vectors that a search looks into, each of some 4,000: so many, or one of five. Of 1,000,000 passages
 * they have .995 of the nearest ten, of 5,000,000 .98; 128 have .92 there.
 */
const PROBES = 128;
const PASSAGES_PER_PROBE = 20_000;
/** Those of the first question: what nobody has asked for yet takes long to read, above all from far away. */
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
	return (await namesIn(passages)).includes(TEXT_INDEX);
}

/** Makes what LanceDB needs to search, or a part of it where it is aborted. What is written meanwhile is found without an index. */
export async function makeIndexes(tables: Tables, signal: AbortSignal): Promise<void> {
	const { passages, dimensions } = tables;
	const isNew = !(await namesIn(passages)).includes(TEXT_INDEX);
	// Another process may have written compact rows at the last moment, or this one been killed before it came to them.
	if (isNew || (await hasCompactRows(tables))) await completeRows(tables, signal);
	if (signal.aborted) return;
	if (dimensions > 0) await fitVectorIndex(passages, VECTOR_BITS);
	if (!isNew || signal.aborted) return;
	// Last: where it is, all are.
	await commit(passages, () => passages.createIndex("terms", { config: Index.fts(WORDS) }));
	// Until it is there, processes that search in memory write compact rows.
	await completeRows(tables, signal);
}

/** Whether so much has come since that searches take longer. */
export async function areBehind({ passages }: Tables): Promise<boolean> {
	const stats = await passages.indexStats(TEXT_INDEX);
	return stats !== undefined && areManyFresh(stats.numIndexedRows, stats.numUnindexedRows);
}

export function areManyFresh(indexed: number, fresh: number): boolean {
	return fresh > Math.max(FEW_FRESH, Math.min(MOST_FRESH, MOST_FRESH_SHARE * indexed));
}

/** How many partitions the next search of so many passages looks into: each in twice as many as the one before, up to as many as find nearly all. */
export function createProbes(): (passages: number) => number {
	let next = FIRST_PROBES;
	return (passages) => {
		const now = Math.min(next, Math.max(PROBES, Math.ceil(passages / PASSAGES_PER_PROBE)));
		next = 2 * now;
		return now;
	};
}

async function namesIn(table: Table): Promise<string[]> {
	return (await table.listIndices()).map(({ name }) => name);
}

/** Documents that one condition names, and rows that are completed in one commit: these are in memory at once. */
const BATCH_DOCUMENTS = 1000;
const BATCH_ROWS = 10_000;

const IS_COMPACT = "terms IS NULL";

interface PassageRows {
	readonly passages: Table;
	readonly dimensions: number;
}

/** Whether rows are compact that have a vector: to look for terms takes thirty times as long. */
async function hasCompactRows({ passages, dimensions }: PassageRows): Promise<boolean> {
	return dimensions > 0 && (await passages.countRows("codes IS NOT NULL")) > 0;
}

/**
 * Gives all compact rows what LanceDB searches. Those that are replaced meanwhile are left to what replaces them. Ends
 * early where it is aborted; the next run goes on.
 */
export async function completeRows(rows: PassageRows, signal: AbortSignal): Promise<void> {
	if (rows.dimensions === 0) return;
	const compact = await runQuery(rows.passages.query().where(IS_COMPACT).select(["revision"]));
	const revisions = [...new Set(readRevisions(compact))];
	for (let start = 0; start < revisions.length; start += BATCH_DOCUMENTS) {
		const condition = `${IS_COMPACT} AND ${isOneOf("revision", revisions.slice(start, start + BATCH_DOCUMENTS))}`;
		while (!signal.aborted && (await completeBatch(rows, condition)) === BATCH_ROWS);
	}
}

/** How many rows it has completed. */
async function completeBatch({ passages, dimensions }: PassageRows, condition: string): Promise<number> {
	const query = passages.query().where(condition).select(["content", "codes"]).limit(BATCH_ROWS);
	const rows = (await runQuery(query)).batches.flatMap((batch) => [...readIndexed(batch)]);
	const completion = await toCompletion(
		rows.map((row) => ({ ...row, terms: undefined })),
		dimensions,
		createPacer(),
	);
	const merge = () =>
		passages.mergeInsert(["revision", "ordinal"]).whenMatchedUpdateAll().execute(completion);
	await commit(passages, merge);
	return rows.length;
}
