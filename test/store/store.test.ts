import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { access, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { connect } from "@lancedb/lancedb";
import type { Store } from "../../src/store/port/store.ts";
import { connectTo } from "../../src/store/tables/query.ts";
import { makeCurrent } from "../../src/store/tables/tables.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { makeFolder } from "../support/folder.ts";
import { KILLS } from "../support/kills.ts";
import { embedder, sampleDocument, uriOf, vectorOf } from "./sampleDocument.ts";
import {
	ENGINES,
	MEMORY_BYTES,
	openFilled,
	openIn,
	openTemporary,
	passagesIn,
	textsFor,
} from "./temporaryStore.ts";

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
