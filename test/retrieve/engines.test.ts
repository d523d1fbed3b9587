import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { formatEvidence } from "../../src/core/knowledge/evidence.ts";
import type { SearchQuery, SearchResult } from "../../src/core/knowledge/knowledge.ts";
import { createDescriptorLeg } from "../../src/retrieve/descriptorLeg.ts";
import { createRetriever } from "../../src/retrieve/search.ts";
import { createDescriptorIndex } from "../../src/search/descriptorIndex.ts";
import type { EngineKind, StoredDocument } from "../../src/store/port/store.ts";
import { sampleDocument, uriOf } from "../store/sampleDocument.ts";
import { ENGINES, MEMORY_BYTES, openIn, openTemporary } from "../store/temporaryStore.ts";
import { makeFolder } from "../support/folder.ts";
import { createDice } from "../support/random.ts";
import { times } from "../support/times.ts";
import { builtIn, documentsOf, handbook, QUESTIONS, searchIn, toDocument } from "./handbook.ts";

/** Notes of random words of the handbook: many that match nearly equally well. */
async function mixedNotes(count: number): Promise<StoredDocument[]> {
	const words = Object.values(handbook).flatMap(([, ...texts]) => texts.join(" ").split(" "));
	const types = Object.values(handbook).map(([type]) => type);
	const dice = createDice(7);
	const sentence = () => times(12, () => words[dice(words.length)]).join(" ");
	const typeAt = (number: number) => types[number % types.length] ?? "";
	const noteAt = (at: number) => toDocument(`mixed/${at}.md`, typeAt(at), times(5, sentence), builtIn);
	return Promise.all(times(count, noteAt));
}

test("memory and LanceDB agree on nine of the ten best passages, and on notices and totals", async (t) => {
	const documents = [...(await documentsOf(builtIn)), ...(await mixedNotes(80))];
	const [inMemory, onDisk] = await Promise.all(
		ENGINES.map(async (engine) => {
			const options = { embedder: builtIn, memoryBytes: MEMORY_BYTES[engine] };
			const store = await openIn(t, await makeFolder(t), options);
			await store.replace(documents);
			await store.optimize();
			// Searches must also find rows outside of the indexes, and no replaced ones.
			await store.replace([...(await documentsOf(builtIn)), ...documents.slice(20, 30)]);
			await store.remove(documents.slice(40, 45).map(({ record }) => record.uri));
			assert.equal(store.engine(), engine);
			return searchIn(store, builtIn);
		}),
	);
	assert.ok(inMemory && onDisk);
	const queries: SearchQuery[] = [
		...Object.keys(QUESTIONS).map((query) => ({ query })),
		{ query: 'where is the "sea water" pump' },
		{ query: 'the "no such words" alarm' },
		{ query: "pump water chain", types: ["Manoeuvre"] },
		{ query: "pump water chain", sources: ["mixed/1"] },
		{ query: "wie stark ist der Wind" },
		{ query: "xyzzy" },
	];
	let [shared, all] = [0, 0];
	for (const query of queries) {
		const [one, other]: SearchResult[] = await Promise.all([inMemory(query), onDisk(query)]);
		assert.ok(one && other);
		assert.deepEqual(other.notices, one.notices, query.query);
		const ids: ReadonlySet<string> = new Set(one.hits.map(({ id }) => id));
		assert.equal(other.hits.length, ids.size, query.query);
		all += ids.size;
		shared += other.hits.filter(({ id }) => ids.has(id)).length;
		const expected: number = other.isAtLeast ? Math.min(one.total, other.total) : one.total;
		assert.deepEqual([other.total, one.isAtLeast], [expected, undefined], query.query);
	}
	assert.ok(shared >= 0.9 * all, `${shared} of ${all}`);
});

const never = new AbortController().signal;
type Options = Omit<SearchQuery, "query">;

/** A store that is searched by words only. */
async function openWords(t: TestContext, engine: EngineKind) {
	const { store } = await openTemporary(t, engine);
	const retriever = createRetriever({ store, embedder: undefined, pathOf: (uri) => uri });
	const search = (query: string, options: Options = {}) => retriever.search({ query, ...options }, never);
	const totalOf = async (query: string, options?: Options) => (await search(query, options)).total;
	return { store, search, totalOf };
}

for (const engine of ENGINES)
	describe(`engine ${engine}`, () => {
		test("the total counts passages with all words of the query except its function words", async (t) => {
			const { store, totalOf } = await openWords(t, engine);
			const textAt = (index: number) => (index % 2 === 0 ? "a bronze bell" : "the relay of the lamp");
			await store.replace(times(25, (index) => sampleDocument(`${index}.md`, [textAt(index)])));
			for (const bringUp of [() => Promise.resolve(), () => store.optimize()]) {
				assert.equal(await totalOf("bronze relay"), 0);
				// These rows are not in LanceDB's indexes yet.
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

		test("the total counts a passage by the query's terms in the language of the passage", async (t) => {
			const { store, totalOf } = await openWords(t, engine);
			const german = "Die Wärter von Gannet Rock zünden am Abend die Lampen an.";
			const english = "The keepers light the lamps of Gannet Rock in the evening.";
			await store.replace([sampleDocument("a.md", [german, english])]);
			assert.equal(await totalOf("Gannet Rock"), 2);
			assert.equal(await totalOf("Wo ist der Wärter von Gannet Rock?"), 1);
			// "Who keeps" does not require the word "keeper".
			await store.replace([sampleDocument("b.md", ["She keeps the ropes.", "The keeper has ropes."])]);
			assert.equal(await totalOf("who keeps the ropes"), 1);
		});
	});

test("the total counts passages beyond the limit of hits, exactly in memory and at least some in LanceDB", async (t) => {
	for (const engine of ENGINES) {
		const { store, search } = await openWords(t, engine);
		const lamps = times(250, (index) => `lamp number ${index}`);
		await store.replace([sampleDocument("a.md", lamps), sampleDocument("b.md", ["a storm at sea"])]);
		const many = await search("lamp", { limit: 3 });
		assert.ok(engine === "memory" ? many.total === 250 : many.total >= 100 && many.isAtLeast);
		assert.deepEqual([many.isAtLeast, many.truncated], [engine === "memory" ? undefined : true, true]);
		const one = await search("storm");
		assert.deepEqual([one.total, one.isAtLeast, one.truncated], [1, undefined, false]);
		const quoted = await search('"number 249"');
		assert.deepEqual([quoted.hits.map(({ text }) => text), quoted.total], [["lamp number 249"], 1]);
	}
});

async function open(t: TestContext, { isDescribed = true } = {}) {
	const { store } = await openTemporary(t);
	await store.replace([
		sampleDocument("lamp", ["The lantern is cooled.", "Then the pins are tightened."]),
		sampleDocument("oven", ["Bread rises at night."]),
		sampleDocument("ship", ["The hull is painted.", "It floats."]),
	]);
	const index = createDescriptorIndex(0);
	for (const [name, purpose] of [
		["lamp", "Replace a broken bulb"],
		["oven", "Supply the crew with fresh food"],
	] as const) {
		const { hash = "" } = store.documents().get(uriOf(name)) ?? {};
		index.add(hash, { purpose, applicability: "", evaluation: "" }, new Float32Array());
	}
	const descriptors = createDescriptorLeg({
		...{ store, index: async () => (isDescribed ? index : undefined) },
		sight: { version: async () => "", whole: async (uris) => new Set(uris) },
	});
	const pathOf = (uri: string) => uri.slice(uriOf("").length);
	const retriever = createRetriever({ store, embedder: undefined, pathOf, descriptors });
	const ask = (query: string, options: Options = {}) => retriever.search({ query, ...options }, never);
	const search = async (query: string, options?: Options) =>
		(await ask(query, options)).hits.map(({ path, text, why }) => [path, text, why] as const);
	return { ask, search };
}

test("a description finds the first passage of its document, or the passage that words find, within filters", async (t) => {
	const { search } = await open(t);
	assert.deepEqual(await search("broken bulb"), [["lamp", "The lantern is cooled.", { descriptor: 1 }]]);
	assert.deepEqual(await search("pins, painted, bulb"), [
		["lamp", "Then the pins are tightened.", { text: 1, descriptor: 1 }],
		["ship", "The hull is painted.", { text: 2 }],
	]);
	assert.deepEqual(await search("broken bulb", { sources: ["oven"] }), []);
	assert.equal((await search("broken bulb", { sources: ["lamp"] })).length, 1);
	assert.deepEqual(await search("broken bulb", { types: ["Person"] }), []);
});

test("a threshold omits less likely hits; a token limit omits hits that exceed it, with a notice", async (t) => {
	const opened = await open(t);
	const ask = (options: Options) => opened.ask("pins, tightened, painted", options);
	const all = await ask({});
	const [best, second] = all.hits;
	assert.ok(best && second && best.score > second.score);
	const likely = await ask({ threshold: best.score });
	assert.deepEqual([likely.hits, likely.truncated], [[best], false]);
	assert.deepEqual((await ask({ threshold: 0 })).hits, all.hits);
	const short = await ask({ maxTokens: Math.ceil(formatEvidence(best).length / 4) });
	assert.deepEqual([short.hits, short.truncated], [[best], true]);
	assert.match(short.notices.join(), /1 passage was left out: .* 1?\d tokens/);
	assert.deepEqual((await ask({ maxTokens: 1 })).hits, []);
	assert.deepEqual((await ask({ maxTokens: 10_000 })).hits, all.hits);
});

test("a search of descriptions says if no document has a description", async (t) => {
	const { ask } = await open(t, { isDescribed: false });
	const { hits, notices } = await ask("pins", { index: "descriptor" });
	assert.deepEqual(hits, []);
	assert.ok(notices.some((notice) => notice.includes("Describe Documents")));
});
