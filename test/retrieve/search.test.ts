import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import type { LineRange } from "../../src/core/knowledge/citation.ts";
import { formatEvidence } from "../../src/core/knowledge/evidence.ts";
import type { Hit, SearchQuery, SearchResult } from "../../src/core/knowledge/knowledge.ts";
import { createDescriptorLeg } from "../../src/retrieve/descriptorLeg.ts";
import { createRetriever } from "../../src/retrieve/search.ts";
import { createDescriptorIndex } from "../../src/search/descriptorIndex.ts";
import type { EngineKind, StoredDocument } from "../../src/store/port/store.ts";
import { sampleDocument, uriOf } from "../store/sampleDocument.ts";
import { ENGINES, MEMORY_BYTES, openIn, openTemporary } from "../store/temporaryStore.ts";
import { makeFolder } from "../support/folder.ts";
import { createDice } from "../support/random.ts";
import { times } from "../support/times.ts";
import { indexFiles } from "./filesIndex.ts";
import { builtIn, documentsOf, folder, handbook, QUESTIONS, searchIn, toDocument } from "./handbook.ts";

async function openHandbook(t: TestContext) {
	const store = await openIn(t, await makeFolder(t), { embedder: builtIn });
	await store.replace(await documentsOf(builtIn));
	return { store, search: searchIn(store, builtIn) };
}

const placeOf = (hit: Hit | undefined) => `${hit?.path}:${hit?.lines.start}`;

test("the best hit is the passage that answers the question, before and after the store is optimized", async (t) => {
	const { store, search } = await openHandbook(t);
	for (const bringUp of [() => Promise.resolve(), () => store.optimize()]) {
		await bringUp();
		for (const [query, expected] of Object.entries(QUESTIONS))
			assert.equal(placeOf((await search({ query })).hits[0]), expected, query);
	}
});

test("a hit has its title, text, lines, resource and ranks", async (t) => {
	const { search } = await openHandbook(t);
	const { hits, notices } = await search({ query: "cooling pump sea water", limit: 1 });
	const [{ score, ...hit } = assert.fail("nothing was found")] = hits;
	assert.deepEqual(notices, []);
	const nameless = await search({ query: "windlass breaker", limit: 1 });
	assert.equal(nameless.hits[0]?.iri, undefined);
	assert.ok(score > 0.9 && score <= 1, `${score}`);
	const path = "engine/cooling.md";
	assert.deepEqual(hit, {
		...{ id: `${folder}${path}#0`, uri: folder + path, path, iri: `https://ship.example/${path}` },
		...{ lines: { start: 1, end: 9 }, title: "engine cooling md", why: { text: 1, vector: 1 } },
		text: "The cooling pump circulates sea water through the heat exchanger.",
	});
});

test("vectors count less if the embedding model has not learned the question's language", async (t) => {
	const { store, search } = await openHandbook(t);
	const query = { query: "What shall we do when the motor is overheated?" };
	const { hits } = await search(query);
	const unlearned = await searchIn(store, { ...builtIn, languages: new Set(["de"]) })(query);
	const nearest = hits.find(({ why }) => why.vector && !why.text) ?? assert.fail("words found all");
	const same = unlearned.hits.find(({ id }) => id === nearest.id);
	assert.ok((same?.score ?? 0) < nearest.score / 2, `${same?.score} of ${nearest.score}`);
});

test("a long passage is shortened to excerpts about the question, with their lines and the table's header", async (t) => {
	const rows = times(60, (index) => `${100 + index};Chair ${index};wood`);
	rows[40] = "140;Hazel side table;birch";
	const prose = times(30, (index) => `The crew of boat ${index} met on the pier.`);
	prose[3] = "The harbour master is Ida Thorn.";
	prose[25] = "Her deputy is Nils Ferring.";
	const files = {
		"goods.csv": ["number;name;wood", ...rows, ""].join("\n"),
		"crew.md": `# Crew\n\n${prose.join(" ")}\n`,
	};
	const retriever = await indexFiles(t, files, { embedder: builtIn });
	const ask = async (query: string, isShort: boolean) => {
		const asked = { query, wantsAnswer: true, ...(isShort && { mostWords: 120 }) };
		const { hits } = await retriever.search(asked, new AbortController().signal);
		return hits[0] ?? assert.fail(query);
	};
	const wordsIn = ({ text }: Hit) => text.split(/\s+/).length;
	const row = "Which wood is the Hazel side table made of?";
	const table = await ask(row, true);
	assert.match(table.text, /^number.*\n(?:.*\n)*.*Hazel side table/);
	assert.ok(wordsIn(table) <= 130 && wordsIn(await ask(row, false)) > 180, `${wordsIn(table)}`);
	const { start, end } = table.lines as LineRange;
	assert.ok(start > 2 && start <= 42 && end >= 42 && end - start < 40, `${start}-${end}`);
	const both = await ask("Who is the harbour master and who is her deputy?", true);
	assert.match(both.text, /Ida Thorn.*\n…\n.*Nils Ferring/s);
});

test("the hits of several questions are merged without duplicates", async (t) => {
	const { search } = await openHandbook(t);
	const queries = ["Who is the captain?", "How much chain for anchoring?"];
	const { hits } = await search({ query: "How do I send an emergency signal?", queries, limit: 3 });
	assert.deepEqual(hits.map(placeOf), ["radio/distress.md:1", "crew/ada.md:1", "deck/anchor.md:1"]);
	const all = await search({ query: "anchor chain", queries: ["chain of the anchor"], limit: 20 });
	assert.equal(new Set(all.hits.map(({ id }) => id)).size, all.hits.length);
});

test("a result without good matches says so, and has the requested number of hits", async (t) => {
	const { store, search } = await openHandbook(t);
	const texts = times(60, (index) => `Rule ${index} of the harbour: pay the fee of pier ${index}.`);
	await store.replace([await toDocument("harbour.md", "Rules", texts, builtIn)]);
	const cake = { query: "recipe for chocolate cake with almonds", limit: 5 };
	const { hits, total, isWeak, notices } = await search(cake);
	assert.deepEqual([hits.length, total, isWeak, notices.length], [5, 0, true, 1]);
	assert.match(notices.join(), /There are no good matches/);
	const some = await search({ query: "what does the harbour say about the fee of a pier?" });
	assert.deepEqual([some.isWeak, some.notices, some.truncated], [undefined, [], true]);
});

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
