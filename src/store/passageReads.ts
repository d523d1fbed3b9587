import type { Table } from "@lancedb/lancedb";
import type { Passage } from "../core/knowledge/document.ts";
import type { PassagePlace } from "../search/passageIndex.ts";
import type { Database } from "./database.ts";
import type { LiveIndex } from "./liveIndex.ts";
import { type Manifest, revisionsOf } from "./manifest.ts";
import { PASSAGE_COLUMNS, type PassageRead, readPassages, readVectors } from "./passageTable.ts";
import { isOneOf, quote, runQuery } from "./query.ts";
import type { Store, StoredPassage } from "./store.ts";

/** How passages are read that are known already. */
export function createPassageReads(
	database: Database,
	live: LiveIndex,
): Pick<Store, "read" | "passagesOf" | "passagesAbout" | "vectorsOf"> {
	return { read, passagesOf, passagesAbout, vectorsOf };

	async function read(rows: readonly number[]): Promise<Map<number, StoredPassage>> {
		const places = live.latest()?.placesOf(rows) ?? [];
		const unread = places.filter(({ passage }) => !passage);
		const read = await readPlaces(unread, database.snapshot().tables.passages);
		const { manifest } = database.snapshot();
		return new Map(
			places.flatMap((place) => {
				const passage = place.passage ?? read.get(keyOf(place));
				return passage
					? toStored({ ...place, passage }, manifest).map((stored) => [place.row, stored] as const)
					: [];
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

	async function vectorsOf(revision: number): Promise<Float32Array> {
		const { passages, dimensions } = (await database.refresh()).tables;
		if (dimensions === 0) return new Float32Array();
		const query = passages.query().where(isOneOf("revision", [revision]));
		return readVectors(await runQuery(query.select(["ordinal", "vector"])), dimensions);
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

/** What the memory has no room for. */
async function readPlaces(places: readonly PassagePlace[], table: Table): Promise<Map<string, Passage>> {
	if (places.length === 0) return new Map();
	const columns = ["revision", "ordinal"] as const;
	const conditions = columns.map((column) =>
		isOneOf(column, [...new Set(places.map((place) => place[column]))]),
	);
	const result = await runQuery(table.query().where(conditions.join(" AND ")).select(PASSAGE_COLUMNS));
	return new Map(readPassages(result).map((read) => [keyOf(read), read.passage]));
}

function keyOf({ revision, ordinal }: Pick<PassageRead, "revision" | "ordinal">): string {
	return `${revision}#${ordinal}`;
}

/** None where the passage's document is not committed, or no more. */
function toStored({ revision, ordinal, passage }: PassageRead, manifest: Manifest): StoredPassage[] {
	const uri = manifest.uriOf(revision);
	return uri === undefined ? [] : [{ ...passage, id: `${uri}#${ordinal}`, uri }];
}
