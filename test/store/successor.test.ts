import assert from "node:assert/strict";
import { access, readdir } from "node:fs/promises";
import { test } from "node:test";
import type { Store } from "../../src/store/port/store.ts";
import { connectTo } from "../../src/store/tables/location.ts";
import { makeCurrent } from "../../src/store/tables/tables.ts";
import { sampleDocument, uriOf, vectorOf } from "./sampleDocument.ts";
import { openFilled, openIn, openTemporary, textsFor } from "./temporaryStore.ts";

const other = { id: "three-1", dimensions: 3 };
const THIRD = ["documents_3.lance", "passages_3.lance", "ready_3.lance"];

function otherwise(name: string, texts: readonly string[]) {
	const vectors = Float32Array.from(texts.flatMap(() => [1, 0, 0]));
	return { ...sampleDocument(name, texts), vectors, embedder: other.id };
}

async function fill(store: Store): Promise<Store> {
	const next = await store.successor(other);
	await next.replace([otherwise("a.md", ["one"]), otherwise("b.md", ["two"])]);
	return next;
}

test("a successor is not seen until it is adopted, and then by everyone", async (t) => {
	const { folder, store } = await openFilled(t, { "a.md": ["one"], "b.md": ["two"] });
	const reader = await openIn(t, folder);
	const next = await fill(store);
	for (const seen of [store, reader, await openIn(t, folder)]) {
		await seen.refresh();
		assert.equal(seen.embedder()?.id, "letters-1");
	}
	await next.optimize();
	assert.equal((await store.matchVector(vectorOf("one"), { limit: 9 })).length, 2);
	await store.adoptSuccessor();
	await next.close();
	for (const seen of [store, reader, await openIn(t, folder)]) {
		await seen.refresh();
		assert.deepEqual(seen.embedder(), other);
		assert.deepEqual(await textsFor(seen, "two"), ["two"]);
		assert.equal((await seen.matchVector(Float32Array.of(1, 0, 0), { limit: 9 })).length, 2);
	}
});

test("a row found before the adoption is not read from the new tables", async (t) => {
	const { store } = await openFilled(t, { "a.md": ["one"], "b.md": ["two"] });
	await (await fill(store)).close();
	const rows = (await store.matchText("one", { limit: 1 })).matches.map(({ row }) => row);
	assert.equal((await store.read(rows)).size, 1);
	await store.adoptSuccessor();
	assert.equal((await store.read(rows)).size, 0);
	const again = (await store.matchText("one", { limit: 1 })).matches.map(({ row }) => row);
	assert.equal((await store.read(again)).get(again[0] ?? 0)?.text, "one");
});

test("what a dead process has put into a successor is kept for the same embedder, and thrown away for another", async (t) => {
	const { folder, store } = await openFilled(t, { "a.md": ["one"] });
	await (await fill(store)).close();
	const reopened = await openIn(t, folder);
	assert.equal((await reopened.successor(other)).documents().size, 2);
	assert.equal((await reopened.successor({ ...other, dimensions: 5 })).documents().size, 0);
	assert.equal(reopened.documents().size, 1);
});

test("optimizing gives back the space of what was succeeded, and a later successor follows", async (t) => {
	const { folder, store } = await openFilled(t, { "a.md": ["one"] });
	await (await fill(store)).close();
	await store.adoptSuccessor();
	await store.optimize();
	await assert.rejects(access(`${folder}/documents.lance`), { code: "ENOENT" });
	const third = await store.successor({ id: "letters-1", dimensions: 4 });
	await third.replace([sampleDocument("a.md", ["one"])]);
	await third.close();
	await store.adoptSuccessor();
	await store.optimize();
	assert.deepEqual((await readdir(folder)).sort(), THIRD);
	assert.deepEqual([...(await openIn(t, folder)).documents().keys()], [uriOf("a.md")]);
});

test("clearing throws away a successor too", async (t) => {
	const { folder, store } = await openTemporary(t);
	await (await fill(store)).close();
	await store.clear();
	assert.deepEqual((await readdir(folder)).sort(), THIRD);
});

test("a store that is read only refuses every write, for the reason that is given", async (t) => {
	const { folder, store: writable } = await openTemporary(t);
	await writable.replace([sampleDocument("a.md", ["one"])]);
	const store = await openIn(t, folder, { embedder: undefined, readOnly: "Not from here." });
	assert.deepEqual(await textsFor(store, "one"), ["one"]);
	const refused = { code: "READ_ONLY", message: "Not from here." };
	await assert.rejects(store.replace([]), refused);
	await assert.rejects(store.remove([]), refused);
	await assert.rejects(store.clear(), refused);
	await assert.rejects(store.optimize(), refused);
	await assert.rejects(store.successor(other), refused);
	await assert.rejects(store.adoptSuccessor(), refused);
	await assert.rejects(store.noteFolders([{ uri: "file:///a", name: "a" }]), refused);
});

test("a process that dies right after the adoption leaves the new vectors, also to those who have the old ones open", async (t) => {
	const { folder, store } = await openFilled(t, { "a.md": ["one"], "b.md": ["two"] });
	const reader = await openIn(t, folder);
	await (await fill(store)).close();
	await makeCurrent(await connectTo({ folder }), 2);
	assert.equal((await reader.matchVector(vectorOf("one"), { limit: 9 })).length, 2);
	const successor = await openIn(t, folder);
	assert.deepEqual(successor.embedder(), other);
	await successor.optimize();
	await reader.refresh();
	assert.deepEqual(reader.embedder(), other);
	assert.deepEqual(await textsFor(reader, "two"), ["two"]);
});
