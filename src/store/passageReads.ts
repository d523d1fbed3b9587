import type { Table } from "@lancedb/lancedb";
import type { Table as ArrowTable } from "apache-arrow";
import type { Database } from "./database.ts";
import { type Manifest, revisionsOf } from "./manifest.ts";
import { PASSAGE_COLUMNS, type PassageRead, readPassages, readRowIds } from "./passageTable.ts";
import { isOneOf, quote, runQuery } from "./query.ts";
import type { LiveIndex } from "./search/liveIndex.ts";
import type { PassagePlace } from "./search/passageIndex.ts";
import type { Store, StoredPassage } from "./store.ts";

/** How passages are read that are known already. */
export function createPassageReads(
	database: Database,
	live: LiveIndex,
): Pick<Store, "read" | "passagesOf" | "passagesAbout"> {
	return { read, passagesOf, passagesAbout };

	async function read(rows: readonly number[]): Promise<Map<number, StoredPassage>> {
		const places = live.latest()?.placesOf(rows) ?? [];
		const passages = await readPlaces(places, database.snapshot().tables.passages, live);
		const { manifest } = await database.refresh();
		return new Map(
			places.flatMap((place) => {
				const passage = passages.get(keyOf(place));
				return passage ? toStored(passage, manifest).map((stored) => [place.row, stored] as const) : [];
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

/** By their numbers in the table where these are known and still true, else by their documents. */
async function readPlaces(
	places: readonly PassagePlace[],
	table: Table,
	live: LiveIndex,
): Promise<Map<string, PassageRead>> {
	const passages = await takeRows(table, places);
	const missing = places.filter((place) => !passages.has(keyOf(place)));
	if (missing.length === 0) return passages;
	const columns = ["revision", "ordinal"] as const;
	const conditions = columns.map((column) =>
		isOneOf(column, [...new Set(missing.map((place) => place[column]))]),
	);
	const query = table.query().where(conditions.join(" AND ")).select(PASSAGE_COLUMNS).withRowId();
	const result = await runQuery(query);
	const addresses = readRowIds(result);
	for (const [index, passage] of readPassages(result).entries()) {
		live.latest()?.locate({ ...passage, address: addresses[index] });
		passages.set(keyOf(passage), passage);
	}
	return passages;
}

/** What stands at the numbers, be it what was looked for or not; nothing where a compaction has moved the rows. */
async function takeRows(table: Table, places: readonly PassagePlace[]): Promise<Map<string, PassageRead>> {
	const addresses = places.flatMap(({ address }) => address ?? []);
	if (addresses.length === 0) return new Map();
	const result = await table
		.takeRowIds(addresses)
		.select(PASSAGE_COLUMNS)
		.toArrow()
		.catch((): ArrowTable | undefined => undefined);
	return new Map(result ? readPassages(result).map((passage) => [keyOf(passage), passage]) : []);
}

function keyOf({ revision, ordinal }: Pick<PassageRead, "revision" | "ordinal">): string {
	return `${revision}#${ordinal}`;
}

/** None where the passage's document is not committed, or no more. */
function toStored({ revision, ordinal, passage }: PassageRead, manifest: Manifest): StoredPassage[] {
	const uri = manifest.uriOf(revision);
	return uri === undefined ? [] : [{ ...passage, id: `${uri}#${ordinal}`, uri }];
}
