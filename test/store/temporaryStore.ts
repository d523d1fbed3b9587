import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Table } from "@lancedb/lancedb";
import { type Database, openDatabase } from "../../src/store/database/database.ts";
import { openStore, type StoreOptions } from "../../src/store/openStore.ts";
import type { EngineKind, Store } from "../../src/store/port/store.ts";
import { embedder } from "./sampleDocument.ts";

export async function makeFolder(t: TestContext): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), "store-"));
	t.after(() => rm(folder, { recursive: true }));
	return folder;
}

export async function openIn(
	t: TestContext,
	folder: string,
	options: Omit<StoreOptions, "folder"> = { embedder },
): Promise<Store> {
	const store = await openStore({ folder, ...options });
	t.after(() => store.close());
	return store;
}

export const ENGINES: readonly EngineKind[] = ["memory", "lancedb"];

/** What makes a store choose an engine, whatever its size. */
export const MEMORY_BYTES = { memory: Number.POSITIVE_INFINITY, lancedb: -1 } as const;

export async function openTemporary(
	t: TestContext,
	engine: EngineKind = "memory",
	options: Omit<StoreOptions, "folder"> = { embedder },
): Promise<{ folder: string; store: Store }> {
	const folder = await makeFolder(t);
	const store = await openIn(t, folder, { ...options, memoryBytes: MEMORY_BYTES[engine] });
	if (engine === "lancedb") await store.optimize();
	assert.equal(store.engine(), engine);
	return { folder, store };
}

export async function openTables(t: TestContext, folder: string): Promise<Database> {
	const database = await openDatabase({ folder, embedder: async () => embedder, isReadOnly: true });
	t.after(() => database.close());
	return database;
}

/** The same table; hears the name of each member before it is used, and may give another one. */
export function watched(table: Table, hear: (name: keyof Table) => unknown): Table {
	return new Proxy(table, {
		get: (_, name: keyof Table) =>
			hear(name) ?? (typeof table[name] === "function" ? table[name].bind(table) : table[name]),
	});
}

/** The texts that a query finds, in alphabetical order. */
export async function textsFor(store: Store, query: string, uris?: readonly string[]): Promise<string[]> {
	await store.refresh();
	const { matches } = await store.matchText(query, { limit: 100, ...(uris && { uris }) });
	const passages = await store.read(matches.map(({ row }) => row));
	return [...passages.values()].map(({ text }) => text).sort();
}
