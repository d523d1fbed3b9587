import assert from "node:assert/strict";
import { test } from "node:test";
import { createAmongReader } from "../../../src/store/lance/lanceAmong.ts";
import { createLanceReads } from "../../../src/store/lance/lanceEngine.ts";
import { areManyFresh, createProbes } from "../../../src/store/lance/lanceIndexes.ts";
import { createLanceLoads, createLanceRows, createTogether } from "../../../src/store/lance/lanceLoads.ts";
import { createLanceSearches } from "../../../src/store/lance/lanceSearches.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { sampleDocument, uriOf, vectorOf } from "../sampleDocument.ts";
import { openFilled, openTables, openTemporary, textsFor } from "../temporaryStore.ts";

test("what is found of a document that goes meanwhile gets no number, which would be that of another one", async (t) => {
	const texts = { "a.md": ["valve", "valve b"], "b.md": ["a valve"] };
	const { folder } = await openFilled(t, texts, "lancedb");
	const database = await openTables(t, folder);
	const { promise: loaded, resolve: noteLoaded } = Promise.withResolvers<void>();
	const loads = createLanceLoads();
	const watched: typeof loads = {
		...loads,
		together: (snapshot, search) =>
			loads.together(snapshot, (load) =>
				search(async (addresses) => {
					const found = await load(addresses);
					noteLoaded();
					return found;
				}),
			),
	};
	const rows = createLanceRows(0);
	const asked = { terms: ["valv"], readings: [["valv"]], required: [["valv"]], language: "en" } as const;
	const idfs = async () => {
		await loaded;
		database.advance({ set: [], removed: [uriOf("a.md")] }, database.snapshot().version);
		return () => 1;
	};
	const nothing = () => undefined;
	const terms = { read: async () => ({ asked, idfs }), stage: nothing, commit: nothing, forget: nothing };
	const among = createAmongReader();
	const { matchText } = createLanceSearches(database, { rows, loads: watched, terms, among });
	const { matches } = await matchText("valve", { limit: 10 });
	const { read } = createLanceReads(database, { rows, loads });
	const passages = await read(matches.map(({ row }) => row));
	assertMapped(matches, ({ row }) => passages.get(row)?.text, ["a valve"]);
});

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

test("searches that run side by side have read at once what they found; who comes later, ends or asks again keeps none waiting", async () => {
	const reads: number[][] = [];
	const together = createTogether(async (keys: readonly number[]) => {
		reads.push([...keys]);
		return new Map(keys.map((key) => [key, `${key}`]));
	});
	const [first, last] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	const quick = together(async (ask) => first.promise.then(() => ask([1, 2])));
	const slow = together(async (ask) => last.promise.then(() => ask([2, 3])));
	const failing = together(async () => Promise.reject(new Error("no index")));
	await assert.rejects(failing, /no index/);
	first.resolve();
	await first.promise;
	assert.deepEqual([...(await together((ask) => ask([9]))).keys()], [9]);
	last.resolve();
	assert.deepEqual([...(await quick).keys()], [1, 2, 3]);
	assert.equal((await slow).get(3), "3");
	const again = await together(async (ask) => [await ask([4]), await ask([5])]);
	assertMapped(again, (read) => [...read.keys()], [[4], [5]]);
	assert.equal((await together((ask) => ask([]))).size, 0);
	assert.deepEqual(reads, [[9], [1, 2, 3], [4], [5]]);
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
