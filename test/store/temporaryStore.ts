import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { openStore } from "../../src/store/openStore.ts";
import type { EmbedderId, Store } from "../../src/store/store.ts";
import { embedder } from "./sampleDocument.ts";

/** A folder that is gone after the test. */
export async function makeFolder(t: TestContext): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), "store-"));
	t.after(() => rm(folder, { recursive: true }));
	return folder;
}

/** A store in a folder, closed after the test. */
export async function openIn(
	t: TestContext,
	folder: string,
	options: { readonly embedder: EmbedderId | undefined; readonly readOnly?: string } = { embedder },
): Promise<Store> {
	const store = await openStore({ folder, ...options });
	t.after(() => store.close());
	return store;
}

export async function openTemporary(t: TestContext): Promise<{ folder: string; store: Store }> {
	const folder = await makeFolder(t);
	return { folder, store: await openIn(t, folder) };
}

/** The texts that a query finds, in alphabetical order. */
export async function textsFor(store: Store, query: string, uris?: readonly string[]): Promise<string[]> {
	await store.refresh();
	const { matches } = await store.matchText(query, { limit: 100, ...(uris && { uris }) });
	const passages = await store.read(matches.map(({ row }) => row));
	return [...passages.values()].map(({ text }) => text).sort();
}
