import { mkdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Index, MatchQuery, type Query, type Table, type VectorQuery } from "@lancedb/lancedb";
import { fitVectorIndex, optimizeTable } from "../../store/tables/indexes.ts";
import { connectTo } from "../../store/tables/location.ts";
import { addressesIn } from "../../store/tables/passageTable.ts";
import { commit, quote } from "../../store/tables/query.ts";
import {
	keyOf,
	MESSAGE_COLUMNS,
	type MessageRow,
	messageSchema,
	readMessages,
	type TurnRef,
	toMessageTable,
} from "./message.ts";
import { createWorkspaceCopies, inWorkspace, type WorkspaceCopies } from "./workspaceCopies.ts";

/** Another number means other columns: an older table is thrown away and made again. */
const SCHEMA_VERSION = "2";
const VERSION_KEY = "copilot-ld.schema";
const EMBEDDER_KEY = "copilot-ld.embedder";
const TABLE = "messages";
/** The name that LanceDB gives to the full-text index. */
const TEXT_INDEX = "text_idx";

/** Rows outside of the full-text index that a search looks through one by one: 25 microseconds each. */
const MOST_FRESH = 400;
/** Beyond this many, a search ignores the words of fresh messages until they are folded in. */
const MOST_LOOKED_THROUGH = 4000;
/** Every addition is a fragment, and each is opened by a search. */
const MOST_ADDITIONS = 20;

/** Characters of a query; what a longer one adds is not worth its time. */
const LONGEST_QUERY = 1000;
const PROBES = 20;
/** Bits of a number of a compressed vector; what these find beyond the limit: the full ones put all of it in order. */
const VECTOR_BITS = 4;
const VECTOR_SLACK = 16;
/** Maximum number of retries if rows were moved between the search and the reading of them. */
const MOST_MOVES = 3;
/** Below this share of the rows a filter is so narrow that its rows are compared one by one. */
const NARROW = 0.02;

/** An index description can be used once. */
const INDEXES = {
	text: () =>
		Index.fts({
			language: "English",
			stem: true,
			removeStopWords: true,
			withPosition: false,
			asciiFolding: true,
		}),
	session: () => Index.btree(),
	workspace: () => Index.bitmap(),
};

export interface RowQuery {
	readonly sessions?: readonly string[];
	/** Rows of this workspace, and of `orSession` wherever it is. */
	readonly workspace?: string;
	readonly orSession?: string;
	/** The share of all rows that meet it, from 0 to 1; all if omitted. */
	readonly share?: number;
	readonly limit: number;
}

interface Asked {
	readonly text: string;
	readonly vector: Float32Array;
}

/** Questions and answers in LanceDB. Every method rejects if the table is broken. */
export type MessageTable = ReturnType<typeof over>;

export interface TableOptions {
	readonly folder: string;
	readonly embedder: { readonly id: string; readonly dimensions: number } | undefined;
}

/** Opens the table if it is complete and of this version and embedder; `undefined` if it must be made. */
export async function openMessageTable({
	folder,
	embedder,
}: TableOptions): Promise<MessageTable | undefined> {
	try {
		const connection = await connectTo({ folder });
		if (!(await connection.tableNames()).includes(TABLE)) return undefined;
		// First, so that a table that is rebuilt in between is merely opened once more.
		const made = await makingOf(folder);
		const table = await connection.openTable(TABLE);
		const { metadata } = await table.schema();
		const isOurs = metadata.get(VERSION_KEY) === SCHEMA_VERSION;
		const present = (await table.listIndices()).flatMap(({ columns }) => columns);
		const isWhole = Object.keys(INDEXES).every((column) => present.includes(column));
		if (!isOurs || !isWhole || metadata.get(EMBEDDER_KEY) !== (embedder?.id ?? "")) return undefined;
		return over(table, folder, made, embedder?.dimensions ?? 0);
	} catch {
		// All of its contents can be made again from the journals.
		return undefined;
	}
}

/** Makes an empty table, whatever was there. */
export async function makeMessageTable({ folder, embedder }: TableOptions): Promise<MessageTable> {
	await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	// What people said is for their eyes.
	await mkdir(folder, { recursive: true, mode: 0o700 });
	const { id, dimensions } = embedder ?? { id: "", dimensions: 0 };
	const metadata = new Map([
		[VERSION_KEY, SCHEMA_VERSION],
		[EMBEDDER_KEY, id],
	]);
	const connection = await connectTo({ folder });
	const table = await connection.createEmptyTable(TABLE, messageSchema(dimensions, metadata), {
		storageOptions: { newTableEnableStableRowIds: "false" },
	});
	for (const [column, toConfig] of Object.entries(INDEXES))
		await commit(table, () => table.createIndex(column, { config: toConfig() }));
	return over(table, folder, await makingOf(folder), dimensions);
}

/** Identifies successive tables in a folder; `undefined` if there is none. */
async function makingOf(folder: string): Promise<string | undefined> {
	const found = await stat(join(folder, `${TABLE}.lance`), { bigint: true }).catch(() => undefined);
	return found && `${found.ino} ${found.birthtimeNs}`;
}

function over(table: Table, folder: string, made: string | undefined, dimensions: number) {
	let additions = 0;
	let isBehind = false;
	const copies = createWorkspaceCopies(table, dimensions);
	return {
		/** Grows with every commit of any process. */
		version: () => table.version(),
		/** Whether the table is still the one that was opened: after another process has rebuilt it, it may have the same version. */
		isCurrent: async () => (await makingOf(folder)) === made,
		/** By session, the end of the last line that is in the table. */
		ends: () => readEnds(table),
		add: async (rows: readonly MessageRow[]) => {
			await commit(table, () => table.add(toMessageTable(rows, dimensions)));
			additions++;
		},
		remove: async (sessions: readonly string[]) => {
			await commit(table, () => table.delete(isOneOfSessions(sessions)));
		},
		/** Folds new rows into the indexes: if too many to scan, only if that doubles the index while more follows, or all. */
		tidy: async (when: "due" | "doubling" | "last") => {
			const { numUnindexedRows = 0, numIndexedRows = 0 } = (await table.indexStats(TEXT_INDEX)) ?? {};
			const most = { due: MOST_FRESH, doubling: Math.max(MOST_FRESH, numIndexedRows), last: 0 }[when];
			const isFragmented = when === "due" && additions >= MOST_ADDITIONS;
			isBehind = numUnindexedRows > MOST_LOOKED_THROUGH;
			if (numUnindexedRows <= most && !isFragmented) return;
			additions = 0;
			await optimizeTable(table);
			if (dimensions > 0) await fitVectorIndex(table, VECTOR_BITS);
			isBehind = false;
		},
		/** The best by words and the best by meaning, each once. */
		match: createMatching(table, dimensions, copies, () => isBehind),
		/** All rows of these turns, without their vectors. */
		rowsOf: async (places: readonly TurnRef[]) =>
			(await copies.latest())?.rowsOf(places) ?? readTurns(table, places),
		close: async () => {
			await copies.idle();
			table.close();
		},
	};
}

/** Indexes return only addresses; the rows are read once for words and meaning together. */
function createMatching(table: Table, dimensions: number, copies: WorkspaceCopies, isBehind: () => boolean) {
	const columns = dimensions > 0 ? [...MESSAGE_COLUMNS, "vector"] : MESSAGE_COLUMNS;
	// LanceDB warns if its own score is not requested.
	const addressesOf = async (search: Query | VectorQuery, score: string) =>
		addressesIn(await search.select([score]).withRowId().toArrow());
	const matchText = (text: string, query: RowQuery) => {
		const words = new MatchQuery(text.slice(0, LONGEST_QUERY), "text");
		const search = narrow(table.query().fullTextSearch(words), query).limit(query.limit);
		if (isBehind()) search.fastSearch();
		return addressesOf(search, "_score");
	};
	const matchVector = async (vector: Float32Array, query: RowQuery) => {
		if (vector.length !== dimensions || !vector.some((value) => value !== 0)) return [];
		const search = table.query().nearestTo(vector).distanceType("cosine").nprobes(PROBES);
		if ((query.share ?? 1) < NARROW) search.bypassVectorIndex();
		return addressesOf(narrow(search, query).limit(query.limit + VECTOR_SLACK), "_distance");
	};
	/** `undefined` if the table has changed since, or there is no copy. */
	const matchCopy = async ({ text, vector }: Asked, query: RowQuery) => {
		const { workspace, sessions, orSession } = query;
		const isCopied = workspace !== undefined && !sessions && orSession === undefined;
		const copy = isCopied ? await copies.of(workspace) : undefined;
		if (!copy) return undefined;
		const found = [await matchText(text, query), copy.near(vector, query.limit + VECTOR_SLACK)];
		return copy.rowsAt([...new Set(found.flat())]);
	};
	const matchTable = async ({ text, vector }: Asked, query: RowQuery) => {
		for (let moves = 0; ; moves++) {
			const found = await Promise.all([matchText(text, query), matchVector(vector, query)]);
			const addresses = [...new Set(found.flat())];
			if (addresses.length === 0) return [];
			const rows = readMessages(await table.takeRowIds(addresses).select(columns).toArrow());
			if (rows.length === addresses.length || moves === MOST_MOVES) return rows;
		}
	};
	return async (asked: Asked, query: RowQuery): Promise<MessageRow[]> =>
		(await matchCopy(asked, query)) ?? matchTable(asked, query);
}

async function readEnds(table: Table): Promise<Map<string, number>> {
	const rows = await table.query().select(["session", "end"]).toArrow();
	const ends = new Map<string, number>();
	const offsets = rows.getChild("end");
	let index = 0;
	for (const session of rows.getChild("session") ?? []) {
		const end = Number(offsets?.get(index++));
		if (end > (ends.get(session) ?? 0)) ends.set(session, end);
	}
	return ends;
}

/** Two lists are looked up in the index at once; a condition for every pair would take five times as long. */
async function readTurns(table: Table, places: readonly TurnRef[]): Promise<MessageRow[]> {
	if (places.length === 0) return [];
	const turns = places.map(({ turn }) => Math.trunc(turn)).join(", ");
	const near = `${isOneOfSessions(places.map(({ session }) => session))} AND turn IN (${turns})`;
	const rows = readMessages(await table.query().where(near).select(MESSAGE_COLUMNS).toArrow());
	const wanted = new Set(places.map(keyOf));
	return rows.filter((row) => wanted.has(keyOf(row)));
}

function narrow<Search extends Query | VectorQuery>(search: Search, filter: RowQuery): Search {
	const { sessions, workspace, orSession } = filter;
	const place = workspace === undefined ? undefined : inWorkspace(workspace);
	const conditions = [
		sessions && isOneOfSessions(sessions),
		place && orSession !== undefined ? `(${place} OR session = ${quote(orSession)})` : place,
	].filter((condition) => condition !== undefined);
	if (conditions.length > 0) search.where(conditions.join(" AND "));
	return search;
}

function isOneOfSessions(sessions: readonly string[]): string {
	return sessions.length > 0 ? `session IN (${sessions.map(quote).join(", ")})` : "false";
}
