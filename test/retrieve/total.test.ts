import assert from "node:assert/strict";
import { test } from "node:test";
import { createRetriever } from "../../src/retrieve/search.ts";
import { sampleDocument } from "../store/sampleDocument.ts";
import { openTemporary } from "../store/temporaryStore.ts";

const never = new AbortController().signal;

test("the total counts every passage that has what is asked for, also those that no leg handed over", async (t) => {
	const { store } = await openTemporary(t);
	const lamps = Array.from({ length: 250 }, (_, index) => `lamp number ${index}`);
	await store.replace([sampleDocument("a.md", lamps), sampleDocument("b.md", ["a storm at sea"])]);
	const { search } = createRetriever({ store, embedder: undefined, pathOf: (uri) => uri });
	const many = await search({ query: "lamp", limit: 3 }, never);
	assert.deepEqual([many.total, many.isAtLeast, many.truncated], [250, true, true]);
	const one = await search({ query: "storm" }, never);
	assert.deepEqual([one.total, one.isAtLeast, one.truncated], [1, undefined, false]);
	const quoted = await search({ query: '"number 249"' }, never);
	// What is quoted comes first, and keeps nothing else out.
	assert.deepEqual(
		[quoted.hits[0]?.text, quoted.hits.length > 1, quoted.total],
		["lamp number 249", true, 1],
	);
});
