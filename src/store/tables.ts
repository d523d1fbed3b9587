import { isDeepStrictEqual } from "node:util";
import { type Connection, connect, Index, Session, type Table } from "@lancedb/lancedb";
import type { Schema } from "apache-arrow";
import { commit } from "./commit.ts";
import { documentSchema } from "./documentTable.ts";
import { passageSchema } from "./passageTable.ts";
import type { EmbedderId } from "./store.ts";

/** Another number means other columns: an older index is thrown away and made again. */
const SCHEMA_VERSION = "2";

const VERSION_KEY = "copilot-ld.schema";
const EMBEDDER_KEY = "copilot-ld.embedder";
const DIMENSIONS_KEY = "copilot-ld.dimensions";

/** For what is read by other things than words and vectors. LanceDB takes a description once: every try needs a new one. */
const INDEXES = {
	revision: () => Index.btree(),
	resource: () => Index.btree(),
};

/** Bytes that LanceDB may keep in memory; by itself it would take 7 GB. */
const INDEX_CACHE = 16_000_000n;
const METADATA_CACHE = 32_000_000n;

/** Row numbers that outlive a compaction would bring deleted rows back: the indexes of LanceDB 0.39 keep them. */
const CREATION = { existOk: true, storageOptions: { newTableEnableStableRowIds: "false" } };

export interface Tables {
	readonly documents: Table;
	readonly passages: Table;
	/** The embedder that made the vectors; empty where there are none. */
	readonly embedder: string;
	/** 0 where there are no vectors. */
	readonly dimensions: number;
}

/** Opens both tables as they are. */
export async function openTables(folder: string): Promise<Tables | "missing" | "outdated"> {
	const connection = await connectTo(folder);
	const names = await connection.tableNames();
	if (!names.includes("documents") || !names.includes("passages")) return "missing";
	const documents = await connection.openTable("documents");
	const { metadata } = await documents.schema();
	if (metadata.get(VERSION_KEY) !== SCHEMA_VERSION) return "outdated";
	return {
		documents,
		passages: await connection.openTable("passages"),
		embedder: metadata.get(EMBEDDER_KEY) ?? "",
		dimensions: Number(metadata.get(DIMENSIONS_KEY)),
	};
}

/** Throws away what is there, whatever its state, and makes both tables anew. */
export async function recreateTables(folder: string, embedder: EmbedderId | undefined): Promise<Tables> {
	const connection = await connectTo(folder);
	// Without the manifest, passages are not seen: it goes first and comes last.
	await dropTable(connection, "documents");
	await dropTable(connection, "passages");
	return createTables(folder, embedder);
}

/** Makes what is missing; another process may be doing the same. */
export async function createTables(folder: string, embedder: EmbedderId | undefined): Promise<Tables> {
	const { id, dimensions } = embedder ?? { id: "", dimensions: 0 };
	const metadata = new Map([
		[VERSION_KEY, SCHEMA_VERSION],
		[EMBEDDER_KEY, id],
		[DIMENSIONS_KEY, String(dimensions)],
	]);
	const connection = await connectTo(folder);
	const schema = passageSchema(dimensions, metadata);
	const passages = await createPassages(connection, schema);
	const documents = await connection.createEmptyTable("documents", documentSchema(metadata), CREATION);
	return { documents, passages, embedder: id, dimensions };
}

async function createPassages(connection: Connection, schema: Schema): Promise<Table> {
	const passages = await connection.createEmptyTable("passages", schema, CREATION);
	const { metadata } = await passages.schema();
	if (!isDeepStrictEqual(metadata, schema.metadata)) {
		// Passages of another embedder, whose manifest is gone: a process died while it made the tables anew.
		await dropTable(connection, "passages");
		return createPassages(connection, schema);
	}
	const present = (await passages.listIndices()).flatMap(({ columns }) => columns);
	for (const [column, toConfig] of Object.entries(INDEXES))
		if (!present.includes(column))
			await commit(passages, () => passages.createIndex(column, { config: toConfig() }));
	return passages;
}

export function closeTables({ documents, passages }: Tables): void {
	documents.close();
	passages.close();
}

/** Commits of other processes are seen at once. */
function connectTo(folder: string): Promise<Connection> {
	return connect(folder, { readConsistencyInterval: 0 }, new Session(INDEX_CACHE, METADATA_CACHE));
}

async function dropTable(connection: Connection, name: string): Promise<void> {
	const names = await connection.tableNames();
	if (names.includes(name)) await connection.dropTable(name);
}
