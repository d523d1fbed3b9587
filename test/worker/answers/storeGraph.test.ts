import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createStoreGraph } from "../../../src/worker/answers/storeGraph.ts";
import { quadsOf } from "../../store/graph/sampleGraph.ts";
import { sampleDocument, uriOf } from "../../store/sampleDocument.ts";
import { openTemporary } from "../../store/temporaryStore.ts";

const never = new AbortController().signal;

/** A document that states so many things. */
function documentOf(name: string, statements: number) {
	const turtle = Array.from({ length: statements }, (_, index) => `:${name} :p ${index} .`).join(" ");
	return sampleDocument(name, ["text"], { quads: quadsOf(turtle) });
}

async function open(t: TestContext) {
	const { store } = await openTemporary(t);
	return { store, storeGraph: createStoreGraph(store) };
}

test("a graph with little to read is there soon", async (t) => {
	const { store, storeGraph } = await open(t);
	await store.replace([documentOf("a", 10)]);
	assert.equal((await storeGraph.soon(never))?.size, 10);
	await store.replace([documentOf("b", 5)]);
	assert.equal((await storeGraph.soon(never))?.size, 15);
	await store.remove([uriOf("a")]);
	assert.equal((await storeGraph.soon(never))?.size, 5);
});

test("a graph with much to read is not waited for, and reads on by itself", async (t) => {
	const { store, storeGraph } = await open(t);
	await store.replace([documentOf("a", 20_001)]);
	assert.equal(await storeGraph.soon(never), undefined);
	assert.equal((await storeGraph.current(never)).size, 20_001);
	assert.equal((await storeGraph.soon(never))?.size, 20_001);
});

test("while much is written only the statements of an edited file are waited for", async (t) => {
	const { store } = await openTemporary(t);
	const storeGraph = createStoreGraph(store, { isWriting: () => true });
	const read = Promise.withResolvers<void>();
	await store.replace([documentOf("a", 1001)]);
	assert.equal(await storeGraph.soon(never, async () => read.resolve()), undefined);
	await read.promise;
	await store.replace([documentOf("b", 1000)]);
	assert.equal((await storeGraph.soon(never))?.size, 2001);
});
