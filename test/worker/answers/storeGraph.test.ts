import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createStoreGraph } from "../../../src/worker/answers/storeGraph.ts";
import { quadsOf } from "../../graph/sampleGraph.ts";
import { sampleDocument, uriOf } from "../../store/sampleDocument.ts";
import { openTemporary } from "../../store/temporaryStore.ts";
import { times } from "../../support/times.ts";
import { never } from "../workspace.ts";

const NUMBERS = quadsOf(times(20_001, (index) => `:a :p ${index} .`).join(" "));

function documentOf(name: string, statements: number) {
	return sampleDocument(name, ["text"], { quads: NUMBERS.slice(0, statements) });
}

async function open(t: TestContext, options: Parameters<typeof createStoreGraph>[1] = {}, size = 20_001) {
	const { store } = await openTemporary(t);
	await store.replace([documentOf("a", size)]);
	return { store, storeGraph: createStoreGraph(store, options) };
}

test("a graph with few unread statements is available at once", async (t) => {
	const { store, storeGraph } = await open(t, {}, 10);
	assert.equal((await storeGraph.soon(never))?.size, 10);
	await store.replace([documentOf("b", 5)]);
	assert.equal((await storeGraph.soon(never))?.size, 15);
	await store.remove([uriOf("a")]);
	assert.equal((await storeGraph.soon(never))?.size, 5);
});

test("each document is read with its own statements, also in several batches", async (t) => {
	const { store, storeGraph } = await open(t);
	const names = times(600, (at) => `${at}.md`);
	await store.replace(names.map((name, at) => documentOf(name, 1 + (at % 3))));
	const graph = await storeGraph.current(never);
	for (const [at, name] of names.entries())
		assert.equal([...graph.match({ document: uriOf(name) })].length, 1 + (at % 3));
});

test("only the first question waits for a larger graph, unless the question is canceled", async (t) => {
	for (const isWriting of [true, false]) {
		const { store, storeGraph } = await open(t, { isWriting: () => isWriting });
		await assert.rejects(storeGraph.soon(AbortSignal.abort()), { name: "AbortError" });
		if (isWriting) storeGraph.catchUp(async () => undefined);
		assert.equal((await storeGraph.soon(never))?.size, 20_001);
		await store.replace([documentOf("b", 20_001)]);
		assert.equal(await storeGraph.soon(never), undefined);
	}
});

for (const [title, options] of [
	["no question waits for a graph that is too large for memory", { isLarge: () => true }],
	["the wait for a large graph is limited, and the graph is read in the background", { patienceMs: 0 }],
] as const)
	test(title, async (t) => {
		const { storeGraph } = await open(t, options);
		const read = Promise.withResolvers<void>();
		assert.equal(await storeGraph.soon(never), undefined);
		storeGraph.catchUp(async () => read.resolve());
		assert.equal(await storeGraph.soon(never), undefined);
		await read.promise;
		assert.equal((await storeGraph.soon(never))?.size, 20_001);
	});

test("during a run, questions wait only for the statements of an edited file", async (t) => {
	const { store, storeGraph } = await open(t, { isWriting: () => true, patienceMs: 0 }, 1001);
	assert.equal(await storeGraph.soon(never), undefined);
	await storeGraph.current(never);
	await store.replace([documentOf("b", 1000)]);
	assert.equal((await storeGraph.soon(never))?.size, 2001);
});

test("background reading ends before the store is closed", async (t) => {
	const { store, storeGraph } = await open(t, {}, 7000);
	await store.replace(["b", "c"].map((name) => documentOf(name, 7000)));
	storeGraph.catchUp(async () => undefined);
	await storeGraph.close();
	const { size } = storeGraph.graph;
	await store.close();
	assert.equal(storeGraph.graph.size, size);
});
