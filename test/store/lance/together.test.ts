import assert from "node:assert/strict";
import { test } from "node:test";
import { createTogether } from "../../../src/store/lance/lanceLoads.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { sampleDocument, vectorOf } from "../sampleDocument.ts";
import { openTemporary } from "../temporaryStore.ts";

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
