import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { SearchQuery } from "../../src/core/knowledge/knowledge.ts";
import { createRetriever } from "../../src/retrieve/search.ts";
import { sampleDocument, uriOf } from "../store/sampleDocument.ts";
import { ENGINES, openTemporary } from "../store/temporaryStore.ts";

const never = new AbortController().signal;

for (const engine of ENGINES)
	describe(`by the engine of ${engine}`, () => {
		test("the total is the number of passages that contain all words of the query, grammar aside", async (t) => {
			const { store } = await openTemporary(t, engine);
			const { search } = createRetriever({ store, embedder: undefined, pathOf: (uri) => uri });
			const totalOf = async (query: string, options: Omit<SearchQuery, "query"> = {}) =>
				(await search({ query, ...options }, never)).total;
			const names = Array.from({ length: 25 }, (_, index) => `${index}.md`);
			const texts = (index: number) => [index % 2 === 0 ? "a bronze bell" : "the relay of the lamp"];
			await store.replace(names.map((name, index) => sampleDocument(name, texts(index))));
			for (const bringUp of [() => Promise.resolve(), () => store.optimize()]) {
				assert.equal(await totalOf("bronze relay"), 0);
				// Rows that LanceDB's indexes do not have yet.
				await store.replace([sampleDocument("both.md", ["The relays are made of bronze.", "a bronze lamp"])]);
				assert.equal(await totalOf("Which relay is of bronze?"), 1);
				assert.equal(await totalOf("bronze"), 15);
				assert.equal(await totalOf("bronze lamp bell"), 0);
				assert.equal(await totalOf("relay lamp", { sources: [uriOf("1")] }), 6);
				assert.equal(await totalOf('"bronze bell"'), 13);
				assert.equal(await totalOf("what is it"), 0);
				await bringUp();
				assert.equal(await totalOf("bronze relay"), 1);
				await store.remove([uriOf("both.md")]);
			}
		});

		test("a passage counts by the words that its language has for those of the query", async (t) => {
			const { store } = await openTemporary(t, engine);
			const { search } = createRetriever({ store, embedder: undefined, pathOf: (uri) => uri });
			const german = "Die Wärter von Gannet Rock zünden am Abend die Lampen an.";
			const english = "The keepers light the lamps of Gannet Rock in the evening.";
			await store.replace([sampleDocument("a.md", [german, english])]);
			const totalOf = async (query: string) => (await search({ query }, never)).total;
			assert.equal(await totalOf("Gannet Rock"), 2);
			assert.equal(await totalOf("Wo ist der Wärter von Gannet Rock?"), 1);
			// A passage about who keeps them need not have the word keeper, too.
			await store.replace([sampleDocument("b.md", ["She keeps the ropes.", "The keeper has ropes."])]);
			assert.equal(await totalOf("who keeps the ropes"), 1);
		});
	});

test("passages that no leg handed over are counted as well, and LanceDB says how far it looked", async (t) => {
	for (const engine of ENGINES) {
		const { store } = await openTemporary(t, engine);
		const lamps = Array.from({ length: 250 }, (_, index) => `lamp number ${index}`);
		await store.replace([sampleDocument("a.md", lamps), sampleDocument("b.md", ["a storm at sea"])]);
		const { search } = createRetriever({ store, embedder: undefined, pathOf: (uri) => uri });
		const many = await search({ query: "lamp", limit: 3 }, never);
		assert.ok(engine === "memory" ? many.total === 250 : many.total >= 100 && many.isAtLeast);
		assert.deepEqual([many.isAtLeast, many.truncated], [engine === "memory" ? undefined : true, true]);
		const one = await search({ query: "storm" }, never);
		assert.deepEqual([one.total, one.isAtLeast, one.truncated], [1, undefined, false]);
		const quoted = await search({ query: '"number 249"' }, never);
		assert.deepEqual([quoted.hits.map(({ text }) => text), quoted.total], [["lamp number 249"], 1]);
	}
});
