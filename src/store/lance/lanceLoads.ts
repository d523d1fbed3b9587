import type { Table } from "@lancedb/lancedb";
import type { Table as ArrowTable } from "apache-arrow";
import { rememberLast } from "../../base/jobs/lazily.ts";
import { LANGUAGES, type Language } from "../../base/language/languages.ts";
import { firstIndex } from "../../base/values.ts";
import type { Passage } from "../../core/knowledge/document.ts";
import type { PlaceRef } from "../../search/rowColumns.ts";
import type { Manifest, Snapshot } from "../database/database.ts";
import { readCodes } from "../tables/columns.ts";
import { addressesIn, PASSAGE_COLUMNS, readPassages } from "../tables/passageTable.ts";
import { runQuery } from "../tables/query.ts";

/** Reads passages by their addresses in the table. Omits passages that were deleted or moved in the meantime. */
export type LoadPassages = (addresses: readonly number[]) => Promise<ReadonlyMap<number, FoundPassage>>;

export type LanceLoads = ReturnType<typeof createLanceLoads>;

export interface FoundPassage extends PlaceRef {
	readonly passage: Passage;
	readonly vector?: Float32Array;
	readonly language: Language | undefined;
	readonly address: number;
}

export type LanceRows = ReturnType<typeof createLanceRows>;

interface Extent {
	readonly first: number;
	readonly revision: number;
}

/** Maximum number of cached passages. The search legs of a question find many passages repeatedly. */
const REMEMBERED = 5000;

export function createLanceLoads() {
	const loaderOf = rememberLast((table: Table) => {
		const recent = createRecent();
		const loadNow = (addresses: readonly number[]) => load(addresses, table, recent);
		return { load: loadNow, together: createTogether(loadNow) };
	});
	return {
		load: (addresses: readonly number[], { tables }: Snapshot) => loaderOf(tables.passages).load(addresses),
		together: <Result>({ tables }: Snapshot, search: (load: LoadPassages) => Promise<Result>) =>
			loaderOf(tables.passages).together(search),
		readWhere: async (condition: string, snapshot: Snapshot) => {
			const query = snapshot.tables.passages.query().where(condition).select(PASSAGE_COLUMNS).withRowId();
			return readFound(await runQuery(query));
		},
	};
}

/** Caching by address is safe, because LanceDB never reuses an address: a moved row gets another address. */
async function load(addresses: readonly number[], table: Table, recent: ReturnType<typeof createRecent>) {
	const loaded = new Map<number, FoundPassage>();
	for (const address of addresses) {
		const known = recent.get(address);
		if (known) loaded.set(address, known);
	}
	const missing = addresses.filter((address) => !loaded.has(address));
	if (missing.length === 0) return loaded;
	const query = table.takeRowIds(missing).select(PASSAGE_COLUMNS).withRowId();
	for (const found of readFound(await runQuery(query))) {
		recent.set(found.address, found);
		loaded.set(found.address, found);
	}
	return loaded;
}

function readFound(result: ArrowTable): FoundPassage[] {
	const addresses = addressesIn(result);
	return readPassages(result).map(({ language: written, codes, ...read }, index) => {
		const language = LANGUAGES.find((one) => one === written);
		const vector = codes !== "" && { vector: readCodes(codes) };
		return { ...read, ...vector, address: addresses[index] ?? 0, language };
	});
}

/** Numbers all passages of a document at once when the first of them is found. */
export function createLanceRows(firstRow: number) {
	const firsts = new Map<number, number>();
	const extents: Extent[] = [];
	const remembered = createRecent();
	let next = firstRow;
	return {
		rowOf: ({ revision, ordinal }: PlaceRef, manifest: Manifest) =>
			(firsts.get(revision) ?? number(revision, manifest)) + ordinal,
		/** Returns the location of a row's passage; `undefined` for a row of another engine. */
		placeOf: (row: number) => {
			const after = firstIndex(extents.length, (at) => (extents[at] as Extent).first > row);
			const extent = row < next ? extents[after - 1] : undefined;
			return extent && { revision: extent.revision, ordinal: row - extent.first };
		},
		remember: remembered.set,
		recall: remembered.get,
	};

	function number(revision: number, manifest: Manifest): number {
		const first = next;
		firsts.set(revision, first);
		extents.push({ first, revision });
		next += manifest.passagesOf(revision);
		return first;
	}
}

/** Drops the older half at once: finding the oldest entry of such a map takes longer than a search. */
function createRecent() {
	let [newer, older] = [new Map<number, FoundPassage>(), new Map<number, FoundPassage>()];
	return {
		get: (key: number) => newer.get(key) ?? older.get(key),
		set: (key: number, value: FoundPassage) => {
			if (newer.size >= REMEMBERED / 2 && !newer.has(key)) [newer, older] = [new Map(), newer];
			newer.set(key, value);
		},
	};
}

interface Round {
	readonly addresses: Set<number>;
	readonly answer: PromiseWithResolvers<ReadonlyMap<number, FoundPassage>>;
	waiting: number;
}

/**
 * Batches the reads of concurrent searches, because reading many rows takes little longer than reading few. A batch
 * starts when every search that began before its first request has joined or ended. Second requests of a search are
 * not batched.
 */
function createTogether(load: LoadPassages) {
	let open: Round | undefined;
	return async <Result>(search: (load: LoadPassages) => Promise<Result>): Promise<Result> => {
		open ??= { addresses: new Set(), answer: Promise.withResolvers(), waiting: 0 };
		const round = open;
		round.waiting++;
		let isWaitedFor = true;
		const join = (wanted: readonly number[]) => {
			isWaitedFor = false;
			if (open === round) open = undefined;
			for (const address of wanted) round.addresses.add(address);
			// The last search to join starts the read.
			if (--round.waiting === 0) round.answer.resolve(load([...round.addresses]));
			return round.answer.promise;
		};
		try {
			return await search(async (wanted) => (isWaitedFor ? join(wanted) : load(wanted)));
		} finally {
			if (isWaitedFor) void join([]);
		}
	};
}
