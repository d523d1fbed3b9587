import type { Table } from "apache-arrow";
import type { Database } from "./database.ts";
import { type Manifest, revisionsOf } from "./manifest.ts";
import { PASSAGE_COLUMNS, passageIdOf, readPassages } from "./passageTable.ts";
import { isOneOf, quote, runQuery } from "./query.ts";
import type { Match, Store, StoredPassage } from "./store.ts";

/** How passages are read that are known already. */
export function createPassageReads(
	database: Database,
): Pick<Store, "read" | "passagesOf" | "passagesAbout"> {
	return { read, passagesOf, passagesAbout: (resource) => passagesWhere(`resource = ${quote(resource)}`) };

	async function read(matches: readonly Match[]): Promise<StoredPassage[]> {
		if (matches.length === 0) return [];
		const near = await passagesAt(matches.map(({ row }) => row)).catch(() => []);
		const byId = new Map(near.map((passage) => [passage.id, passage]));
		// Rows move when the table is compacted; then they are found by what they are.
		const moved = matches.filter(({ id }) => !byId.has(id));
		for (const uri of new Set(moved.map((match) => match.uri)))
			for (const passage of await passagesOf(uri)) byId.set(passage.id, passage);
		return matches.flatMap(({ id }) => byId.get(id) ?? []);
	}

	async function passagesAt(rows: readonly bigint[]): Promise<StoredPassage[]> {
		const { tables } = database.snapshot();
		return toPassages(await runQuery(tables.passages.takeRowIds([...rows]).select(PASSAGE_COLUMNS)));
	}

	async function passagesOf(uri: string): Promise<StoredPassage[]> {
		const { manifest } = await database.refresh();
		const revisions = revisionsOf([uri], manifest);
		return revisions.length === 0 ? [] : passagesWhere(isOneOf("revision", revisions));
	}

	async function passagesWhere(condition: string): Promise<StoredPassage[]> {
		const { tables } = database.snapshot();
		return toPassages(await runQuery(tables.passages.query().where(condition).select(PASSAGE_COLUMNS)));
	}

	/** Those that are committed, document by document and in their order. */
	async function toPassages(result: Table): Promise<StoredPassage[]> {
		const { manifest } = await database.refresh();
		return readPassages(result)
			.sort((a, b) => a.revision - b.revision || a.ordinal - b.ordinal)
			.flatMap(({ revision, ordinal, passage }) => {
				const uri = manifest.uriOf(revision);
				return uri === undefined ? [] : [{ ...passage, id: passageIdOf(uri, ordinal), uri }];
			});
	}
}
