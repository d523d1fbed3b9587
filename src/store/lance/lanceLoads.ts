import type { Table } from "@lancedb/lancedb";
import type { Table as ArrowTable } from "apache-arrow";
import { LANGUAGES } from "../../base/language/languages.ts";
import type { Snapshot } from "../database/database.ts";
import { addressesIn, PASSAGE_COLUMNS, readPassages } from "../tables/passageTable.ts";
import { runQuery } from "../tables/query.ts";
import { readCodes } from "../tables/vectorColumn.ts";
import type { FoundPassage } from "./lanceRows.ts";
import { createRecent, type Recent } from "./recent.ts";
import { createTogether } from "./together.ts";

/** Reads passages by their addresses in the table. One is missing that was deleted, or moved, meanwhile. */
export type LoadPassages = (addresses: readonly number[]) => Promise<ReadonlyMap<number, FoundPassage>>;

/** Reads passages that indexes have found, and remembers them. */
export interface LanceLoads {
	load(addresses: readonly number[], snapshot: Snapshot): ReturnType<LoadPassages>;
	/** What several searches find that run side by side is read at once. */
	together<Result>(snapshot: Snapshot, search: (load: LoadPassages) => Promise<Result>): Promise<Result>;
	readWhere(condition: string, snapshot: Snapshot): Promise<FoundPassage[]>;
}

/** What is known of one table. */
interface Loader {
	readonly table: Table;
	readonly recent: Recent<FoundPassage>;
	readonly together: ReturnType<typeof createTogether<number, FoundPassage>>;
}

export function createLanceLoads(): LanceLoads {
	let current: Loader | undefined;
	return {
		load: (addresses, snapshot) => load(addresses, snapshot, loaderOf(snapshot).recent),
		together: (snapshot, search) => loaderOf(snapshot).together(search),
		readWhere: async (condition, snapshot) => {
			const query = snapshot.tables.passages.query().where(condition).select(PASSAGE_COLUMNS).withRowId();
			return readFound(await runQuery(query));
		},
	};

	function loaderOf(snapshot: Snapshot): Loader {
		const { passages: table } = snapshot.tables;
		if (current?.table === table) return current;
		const recent = createRecent<FoundPassage>();
		const together = createTogether((addresses: readonly number[]) => load(addresses, snapshot, recent));
		current = { table, recent, together };
		return current;
	}
}

/** An address is that of one row for ever: what LanceDB moves gets another one. */
async function load(addresses: readonly number[], snapshot: Snapshot, recent: Loader["recent"]) {
	const loaded = new Map<number, FoundPassage>();
	for (const address of addresses) {
		const known = recent.get(address);
		if (known) loaded.set(address, known);
	}
	const missing = addresses.filter((address) => !loaded.has(address));
	if (missing.length === 0) return loaded;
	const query = snapshot.tables.passages.takeRowIds(missing).select(PASSAGE_COLUMNS).withRowId();
	for (const found of readFound(await runQuery(query))) {
		recent.set(found.address, found);
		loaded.set(found.address, found);
	}
	return loaded;
}

function readFound(result: ArrowTable): FoundPassage[] {
	const addresses = addressesIn(result);
	return readPassages(result).map(({ language, codes, ...read }, index) => {
		return {
			...read,
			...(codes !== "" && { vector: readCodes(codes) }),
			address: addresses[index] ?? 0,
			language: LANGUAGES.find((one) => one === language),
		};
	});
}
