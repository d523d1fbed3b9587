import { type Connection, connect, Index, type Table } from "@lancedb/lancedb";
import type { Schema } from "apache-arrow";
import { documentSchema } from "./documentTable.ts";
import { passageSchema } from "./passageTable.ts";
import type { EmbedderId } from "./store.ts";

/** Another number means other columns: an older index is thrown away and made again. */
const SCHEMA_VERSION = "1";

const VERSION_KEY = "copilot-ld.schema";
const EMBEDDER_KEY = "copilot-ld.embedder";
const DIMENSIONS_KEY = "copilot-ld.dimensions";

/** Words are kept as they stand: stemming makes technical names meet that have nothing in common. */
export const FULL_TEXT = Index.fts({
	withPosition: false,
	stem: false,
	removeStopWords: false,
	asciiFolding: true,
	lowercase: true,
});

export interface Tables {
	readonly documents: Table;
	readonly passages: Table;
	/** The embedder that made the vectors; empty where there are none. */
	readonly embedder: string;
	/** 0 where there are no vectors. */
	readonly dimensions: number;
	/** Whether an index of another version was thrown away. */
	readonly outdated: boolean;
}

/** Opens both tables; makes them where one is missing or of another version. */
export async function openTables(folder: string, embedder: EmbedderId | undefined): Promise<Tables> {
	const connection = await connectTo(folder);
	const names = await connection.tableNames();
	if (!names.includes("documents") || !names.includes("passages"))
		return createTables(connection, embedder, false);
	const documents = await connection.openTable("documents");
	const { metadata } = await documents.schema();
	if (metadata.get(VERSION_KEY) !== SCHEMA_VERSION) return createTables(connection, embedder, true);
	return {
		documents,
		passages: await connection.openTable("passages"),
		embedder: metadata.get(EMBEDDER_KEY) ?? "",
		dimensions: Number(metadata.get(DIMENSIONS_KEY)),
		outdated: false,
	};
}

/** Throws away what is there, whatever its state. */
export async function recreateTables(folder: string, embedder: EmbedderId | undefined): Promise<Tables> {
	return createTables(await connectTo(folder), embedder, false);
}

/** Commits of other processes are seen at once. */
function connectTo(folder: string): Promise<Connection> {
	return connect(folder, { readConsistencyInterval: 0 });
}

/** The manifest goes first and comes last: without it, passages are not seen. */
async function createTables(
	connection: Connection,
	embedder: EmbedderId | undefined,
	outdated: boolean,
): Promise<Tables> {
	const { id, dimensions } = embedder ?? { id: "", dimensions: 0 };
	const metadata = new Map([
		[VERSION_KEY, SCHEMA_VERSION],
		[EMBEDDER_KEY, id],
		[DIMENSIONS_KEY, String(dimensions)],
	]);
	await dropTable(connection, "documents");
	await dropTable(connection, "passages");
	const passages = await createTable(connection, "passages", passageSchema(dimensions, metadata));
	await passages.createIndex("content", { config: FULL_TEXT });
	await passages.createIndex("revision", { config: Index.btree() });
	const documents = await createTable(connection, "documents", documentSchema(metadata));
	return { documents, passages, embedder: id, dimensions, outdated };
}

async function dropTable(connection: Connection, name: string): Promise<void> {
	const names = await connection.tableNames();
	if (names.includes(name)) await connection.dropTable(name);
}

function createTable(connection: Connection, name: string, schema: Schema): Promise<Table> {
	return connection.createEmptyTable(name, schema, { storageOptions: { newTableEnableStableRowIds: "true" } });
}
