import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { test } from "node:test";
import { connect } from "@lancedb/lancedb";
import { sampleDocument, uriOf } from "./sampleDocument.ts";
import { openFilled, openIn, openTemporary, textsFor } from "./temporaryStore.ts";

/** Every write makes a file, so that none can go unseen. */
async function listFiles(folder: string): Promise<string[]> {
	return (await readdir(folder, { recursive: true })).sort();
}

test("deleted documents leave nothing behind, in the tables neither", async (t) => {
	const { folder, store } = await openFilled(t, { "a.md": ["secret word"], "b.md": ["kept"] });
	await store.optimize();
	await store.remove([uriOf("a.md"), uriOf("never.md")]);
	assert.deepEqual(await textsFor(store, "secret"), []);
	assert.deepEqual([...store.documents().keys()], [uriOf("b.md")]);
	const connection = await connect(folder);
	for (const name of ["documents", "passages"])
		assert.equal(await (await connection.openTable(name)).countRows(), 1);
});

test("optimizing again writes nothing", async (t) => {
	const { folder, store } = await openFilled(t, { "a.md": ["one", "two"], "b.md": ["three"] });
	await store.optimize();
	const files = await listFiles(folder);
	await store.optimize();
	await store.remove([]);
	await store.replace([]);
	assert.deepEqual(await listFiles(folder), files);
});

test("a store that is opened again knows all, and writes nothing", async (t) => {
	const { folder, store } = await openTemporary(t);
	const document = sampleDocument("a.md", ["one"]);
	await store.replace([document]);
	const files = await listFiles(folder);
	const again = await openIn(t, folder);
	assert.deepEqual([...again.documents().records()], [document.record]);
	assert.deepEqual(await textsFor(again, "one"), ["one"]);
	assert.deepEqual(await listFiles(folder), files);
});

test("rows that a dead process left behind are not seen, and are swept away by the next write", async (t) => {
	const { folder } = await openFilled(t, { "a.md": ["seen"] });
	const passages = await (await connect(folder, { readConsistencyInterval: 0 })).openTable("passages");
	const [row] = await passages.query().toArray();
	const { codes: _, ...short } = row.toJSON();
	const left = { types: [], terms: "left behind", content: '[7,0,1,1,1,"",""]\nt\nleft behind' };
	await passages.add([{ ...short, ...left, revision: 7n, vector: [1, 0, 0, 0] }]);
	const again = await openIn(t, folder);
	assert.deepEqual(await textsFor(again, "behind"), []);
	await again.replace([sampleDocument("b.md", ["more"])]);
	assert.equal(await passages.countRows(), 2);
});

test("writes that are asked for at the same time come one after the other", async (t) => {
	const { store } = await openTemporary(t);
	const versions = Array.from({ length: 5 }, (_, index) => sampleDocument("a.md", [`version${index}`]));
	await Promise.all([...versions.map((document) => store.replace([document])), store.optimize()]);
	assert.deepEqual(await textsFor(store, "version0 version3 version4"), ["version4"]);
});
