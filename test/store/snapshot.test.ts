import assert from "node:assert/strict";
import { access, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openStore } from "../../src/store/openStore.ts";
import { makeFolder } from "../support/folder.ts";
import { embedder, sampleDocument, uriOf, vectorOf } from "./sampleDocument.ts";
import { openIn, openTemporary, textsFor } from "./temporaryStore.ts";

const PASSAGES = 1500;
const TEXTS = Array.from({ length: PASSAGES }, (_, index) => `number${index}`);

/** A store with so many passages that its index in memory is written beside it. */
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

test("an index that is opened again answers out of its snapshot", async (t) => {
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
	"is cut off": (path) => truncate(path, 10_000),
	"lacks its last byte": async (path) => truncate(path, (await stat(path)).size - 1),
	"is empty": (path) => truncate(path, 0),
	"has another byte": (path) => flip(path, (length) => length >> 1),
	"has another byte in its last text": (path) => flip(path, (length) => length - 1),
	"is of something else": (path) => writeFile(path, "{}".repeat(1000)),
};

for (const [damage, harm] of Object.entries(damages))
	test(`a snapshot that ${damage} is made again out of the table`, async (t) => {
		const { folder, path } = await makeIndex(t);
		await harm(path);
		await checkAnswers(t, folder);
	});

test("what has changed since the snapshot is found, and what is gone is not", async (t) => {
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

test("a successor has a snapshot of its own, and that of its predecessor goes", async (t) => {
	const { folder, path } = await makeIndex(t);
	const store = await openIn(t, folder);
	const other = { id: "three-1", dimensions: 3 };
	const next = await store.successor(other);
	const vectors = Float32Array.from(TEXTS.flatMap(() => [1, 0, 0]));
	await next.replace([{ ...sampleDocument("a.md", TEXTS), vectors, embedder: other.id }]);
	await next.optimize();
	const own = join(folder, "passages_2.snapshot");
	await Promise.all([access(path), access(own)]);
	await next.close();
	await store.adoptSuccessor();
	await store.optimize();
	await assert.rejects(access(path), { code: "ENOENT" });
	await access(own);
	assert.deepEqual(await textsFor(store, "number1234"), ["number1234"]);
});

test("a store that is read only reads a snapshot and writes none", async (t) => {
	const { folder, path } = await makeIndex(t);
	await rm(path);
	const store = await openIn(t, folder, { embedder, readOnly: "Not from here." });
	assert.deepEqual(await textsFor(store, "number1234"), ["number1234"]);
	await store.close();
	await assert.rejects(access(path), { code: "ENOENT" });
});

test("a snapshot can lie in another folder than the tables", async (t) => {
	const [folder, snapshotFolder] = [await makeFolder(t), await makeFolder(t)];
	const store = await openStore({ folder, snapshotFolder, embedder });
	t.after(() => store.close());
	await store.replace([sampleDocument("a.md", TEXTS)]);
	await store.optimize();
	await access(join(snapshotFolder, "passages.snapshot"));
	await assert.rejects(access(join(folder, "passages.snapshot")), { code: "ENOENT" });
});
