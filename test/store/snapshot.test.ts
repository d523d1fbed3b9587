import assert from "node:assert/strict";
import { access, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Store } from "../../src/store/port/store.ts";
import { connectTo } from "../../src/store/tables/query.ts";
import { makeCurrent } from "../../src/store/tables/tables.ts";
import { embedder, sampleDocument, uriOf, vectorOf } from "./sampleDocument.ts";
import { openFilled, openIn, openTemporary, textsFor } from "./temporaryStore.ts";

const PASSAGES = 1500;
const TEXTS = Array.from({ length: PASSAGES }, (_, index) => `number${index}`);

async function makeIndex(t: TestContext): Promise<{ folder: string; path: string }> {
	const { folder, store } = await openTemporary(t);
	await store.replace([sampleDocument("a.md", TEXTS), sampleDocument("b.md", ["aaab valve"])]);
	await store.optimize();
	return { folder, path: join(folder, "passages.snapshot") };
}

async function checkAnswers(t: TestContext, folder: string): Promise<void> {
	const store = await openIn(t, folder);
	assert.deepEqual(await textsFor(store, "number1234"), ["number1234"]);
	assert.equal((await store.matchText("title", { limit: 0 })).total, PASSAGES + 1);
	const [best] = await store.matchVector(vectorOf("aaab valve"), { limit: 1 });
	assert.equal((await store.read([best?.row ?? -1])).get(best?.row ?? -1)?.text, "aaab valve");
}

test("a reopened index answers from its snapshot", async (t) => {
	const { folder, path } = await makeIndex(t);
	const before = await stat(path);
	await checkAnswers(t, folder);
	assert.equal((await stat(path)).mtimeMs, before.mtimeMs);
});

async function flip(path: string, place: (length: number) => number): Promise<void> {
	const bytes = await readFile(path);
	const at = place(bytes.length);
	bytes[at] = (bytes[at] ?? 0) ^ 1;
	await writeFile(path, bytes);
}

const damages: Record<string, (path: string) => Promise<void>> = {
	"lacks its last byte": async (path) => truncate(path, (await stat(path)).size - 1),
	"is empty": (path) => truncate(path, 0),
	"has another byte": (path) => flip(path, (length) => length >> 1),
	"has another byte in its last text": (path) => flip(path, (length) => length - 1),
	"is of something else": (path) => writeFile(path, "{}".repeat(1000)),
};

for (const [damage, harm] of Object.entries(damages))
	test(`a snapshot that ${damage} is ignored and the table is read`, async (t) => {
		const { folder, path } = await makeIndex(t);
		await harm(path);
		await checkAnswers(t, folder);
	});

test("a search finds changes since the snapshot, but no removed documents", async (t) => {
	const { folder, path } = await makeIndex(t);
	const snapshot = await readFile(path);
	const store = await openIn(t, folder);
	await store.replace([sampleDocument("b.md", ["piston"]), sampleDocument("c.md", ["gasket"])]);
	await store.remove([uriOf("a.md")]);
	await store.optimize();
	await writeFile(path, snapshot);
	const again = await openIn(t, folder);
	assert.deepEqual(await textsFor(again, "valve number7 piston gasket"), ["gasket", "piston"]);
	assert.equal((await again.matchText("title", { limit: 0 })).total, 2);
});

test("a successor has a snapshot; optimizing deletes the predecessor, and another successor can follow", async (t) => {
	const { folder, path } = await makeIndex(t);
	const store = await openIn(t, folder);
	const next = await store.successor(other);
	await next.replace([otherwise("a.md", TEXTS)]);
	await next.optimize();
	const own = join(folder, "passages_2.snapshot");
	await Promise.all([access(path), access(own)]);
	await next.close();
	await store.adoptSuccessor();
	await store.optimize();
	for (const gone of [path, join(folder, "documents.lance")])
		await assert.rejects(access(gone), { code: "ENOENT" });
	await access(own);
	assert.deepEqual(await textsFor(store, "number1234"), ["number1234"]);
	const third = await store.successor(embedder);
	await third.replace([sampleDocument("a.md", ["one"])]);
	await third.close();
	await store.adoptSuccessor();
	await store.optimize();
	const kept = ["documents_3.lance", "passages_3.lance", "ready_3.lance"];
	assert.deepEqual((await readdir(folder)).sort(), kept);
	assert.deepEqual([...(await openIn(t, folder)).documents().keys()], [uriOf("a.md")]);
});

test("a read-only store writes no snapshot and rejects every write with the given reason", async (t) => {
	const { folder, path } = await makeIndex(t);
	await rm(path);
	const store = await openIn(t, folder, { embedder, readOnly: "Not from here." });
	assert.deepEqual(await textsFor(store, "number1234"), ["number1234"]);
	for (const write of [
		() => store.replace([]),
		() => store.remove([]),
		() => store.clear(),
		() => store.optimize(),
		() => store.successor(other),
		() => store.adoptSuccessor(),
		() => store.noteFolders([{ uri: "file:///a", name: "a" }]),
	])
		await assert.rejects(write, { code: "READ_ONLY", message: "Not from here." });
	await store.close();
	await assert.rejects(access(path), { code: "ENOENT" });
});

const other = { id: "three-1", dimensions: 3 };

function otherwise(name: string, texts: readonly string[]) {
	const vectors = Float32Array.from(texts.flatMap(() => [1, 0, 0]));
	return { ...sampleDocument(name, texts), vectors, embedder: other.id };
}

async function fill(store: Store): Promise<Store> {
	const next = await store.successor(other);
	await next.replace([otherwise("a.md", ["one"]), otherwise("b.md", ["two"])]);
	return next;
}

test("all processes see a successor after its adoption, and do not read earlier rows from it", async (t) => {
	const { folder, store } = await openFilled(t, { "a.md": ["one"], "b.md": ["two"] });
	const reader = await openIn(t, folder);
	const next = await fill(store);
	for (const seen of [store, reader, await openIn(t, folder)]) {
		await seen.refresh();
		assert.equal(seen.embedder()?.id, "letters-1");
	}
	await next.optimize();
	const rows = (await store.matchVector(vectorOf("one"), { limit: 9 })).map(({ row }) => row);
	assert.equal((await store.read(rows)).size, 2);
	await store.adoptSuccessor();
	assert.equal((await store.read(rows)).size, 0);
	await next.close();
	for (const seen of [store, reader, await openIn(t, folder)]) {
		await seen.refresh();
		assert.deepEqual(seen.embedder(), other);
		assert.deepEqual(await textsFor(seen, "two"), ["two"]);
		assert.equal((await seen.matchVector(Float32Array.of(1, 0, 0), { limit: 9 })).length, 2);
	}
});

test("after a crash right after adoption, all processes use the new vectors", async (t) => {
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
