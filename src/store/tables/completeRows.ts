import type { Table } from "@lancedb/lancedb";
import { createPacer } from "../../base/jobs/pacer.ts";
import { commit } from "./commit.ts";
import { type PassageKind, toCompletion } from "./passageLayout.ts";
import { readIndexed, readRevisions } from "./passageTable.ts";
import { isOneOf, runQuery } from "./query.ts";

/** Documents whose rows are completed in one commit: LanceDB looks through the places of all rows for each. */
const BATCH_DOCUMENTS = 1000;

const IS_COMPACT = "terms IS NULL";

/** Gives all compact rows what LanceDB searches. Those that are replaced meanwhile are left to what replaces them. */
export async function completeRows(table: Table, kind: PassageKind): Promise<void> {
	if (!kind.hasCompact) return;
	const compact = await runQuery(table.query().where(IS_COMPACT).select(["revision"]));
	const revisions = [...new Set(readRevisions(compact))];
	for (let start = 0; start < revisions.length; start += BATCH_DOCUMENTS)
		await completeBatch(table, kind, revisions.slice(start, start + BATCH_DOCUMENTS));
}

async function completeBatch(table: Table, kind: PassageKind, revisions: readonly number[]): Promise<void> {
	const query = table
		.query()
		.where(`${IS_COMPACT} AND ${isOneOf("revision", revisions)}`)
		.select(["content", "codes"]);
	const rows = (await runQuery(query)).batches.flatMap((batch) => [...readIndexed(batch)]);
	const completion = await toCompletion(
		rows.map((row) => ({ ...row, terms: undefined })),
		kind,
		createPacer(),
	);
	const merge = () => table.mergeInsert(["revision", "ordinal"]).whenMatchedUpdateAll().execute(completion);
	await commit(table, merge);
}
