import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { connect, type Table } from "@lancedb/lancedb";
import type { Match } from "../../src/search/match.ts";
import { openStore, type StoreOptions } from "../../src/store/openStore.ts";
import type { EngineKind, MatchOptions, Store } from "../../src/store/port/store.ts";
import { makeFolder } from "../support/folder.ts";
import { embedder, sampleDocument } from "./sampleDocument.ts";

type Options = Omit<StoreOptions, "folder">;

export async function openIn(t: TestContext, folder: string, options: Options = { embedder }) {
	const store = await openStore({ folder, ...options });
	t.after(() => store.close());
	return store;
}

export const ENGINES: readonly EngineKind[] = ["memory", "lancedb"];

/** Memory limits that force an engine, whatever the size of the store. */
export const MEMORY_BYTES = { memory: Number.POSITIVE_INFINITY, lancedb: -1 } as const;

export async function openEngine(t: TestContext, folder: string, engine: EngineKind, options?: Options) {
	const store = await openIn(t, folder, { embedder, ...options, memoryBytes: MEMORY_BYTES[engine] });
	if (engine === "lancedb") await store.optimize();
	assert.equal(store.engine(), engine);
	return store;
}

export async function openTemporary(t: TestContext, engine: EngineKind = "memory", options?: Options) {
	const folder = await makeFolder(t);
	return { folder, store: await openEngine(t, folder, engine, options) };
}

type Texts = Readonly<Record<string, readonly string[]>>;

export async function openFilled(t: TestContext, texts: Texts, engine?: EngineKind) {
	const opened = await openTemporary(t, engine);
	await opened.store.replace(Object.entries(texts).map(([name, those]) => sampleDocument(name, those)));
	return opened;
}

/** Opens the table of passages as other processes see it. */
export async function passagesIn(folder: string): Promise<Table> {
	return (await connect(folder, { readConsistencyInterval: 0 })).openTable("passages");
}

/** Proxy of a table: `hear` gets the name of each used member and may return a replacement. */
export function watched(table: Table, hear: (name: keyof Table) => unknown): Table {
	return new Proxy(table, {
		get: (_, name: keyof Table) =>
			hear(name) ?? (typeof table[name] === "function" ? table[name].bind(table) : table[name]),
	});
}

/** Texts that a query finds, in alphabetical order. */
export async function textsFor(store: Store, query: string, filter: Partial<MatchOptions> = {}) {
	await store.refresh();
	return (await textsOf(store, await store.matchText(query, { limit: 100, ...filter }))).sort();
}

/** Texts of found passages, in the order of their ranks. */
export async function textsOf(
	store: Pick<Store, "read">,
	{ matches }: { readonly matches: readonly Match[] },
) {
	const passages = await store.read(matches.map(({ row }) => row));
	return matches.flatMap(({ row }) => passages.get(row)?.text ?? []);
}
