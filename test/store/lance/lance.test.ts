import assert from "node:assert/strict";
import { test } from "node:test";
import { areManyFresh, createProbes } from "../../../src/store/lance/lanceIndexes.ts";
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

test("what came since the indexes is looked through up to a twentieth of all, from 2,000 to 20,000 rows", () => {
	const limits = { 0: 2000, 20000: 2000, 100000: 5000, 400000: 20_000, 10000000: 20_000 };
	for (const [indexed, most] of Object.entries(limits))
		assert.deepEqual(
			[most, most + 1].map((fresh) => areManyFresh(Number(indexed), fresh)),
			[false, true],
		);
});

test("the first question looks into few partitions of the vectors, each further one into twice as many, up to what the passages need", () => {
	const probes = createProbes();
	const later = Array.from({ length: 6 }, () => probes(5_000_000));
	assert.deepEqual(later, [20, 40, 80, 160, 250, 250]);
	assert.equal(probes(1_000_000), 128, "as many as are needed after much was removed");
});

test("what LanceDB finds is read whole, while its rows are moved", async (t) => {
	const { store } = await openTemporary(t, "lancedb");
	const names = Array.from({ length: 12 }, (_, number) => `d${number}.md`);
	for (const name of names)
		await store.replace([sampleDocument(name, ["valve one", "valve two"], { resources: [thing(name)] })]);
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

function thing(name: string) {
	return { id: `urn:${name}`, types: [], label: name, lines: { start: 1, end: 1 } };
}
