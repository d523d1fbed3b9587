import assert from "node:assert/strict";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { type TestContext, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { connect } from "@lancedb/lancedb";
import type { Store } from "../../src/store/port/store.ts";
import { makeFolder } from "../support/folder.ts";
import { KILLS } from "../support/kills.ts";
import { NAMES, order, startWriter, textsOf } from "./otherProcess.ts";
import { embedder, sampleDocument, uriOf } from "./sampleDocument.ts";
import { ENGINES, MEMORY_BYTES, openFilled, openIn, openTemporary, textsFor } from "./temporaryStore.ts";

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

/** Milliseconds; a replacement takes about so long. */
const WRITE_MS = 25;

async function textsIn(store: Store): Promise<string[][]> {
	const passages = await Promise.all(NAMES.map((name) => store.passagesOf(uriOf(name))));
	return passages.map((those) => those.map(({ text }) => text));
}

function allTexts(generation: number): string[][] {
	return NAMES.map((name) => textsOf(name, generation));
}

for (const engine of ENGINES)
	test(`an index made anew is read anew, though its tables have as many versions as before (${engine})`, async (t) => {
		const { folder, store: writer } = await openFilled(t, { "a.md": ["apple"] }, engine);
		const reader = await openIn(t, folder, { embedder, memoryBytes: MEMORY_BYTES[engine] });
		assert.deepEqual(await textsFor(reader, "apple"), ["apple"]);
		await writer.clear();
		if (engine === "lancedb") await writer.optimize();
		await writer.replace([sampleDocument("b.md", ["pear"])]);
		assert.deepEqual(await textsFor(reader, "pear"), ["pear"]);
		assert.deepEqual(await textsFor(reader, "apple"), []);
		assert.deepEqual([...reader.documents().keys()], [uriOf("b.md")]);
		// What LanceDB needs is still being made.
		await writer.close();
	});

test(`a process that is killed at any point leaves the old or the new state, ${KILLS} times`, async (t) => {
	const folder = await makeFolder(t);
	let generation = 0;
	for (let kill = 0; kill < KILLS; kill++) {
		const before = generation;
		const writer = await startWriter(t, folder);
		await order(writer, { kind: "replace", generation: ++generation });
		writer.send({ kind: "replace", generation: ++generation });
		if (kill % 3 === 2) writer.send({ kind: "optimize" });
		await setTimeout(((kill + 0.5) / KILLS) * WRITE_MS);
		writer.kill("SIGKILL");
		await once(writer, "exit");
		await checkWholeness(t, folder, [before + 1, generation]);
	}
});

async function checkWholeness(t: TestContext, folder: string, generations: readonly number[]): Promise<void> {
	const store = await openIn(t, folder);
	const texts = await textsIn(store);
	const found = generations.find((generation) => texts[0]?.[0] === textsOf("a.md", generation)[0]);
	assert.ok(found, `neither generation of ${generations} is there`);
	assert.deepEqual(texts, allTexts(found));
	assert.deepEqual(await textsFor(store, `generation${found}`), allTexts(found).flat());
	assert.equal(store.documents().size, NAMES.length);
}
