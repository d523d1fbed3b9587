import type { Table } from "@lancedb/lancedb";
import type { Table as ArrowTable } from "apache-arrow";
import type { Database } from "./database.ts";
import { type Manifest, revisionsOf } from "./manifest.ts";
import { PASSAGE_COLUMNS, type PassageRead, readPassages, readRowIds } from "./passageTable.ts";
import { isOneOf, quote, runQuery } from "./query.ts";
import type { Store, StoredPassage } from "./store.ts";

/** How passages are read that are known already. */
export function createPassageReads(database: Database): Pick<Store, "read" | "passagesOf" | "passagesAbout"> {
	return { read, passagesOf, passagesAbout };

	async function read(rows: readonly number[]): Promise<Map<number, StoredPassage>> {
		if (rows.length === 0) return new Map();
		const { passages } = database.snapshot().tables;
		const result = await takeRows(passages, rows);
		if (!result) return new Map();
		const { manifest } = await database.refresh();
		const found = readRowIds(result);
		return new Map(
			readPassages(result).flatMap((passage, index) => {
				const row = found[index];
				return row === undefined ? [] : toStored(passage, manifest).map((stored) => [row, stored] as const);
			}),
		);
	}

	/** Again, where the document was replaced meanwhile. */
	async function passagesOf(uri: string): Promise<StoredPassage[]> {
		const [revision] = revisionsOf([uri], (await database.refresh()).manifest);
		if (revision === undefined) return [];
		const passages = await passagesWhere(isOneOf("revision", [revision]));
		const [now] = revisionsOf([uri], database.snapshot().manifest);
		return now === revision ? passages : passagesOf(uri);
	}

	function passagesAbout(resource: string): Promise<StoredPassage[]> {
		return passagesWhere(`resource = ${quote(resource)}`);
	}

	/** Document by document, and in their order. */
	async function passagesWhere(condition: string): Promise<StoredPassage[]> {
		const { passages } = (await database.refresh()).tables;
		const result = await runQuery(passages.query().where(condition).select(PASSAGE_COLUMNS));
		const { manifest } = await database.refresh();
		return readPassages(result)
			.sort((a, b) => a.revision - b.revision || a.ordinal - b.ordinal)
			.flatMap((passage) => toStored(passage, manifest));
	}
}

/** Nothing where a compaction has moved the rows since they were found: their old numbers name none. */
async function takeRows(passages: Table, rows: readonly number[]): Promise<ArrowTable | undefined> {
	try {
		return await passages
			.takeRowIds([...rows])
			.select(PASSAGE_COLUMNS)
			.withRowId()
			.toArrow();
	} catch {
		return undefined;
	}
}

/** None where the passage's document is not committed, or no more. */
function toStored({ revision, ordinal, passage }: PassageRead, manifest: Manifest): StoredPassage[] {
	const uri = manifest.uriOf(revision);
	return uri === undefined ? [] : [{ ...passage, id: `${uri}#${ordinal}`, uri }];
}
