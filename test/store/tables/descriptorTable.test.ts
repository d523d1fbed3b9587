import assert from "node:assert/strict";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { Descriptor } from "../../../src/core/knowledge/descriptor.ts";
import { createDescriptorTable } from "../../../src/store/tables/descriptorTable.ts";
import { makeFolder } from "../../support/folder.ts";
import { sampleDocument } from "../sampleDocument.ts";
import { openFilled, openIn, openTemporary } from "../temporaryStore.ts";

function about(words: string): Descriptor {
	return { purpose: `Explain ${words}`, applicability: `when ${words}'s "odd"`, evaluation: "it works" };
}

test("a descriptor comes back as it was, and the first one of a content stays", async (t) => {
	const { store } = await openTemporary(t);
	assert.equal((await store.descriptors()).size, 0);
	await store.describe("1", about("lamps"));
	await store.describe("1", about("bread"));
	await store.describe("2", about("ships"));
	const found = Object.fromEntries(await store.descriptors());
	assert.deepEqual(found, { 1: about("lamps"), 2: about("ships") });
	assert.equal(await store.descriptors(), await store.descriptors());
});

test("descriptors survive a rebuilding, another embedder and a restart", async (t) => {
	const { folder, store } = await openFilled(t, { a: ["one"] });
	await store.describe("one", about("lamps"));
	await store.clear();
	assert.equal((await store.descriptors()).size, 1);
	const next = await store.successor({ id: "others-1", dimensions: 8 });
	await next.close();
	await store.adoptSuccessor();
	await store.optimize();
	assert.equal((await store.descriptors()).size, 1);
	const again = await openIn(t, folder);
	assert.deepEqual((await again.descriptors()).get("one"), about("lamps"));
});

test("another process sees them: the first after a commit to the index, the others at once", async (t) => {
	const { folder, store } = await openTemporary(t);
	const other = await openIn(t, folder);
	assert.equal((await other.descriptors()).size, 0);
	await store.describe("1", about("lamps"));
	await store.replace([sampleDocument("a", ["one"])]);
	await other.refresh();
	assert.equal((await other.descriptors()).size, 1);
	await store.describe("2", about("ships"));
	assert.equal((await other.descriptors()).size, 2);
	await other.describe("3", about("bread"));
	await other.describe("2", about("bread"));
	assert.deepEqual((await store.descriptors()).get("2"), about("ships"));
	assert.equal((await store.descriptors()).size, 3);
});

test("a read-only index has its descriptors, and takes none", async (t) => {
	const { folder, store } = await openTemporary(t);
	await store.describe("1", about("lamps"));
	const reader = await openIn(t, folder, { embedder: undefined, readOnly: "Only to read." });
	assert.equal((await reader.descriptors()).size, 1);
	await assert.rejects(reader.describe("2", about("ships")), { code: "READ_ONLY", message: "Only to read." });
});

test("descriptors that cannot be read say so, and a rebuilding makes room for new ones", async (t) => {
	const { folder, store } = await openTemporary(t);
	await store.describe("1", about("lamps"));
	const data = join(folder, "descriptors.lance", "data");
	for (const file of await readdir(data)) await writeFile(join(data, file), "torn");
	const again = await openIn(t, folder);
	await assert.rejects(again.descriptors(), { code: "STORE_UNREADABLE" });
	await again.clear();
	assert.equal((await again.descriptors()).size, 0);
	await again.describe("1", about("ships"));
	assert.equal((await again.descriptors()).size, 1);
});

test("where there are none, the disk is asked once for each commit to the index, not for each search", async (t) => {
	const folder = await makeFolder(t);
	let asked = 0;
	let moment = {};
	const location = {
		get folder() {
			asked++;
			return folder;
		},
	};
	const table = createDescriptorTable(location, () => moment);
	for (let search = 0; search < 5; search++) await table.read();
	assert.equal(asked, 1);
	moment = {};
	for (let search = 0; search < 5; search++) await table.read();
	assert.equal(asked, 2);
});
