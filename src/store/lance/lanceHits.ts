import type { Query, VectorQuery } from "@lancedb/lancedb";
import { addressesIn } from "../tables/passageTable.ts";
import { runQuery } from "../tables/query.ts";
import type { LanceFilter } from "./lanceFilter.ts";
import type { LoadPassages } from "./lanceLoads.ts";
import type { FoundPassage } from "./lanceRows.ts";

/** A passage as LanceDB finds it. */
export interface LanceHit {
	readonly found: FoundPassage;
	/** By words, the more the better; by vectors a distance. */
	readonly value: number;
}

/** More than are wanted, for those that are written and not committed yet; each of them is read as well. */
const SLACK = 4;
/** How many more are asked for where too many were left out, and when that ends. */
const GROWTH = 4;
const MOST = 20_000;
/** How often it is looked again because rows were moved between the search and the reading of them. */
const MOST_MOVES = 3;

export interface HitQuery {
	/** Made anew for every limit. */
	readonly search: () => Query | VectorQuery;
	readonly measure: "_score" | "_distance";
	readonly filter: LanceFilter;
	readonly limit: number;
	readonly slack?: number;
}

/** The best, and whether there are no others. Indexes tell addresses and values only; the rows are read for all legs at once. */
export async function findHits(
	{ search, measure, filter, limit, slack = SLACK }: HitQuery,
	load: LoadPassages,
): Promise<{ readonly hits: readonly LanceHit[]; readonly isAll: boolean }> {
	for (let [wanted, moves] = [limit + slack, 0]; ; ) {
		const query = search().select([measure]).withRowId().limit(wanted);
		if (filter.condition !== undefined) query.where(filter.condition);
		const result = await runQuery(query);
		const addresses = addressesIn(result);
		const values = result.getChild(measure);
		const read = await load(addresses);
		const all = addresses.flatMap((address, index) => {
			const found = read.get(address);
			return found ? [{ found, value: Number(values?.get(index)) }] : [];
		});
		if (all.length < addresses.length && moves++ < MOST_MOVES) continue;
		const hits = all.filter(({ found }) => filter.lets(found));
		const isAll = result.numRows < wanted;
		if (isAll || hits.length >= limit || wanted >= MOST) return { hits, isAll };
		wanted *= GROWTH;
	}
}
