import assert from "node:assert/strict";
import { test } from "node:test";
import { areManyFresh, createProbes } from "../../../src/store/lance/lanceIndexes.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { sampleDocument, uriOf, vectorOf } from "../sampleDocument.ts";
import { openTemporary, textsFor } from "../temporaryStore.ts";

test("what is quoted is looked for in the documents of each question, also where they are too many to be named", async (t) => {
	const { store } = await openTemporary(t, "lancedb");
	const names = Array.from({ length: 10_002 }, (_, index) => `${index}.md`);
	const texts = (index: number) => [index === 0 ? "a blue piston" : "b"];
	await store.replace(names.map((name, index) => sampleDocument(name, texts(index))));
	const seen = names.slice(1).map(uriOf);
	const quoted = { limit: 5, phrases: ["blue piston"] };
	assert.deepEqual(await textsFor(store, "piston", { ...quoted, uris: seen }), []);
	assert.deepEqual(await textsFor(store, "piston", quoted), ["a blue piston"]);
	assert.deepEqual(await textsFor(store, "piston", { ...quoted, uris: seen }), []);
	assert.equal((await store.matchVector(vectorOf("a blue piston"), { ...quoted, uris: seen })).length, 0);
});

test("as many rows may be without an index as are looked through soon, and each question looks into more partitions", () => {
	const limits = { 0: 2000, 100000: 5000, 10000000: 20_000 };
	for (const [indexed, most] of Object.entries(limits))
		assertMapped([most, most + 1], (fresh) => areManyFresh(Number(indexed), fresh), [false, true]);
	const probes = createProbes();
	const all = [5_000_000, 5_000_000, 5_000_000, 5_000_000, 5_000_000, 1_000_000];
	assertMapped(all, probes, [20, 40, 80, 160, 250, 128], "fewer after much was removed");
});

test("what LanceDB finds is read whole, while its rows are moved", async (t) => {
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
