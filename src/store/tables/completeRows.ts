import { createPacer } from "../../base/jobs/pacer.ts";
import { toCompletion } from "./passageLayout.ts";
import { readIndexed, readRevisions } from "./passageTable.ts";
import { commit, isOneOf, runQuery } from "./query.ts";
import type { Tables } from "./tables.ts";

/** Documents that one condition names, and rows that are completed in one commit: these are in memory at once. */
const BATCH_DOCUMENTS = 1000;
const BATCH_ROWS = 10_000;

const IS_COMPACT = "terms IS NULL";

type PassageRows = Pick<Tables, "passages" | "dimensions">;

/** Whether rows are compact that have a vector: to look for terms takes thirty times as long. */
export async function hasCompactRows({ passages, dimensions }: PassageRows): Promise<boolean> {
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
