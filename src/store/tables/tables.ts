import { isDeepStrictEqual } from "node:util";
import { type Connection, Index, type Table } from "@lancedb/lancedb";
import { Field, Schema, Utf8 } from "apache-arrow";
import type { EmbedderId } from "../port/store.ts";
import { documentSchema } from "./documentTable.ts";
import { passageSchema } from "./passageTable.ts";
import { answered, commit, connectTo, type Location } from "./query.ts";

/**
 * Increase this number when the columns change. Tables with a lower number are dropped and rebuilt. Tables with a
 * higher number belong to a newer version, possibly on another machine with a shared index.
 */
const SCHEMA_VERSION = "5";

const VERSION_KEY = "copilot-ld.schema";
const EMBEDDER_KEY = "copilot-ld.embedder";
const DIMENSIONS_KEY = "copilot-ld.dimensions";

const INDEXED = ["revision", "resource"];

/** Stable row ids must be off: with them, indexes of LanceDB 0.39 return deleted rows after a compaction. */
const CREATION = { existOk: true, storageOptions: { newTableEnableStableRowIds: "false" } };

export interface Tables {
	readonly documents: Table;
	readonly passages: Table;
	/** Starts at 1. Vectors of another embedder are in another generation. */
	readonly generation: number;
	readonly embedder: string;
	readonly dimensions: number;
}

export interface NewTables extends Location {
	readonly embedder: () => Promise<EmbedderId | undefined>;
	/** By default, the current generation. */
	readonly generation?: number;
}

export async function openTables(location: NewTables) {
	const connection = await answered(location, connectTo(location));
	const present = await answered(location, connection.tableNames());
	const opened = location.generation ?? currentGeneration(present);
	const names = namesOf(opened);
	if (!present.includes(names.documents) || !present.includes(names.passages)) return "missing";
	const documents = await connection.openTable(names.documents);
	const { metadata } = await documents.schema();
	const version = metadata.get(VERSION_KEY);
	if (version !== SCHEMA_VERSION) return Number(version) > Number(SCHEMA_VERSION) ? "newer" : "outdated";
	return {
		documents,
		passages: await connection.openTable(names.passages),
		generation: opened,
		embedder: metadata.get(EMBEDDER_KEY) ?? "",
		dimensions: Number(metadata.get(DIMENSIONS_KEY)),
	};
}

/**
 * Drops the tables, whatever their state, and creates both again in the given generation or in an unused
 * generation. Under the same names, new tables could reach the same version, and another process would continue
 * with the old tables.
 */
export async function recreateTables(options: NewTables) {
	const { generation } = options;
	const connection = await connectTo(options);
	const made = generation ?? unusedGeneration(await connection.tableNames());
	// Drop the old tables first, because the disk may be full.
	await dropGenerations(connection, (other) => generation === undefined || other === made);
	const tables = await createTables({ ...options, generation: made });
	if (generation === undefined) await makeCurrent(connection, made);
	return tables;
}

export async function createTables(options: NewTables) {
	const { id, dimensions } = (await options.embedder()) ?? { id: "", dimensions: 0 };
	const metadata = new Map([
		[VERSION_KEY, SCHEMA_VERSION],
		[EMBEDDER_KEY, id],
		[DIMENSIONS_KEY, String(dimensions)],
	]);
	const connection = await connectTo(options);
	const made = options.generation ?? currentGeneration(await connection.tableNames());
	const names = namesOf(made);
	const passages = await createPassages(connection, names.passages, passageSchema(dimensions, metadata));
	const documents = await connection.createEmptyTable(names.documents, documentSchema(metadata), CREATION);
	return { documents, passages, generation: made, embedder: id, dimensions };
}

async function createPassages(connection: Connection, name: string, schema: Schema): Promise<Table> {
	const passages = await connection.createEmptyTable(name, schema, CREATION);
	const { metadata } = await passages.schema();
	if (!isDeepStrictEqual(metadata, schema.metadata)) {
		// A process died while it rebuilt the tables: there are passages of another embedder, but no manifest.
		await connection.dropTable(name);
		return createPassages(connection, name, schema);
	}
	const present = (await passages.listIndices()).flatMap(({ columns }) => columns);
	// LanceDB accepts an index configuration only once, so every try needs a new configuration.
	for (const column of INDEXED.filter((one) => !present.includes(one)))
		await commit(passages, () => passages.createIndex(column, { config: Index.btree() }));
	return passages;
}

/** Prefix of marker tables. Creating a marker is atomic, and makes the generation in its name current. */
const READY = "ready_";

export function namesOf(generation: number): { readonly documents: string; readonly passages: string } {
	const suffix = generation === 1 ? "" : `_${generation}`;
	return { documents: `documents${suffix}`, passages: `passages${suffix}` };
}

export function currentGeneration(names: readonly string[]): number {
	return Math.max(1, ...names.filter((name) => name.startsWith(READY)).map(numberOf));
}

function unusedGeneration(names: readonly string[]): number {
	return Math.max(0, ...names.filter((name) => /^documents|^passages|^ready_/.test(name)).map(numberOf)) + 1;
}

export async function makeCurrent(connection: Connection, generation: number): Promise<void> {
	const schema = new Schema([new Field("note", new Utf8())]);
	await connection.createEmptyTable(`${READY}${generation}`, schema, { existOk: true });
}

/** Drops the tables of documents first, because passages without documents are not visible. */
export async function dropGenerations(connection: Connection, isMeant: (generation: number) => boolean) {
	const names = await connection.tableNames();
	for (const form of [/^documents(_\d+)?$/, /^passages(_\d+)?$/])
		for (const name of names)
			if (form.test(name) && isMeant(numberOf(name))) await connection.dropTable(name);
	const current = currentGeneration(names);
	const notes = names.filter((name) => name.startsWith(READY) && numberOf(name) < current);
	for (const name of notes) await connection.dropTable(name);
}

function numberOf(name: string): number {
	return Number(/_(\d+)$/.exec(name)?.[1] ?? 1);
}
