import type { Query, VectorQuery } from "@lancedb/lancedb";
import type { Table } from "apache-arrow";
import type { Language } from "../../base/language/languages.ts";
import type { Snapshot } from "../database/database.ts";
import { PASSAGE_COLUMNS, readPassages } from "../tables/passageTable.ts";
import { runQuery } from "../tables/query.ts";
import type { LanceFilter } from "./lanceFilter.ts";
import type { FoundPassage } from "./lanceRows.ts";

/** A passage as LanceDB finds it. */
export interface LanceHit extends FoundPassage {
	/** By words, the more the better; by vectors a distance. 0 where nothing was compared. */
	readonly value: number;
	/** What its text surely is in. */
	readonly language: Language | undefined;
}

type Measure = "_score" | "_distance";

/** More than are wanted, for those that are written and not committed yet. */
const SLACK = 16;
/** How many more are asked for where too many were left out, and when that ends. */
const GROWTH = 4;
const MOST = 20_000;

export interface HitQuery {
	/** Made anew for every limit. */
	readonly search: () => Query | VectorQuery;
	readonly measure: Measure;
	readonly filter: LanceFilter;
	readonly limit: number;
}

/** The best, and whether there are no others. */
export async function findHits(
	{ search, measure, filter, limit }: HitQuery,
	snapshot: Snapshot,
): Promise<{ readonly hits: readonly LanceHit[]; readonly isAll: boolean }> {
	for (let wanted = limit + SLACK; ; wanted *= GROWTH) {
		const query = search()
			.select([...columnsOf(snapshot), measure])
			.limit(wanted);
		if (filter.condition !== undefined) query.where(filter.condition);
		const result = await runQuery(query);
		const hits = readHits(result, measure).filter(filter.lets);
		const isAll = result.numRows < wanted;
		if (isAll || hits.length >= limit || wanted >= MOST) return { hits, isAll };
	}
}

/** All passages that meet a condition. */
export async function readWhere(condition: string, snapshot: Snapshot): Promise<LanceHit[]> {
	const query = snapshot.tables.passages.query().where(condition).select(columnsOf(snapshot));
	return readHits(await runQuery(query));
}

function columnsOf({ tables }: Snapshot): string[] {
	return [...PASSAGE_COLUMNS, "language", ...(tables.dimensions > 0 ? ["vector"] : [])];
}

function readHits(result: Table, measure?: Measure): LanceHit[] {
	const [values, languages, vectors] = [measure ?? "", "language", "vector"].map((name) =>
		result.getChild(name),
	);
	return readPassages(result).map((read, index) => {
		// A copy: what is remembered must not hold all that was found with it.
		const vector: Float32Array | undefined = vectors?.get(index)?.toArray().slice();
		return {
			...read,
			...(vector && { vector }),
			value: Number(values?.get(index) ?? 0),
			language: languages?.get(index) || undefined,
		};
	});
}
