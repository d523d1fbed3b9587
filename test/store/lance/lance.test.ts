import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Table } from "@lancedb/lancedb";
import type { Snapshot } from "../../../src/store/database/database.ts";
import {
	areManyFresh,
	completeRows,
	createProbes,
	makeIndexes,
} from "../../../src/store/lance/lanceIndexes.ts";
import { createTermReader } from "../../../src/store/lance/lanceTerms.ts";
import type { EngineKind } from "../../../src/store/port/store.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { times } from "../../support/times.ts";
import { embedder, sampleDocument, uriOf, vectorOf } from "../sampleDocument.ts";
import { openEngine, openIn, openTemporary, passagesIn, textsFor, watched } from "../temporaryStore.ts";

test("a phrase is searched only in the documents of the question, even if there are 10,000", async (t) => {
	const { store } = await openTemporary(t, "lancedb");
	const names = Array.from({ length: 10_002 }, (_, index) => `${index}.md`);
	await store.replace(names.map((name, at) => sampleDocument(name, [at === 0 ? "a blue piston" : "b"])));
	const seen = names.slice(1).map(uriOf);
	const quoted = { limit: 5, phrases: ["blue piston"] };
	assert.deepEqual(await textsFor(store, "piston", { ...quoted, uris: seen }), []);
	assert.deepEqual(await textsFor(store, "piston", quoted), ["a blue piston"]);
	assert.deepEqual(await textsFor(store, "piston", { ...quoted, uris: seen }), []);
	assert.equal((await store.matchVector(vectorOf("a blue piston"), { ...quoted, uris: seen })).length, 0);
});

test("few rows stay outside of the index, and each search of a large index reads more partitions", () => {
	const limits = { 0: 2000, 100000: 5000, 10000000: 20_000 };
	for (const [indexed, most] of Object.entries(limits))
		assertMapped([most, most + 1], (fresh) => areManyFresh(Number(indexed), fresh), [false, true]);
	const probes = createProbes();
	const sizes = [...times(5, () => 5_000_000), 1_000_000];
	assertMapped(sizes, probes, [20, 40, 80, 160, 250, 128], "a smaller index has fewer partitions");
});

test("LanceDB's results are complete while LanceDB moves rows", async (t) => {
	const { store } = await openTemporary(t, "lancedb");
	const names = Array.from({ length: 12 }, (_, number) => `d${number}.md`);
	for (const name of names) {
		const resources = [{ id: `urn:${name}`, types: [], label: name, lines: { start: 1, end: 1 } }];
		await store.replace([sampleDocument(name, ["valve one", "valve two"], { resources })]);
	}
	const subjects = names.map((name) => ({ resource: `urn:${name}` }));
	const look = async () => {
		const [{ matches }, near, about] = await Promise.all([
			store.matchText("valve", { limit: 100 }),
			store.matchVector(vectorOf("valve"), { limit: 100 }),
			store.rowsAbout(subjects, { limit: 100 }),
		]);
		assert.deepEqual([matches.length, near.length, about.size], [24, 24, 24]);
		assert.equal((await store.read([...about.keys()])).size, 24);
	};
	await look();
	await Promise.all([store.optimize(), look(), look().then(look)]);
	await look();
});

test("a search continues if the index is optimized and cached word frequencies become stale", async () => {
	const reader = createTermReader();
	const rows = { numRows: 0, getChild: () => undefined };
	const query = () => ({ fullTextSearch: query, select: query, limit: query, fastSearch: query, toArrow });
	const toArrow = async () => {
		reader.forget();
		return rows;
	};
	const snapshot = { tables: { passages: { query } }, manifest: { passages: 1 } } as unknown as Snapshot;
	const { asked } = await reader.read("cooling pump", snapshot);
	assert.ok(asked.required.length > 0);
});

const { dimensions } = embedder;
const NEVER = new AbortController().signal;

/** An index with compact rows, as written while memory searches. */
async function makeCompact(t: TestContext, count = 40) {
	const { folder, store } = await openTemporary(t);
	const texts = times(count, (at) => `number${at} ${"a".repeat(at % 40)}b`);
	await store.replace([sampleDocument("a.md", texts), sampleDocument("b.md", ["cc valve"])]);
	return { folder, store, passages: await passagesIn(folder) };
}

async function countForms(passages: Table): Promise<number[]> {
	const conditions = ["codes IS NOT NULL", "terms IS NOT NULL", "vector IS NOT NULL"];
	return Promise.all(conditions.map((condition) => passages.countRows(condition)));
}

test("compact rows of an index in memory are completed when LanceDB takes over, and later rows are written complete", async (t) => {
	const { folder, store, passages } = await makeCompact(t);
	assert.deepEqual(await countForms(passages), [41, 0, 0]);
	const [before] = await store.matchVector(vectorOf("cc valve"), { limit: 1 });
	await store.close();
	const openFor = async (engine: EngineKind) => {
		const opened = await openEngine(t, folder, engine);
		assert.deepEqual(await textsFor(opened, "number7"), ["number7 aaaaaaab"]);
		return opened;
	};
	const large = await openFor("lancedb");
	assert.deepEqual(await countForms(passages), [0, 41, 41]);
	const [found] = await large.matchVector(vectorOf("cc valve"), { limit: 1 });
	assert.ok(Math.abs((found?.score ?? 0) - (before?.score ?? 9)) < 2e-3);
	await large.close();
	const small = await openFor("memory");
	await small.replace([sampleDocument("c.md", ["gasket"])]);
	assert.deepEqual(await textsFor(small, "gasket valve"), ["cc valve", "gasket"]);
	await small.close();
	assert.deepEqual(await countForms(passages), [0, 42, 42]);
	assert.deepEqual(await textsFor(await openFor("lancedb"), "gasket valve"), ["cc valve", "gasket"]);
});

test("completing rows neither duplicates replaced documents nor restores removed ones", async (t) => {
	const { folder, store, passages } = await makeCompact(t);
	await Promise.all([
		completeRows({ passages, dimensions }, NEVER),
		store.replace([sampleDocument("a.md", ["piston"])]),
		completeRows({ passages, dimensions }, NEVER),
	]);
	assert.equal(await passages.countRows(), 2);
	await completeRows({ passages, dimensions }, NEVER);
	assert.deepEqual(await countForms(passages), [0, 2, 2]);
	await store.close();
	const again = await openIn(t, folder);
	assert.deepEqual(await textsFor(again, "piston valve number3"), ["cc valve", "piston"]);
});

for (const [title, isKilled] of [
	["rows that another process writes during indexing are completed", false],
	["the next process completes rows if the indexing process was killed", true],
] as const)
	test(title, async (t) => {
		const { store, passages, folder } = await makeCompact(t);
		const createIndex = async (column: string, options: Parameters<Table["createIndex"]>[1]) => {
			if (column === "terms") await store.replace([sampleDocument("c.md", ["gasket"])]);
			await passages.createIndex(column, options);
			if (column === "terms" && isKilled) throw new Error("killed");
		};
		const whileIndexing = watched(passages, (name) => (name === "createIndex" ? createIndex : undefined));
		const kind = { generation: 1, embedder: embedder.id, dimensions };
		const making = makeIndexes({ documents: passages, passages: whileIndexing, ...kind }, NEVER);
		await (isKilled ? assert.rejects(making, /killed/) : making);
		assert.deepEqual(await countForms(passages), isKilled ? [1, 41, 41] : [0, 42, 42]);
		await store.close();
		const large = await openEngine(t, folder, "lancedb");
		assert.deepEqual(await countForms(passages), [0, 42, 42]);
		assert.deepEqual(await textsFor(large, "gasket"), ["gasket"]);
	});

test("rows are completed in bounded batches, and aborting stops after the current batch", async (t) => {
	const { passages } = await makeCompact(t, 20_000);
	const stopping = new AbortController();
	let merges = 0;
	const counting = watched(passages, (name) => {
		if (name === "mergeInsert" && ++merges === 2) stopping.abort();
	});
	await completeRows({ passages: counting, dimensions }, stopping.signal);
	assert.deepEqual(await countForms(passages), [1, 20_000, 20_000]);
	await completeRows({ passages, dimensions }, NEVER);
	assert.deepEqual(await countForms(passages), [0, 20_001, 20_001]);
});
