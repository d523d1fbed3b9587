import type { Table } from "@lancedb/lancedb";
import type { RecordBatch } from "apache-arrow";
import { createPacer, type Pacer } from "../../base/jobs/pacer.ts";
import type { PassageIndex } from "../../search/passageIndex.ts";
import { INDEXED_COLUMNS, readIndexed } from "./passageTable.ts";
import { isOneOf, readIndex } from "./query.ts";

/** Revisions in one condition; where more than this part of all are missing, the whole table is read. */
const CONDITION_VALUES = 1000;
const MUCH = 0.5;

/** Takes the missing revisions out of the table into the index; how many rows there were. */
export async function readRows(
	table: Table,
	index: PassageIndex,
	{ missing, of }: { readonly missing: readonly number[]; readonly of: number },
): Promise<number> {
	if (missing.length > MUCH * of) return readWhere(table, index, new Set(missing));
	let rows = 0;
	for (let start = 0; start < missing.length; start += CONDITION_VALUES) {
		const batch = missing.slice(start, start + CONDITION_VALUES);
		rows += await readWhere(table, index, new Set(batch), isOneOf("revision", batch));
	}
	return rows;
}

function readWhere(
	table: Table,
	index: PassageIndex,
	wanted: ReadonlySet<number>,
	condition?: string,
): Promise<number> {
	return readIndex(async () => {
		const { fields } = await table.schema();
		const columns = fields.map(({ name }) => name).filter((name) => INDEXED_COLUMNS.includes(name));
		const query = table.query().select(columns);
		if (condition !== undefined) query.where(condition);
		const pacer = createPacer();
		let rows = 0;
		for await (const batch of query) rows += await addRows(batch, index, wanted, pacer);
		return rows;
	});
}

async function addRows(
	batch: RecordBatch,
	index: PassageIndex,
	wanted: ReadonlySet<number>,
	pacer: Pacer,
): Promise<number> {
	let added = 0;
	for (const row of readIndexed(batch)) {
		if (pacer.isDue) await pacer.rest();
		if (!wanted.has(row.revision)) continue;
		index.add(row);
		added++;
	}
	return added;
}
