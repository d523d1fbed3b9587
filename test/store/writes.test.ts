import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { connect } from "@lancedb/lancedb";
import type { Store } from "../../src/store/port/store.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { makeFolder } from "../support/folder.ts";
import { KILLS } from "../support/kills.ts";
import { embedder, sampleDocument, uriOf } from "./sampleDocument.ts";
import {
	ENGINES,
	MEMORY_BYTES,
	openFilled,
	openIn,
	openTemporary,
	passagesIn,
	textsFor,
} from "./temporaryStore.ts";

test("deleted documents leave no rows in the tables", async (t) => {
	const { folder, store } = await openFilled(t, { "a.md": ["secret word"], "b.md": ["kept"] });
	await store.optimize();
	await store.remove([uriOf("a.md"), uriOf("never.md")]);
	assert.deepEqual(await textsFor(store, "secret"), []);
	assert.deepEqual([...store.documents().keys()], [uriOf("b.md")]);
	const connection = await connect(folder);
	for (const name of ["documents", "passages"])
		assert.equal(await (await connection.openTable(name)).countRows(), 1);
});

test("rows of a dead process are invisible and deleted by the next write", async (t) => {
	const { folder } = await openFilled(t, { "a.md": ["seen"] });
	const passages = await passagesIn(folder);
	const [row] = await passages.query().toArray();
	const { codes: _, ...short } = row.toJSON();
	const left = { types: [], terms: "left behind", content: '[7,0,1,1,1,"",""]\nt\nleft behind' };
	await passages.add([{ ...short, ...left, revision: 7n, vector: [1, 0, 0, 0] }]);
	const again = await openIn(t, folder);
	assert.deepEqual(await textsFor(again, "behind"), []);
	await again.replace([sampleDocument("b.md", ["more"])]);
	assert.equal(await passages.countRows(), 2);
});

test("concurrent writes run in sequence", async (t) => {
	const { store } = await openTemporary(t);
	const versions = Array.from({ length: 5 }, (_, index) => sampleDocument("a.md", [`version${index}`]));
	await Promise.all([...versions.map((document) => store.replace([document])), store.optimize()]);
	assert.deepEqual(await textsFor(store, "version0 version3 version4"), ["version4"]);
});

for (const engine of ENGINES)
	test(`a rebuilt index is read again even if its tables have the same versions (${engine})`, async (t) => {
		const { folder, store: writer } = await openFilled(t, { "a.md": ["apple"] }, engine);
		const reader = await openIn(t, folder, { embedder, memoryBytes: MEMORY_BYTES[engine] });
		assert.deepEqual(await textsFor(reader, "apple"), ["apple"]);
		await writer.clear();
		if (engine === "lancedb") await writer.optimize();
		await writer.replace([sampleDocument("b.md", ["pear"])]);
		assert.deepEqual(await textsFor(reader, "pear"), ["pear"]);
		assert.deepEqual(await textsFor(reader, "apple"), []);
		assert.deepEqual([...reader.documents().keys()], [uriOf("b.md")]);
		// LanceDB's indexes are still being created.
		await writer.close();
	});

const WRITE_MS = 25;
const NAMES = ["a.md", "b.md", "c.md", "d.md"];

function textsOf(generation: number) {
	const places = Array.from({ length: 1 + (generation % 4) }, (_, index) => index);
	const texts = (name: string) => places.map((index) => `${name} generation${generation} ${index}`);
	return Object.fromEntries(NAMES.map((name) => [name, texts(name)]));
}

test(`a process that is killed at any point leaves the old or the new state, ${KILLS} times`, async (t) => {
	const folder = await makeFolder(t);
	for (let kill = 0; kill < KILLS; kill++) {
		const generations = [2 * kill + 1, 2 * kill + 2].map(textsOf);
		const writer = fork(new URL("./writerProgram.ts", import.meta.url), [folder]);
		t.after(() => writer.kill("SIGKILL"));
		await once(writer, "message");
		for (const order of generations) {
			writer.send(order);
			if (order === generations[0]) await once(writer, "message");
		}
		if (kill % 3 === 2) writer.send("optimize");
		await setTimeout(((kill + 0.5) / KILLS) * WRITE_MS);
		writer.kill("SIGKILL");
		await once(writer, "exit");
		await checkWholeness(await openIn(t, folder), generations);
	}
});

async function checkWholeness(store: Store, generations: ReturnType<typeof textsOf>[]): Promise<void> {
	const passages = await Promise.all(NAMES.map((name) => store.passagesOf(uriOf(name))));
	const [first] = passages.flat();
	const found = generations
		.map((texts) => Object.values(texts))
		.find(([texts]) => texts?.[0] === first?.text);
	assert.ok(found, `neither generation is there, but ${first?.text}`);
	assertMapped(passages, (those) => those.map(({ text }) => text), found);
	const [, generation = ""] = first?.text.split(" ") ?? [];
	assert.deepEqual(await textsFor(store, generation), found.flat());
	assert.equal(store.documents().size, NAMES.length);
}
