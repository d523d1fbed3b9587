import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { formatEvidence } from "../../src/core/knowledge/evidence.ts";
import type { SearchQuery } from "../../src/core/knowledge/knowledge.ts";
import { createDescriptorLeg, type DescriptorPorts, type Sight } from "../../src/retrieve/descriptorLeg.ts";
import { createRetriever } from "../../src/retrieve/search.ts";
import { createDescriptorIndex } from "../../src/search/descriptorIndex.ts";
import type { Store } from "../../src/store/port/store.ts";
import { sampleDocument, uriOf } from "../store/sampleDocument.ts";
import { openTemporary } from "../store/temporaryStore.ts";

const never = new AbortController().signal;
const ALL: Sight = { version: async () => "", whole: async (uris) => new Set(uris) };

async function open(t: TestContext, { isDescribed = true, sight = ALL } = {}) {
	const { store } = await openTemporary(t);
	await store.replace([
		sampleDocument("lamp", ["The lantern is cooled.", "Then the pins are tightened."]),
		sampleDocument("oven", ["Bread rises at night."]),
		sampleDocument("ship", ["The hull is painted.", "It floats."]),
	]);
	const index = createDescriptorIndex(0);
	const describe = (name: string, purpose: string) => {
		const { hash = "" } = store.documents().get(uriOf(name)) ?? {};
		index.add(hash, { purpose, applicability: "", evaluation: "" }, new Float32Array());
	};
	describe("lamp", "Replace a broken bulb");
	describe("oven", "Supply the crew with fresh food");
	const ask = askIn(store, { sight, index: async () => (isDescribed ? index : undefined) });
	const search = async (query: string, options: Omit<SearchQuery, "query"> = {}) => {
		const { hits } = await ask(query, options);
		return hits.map(({ path, text, why }) => [path, text, why] as const);
	};
	return { store, describe, ask, search };
}

function askIn(store: Store, ports: Omit<DescriptorPorts, "store">) {
	const descriptors = createDescriptorLeg({ store, ...ports });
	const pathOf = (uri: string) => uri.slice(uriOf("").length);
	const { search } = createRetriever({ store, embedder: undefined, pathOf, descriptors });
	return (query: string, options: Omit<SearchQuery, "query"> = {}) => search({ query, ...options }, never);
}

test("a document is found by its description, and brings its first passage", async (t) => {
	const { search } = await open(t);
	assert.deepEqual(await search("broken bulb"), [["lamp", "The lantern is cooled.", { descriptor: 1 }]]);
});

test("where words found a passage of the document, that one is lifted", async (t) => {
	const { search } = await open(t);
	assert.deepEqual(await search("pins, painted, bulb"), [
		["lamp", "Then the pins are tightened.", { text: 1, descriptor: 1 }],
		["ship", "The hull is painted.", { text: 2 }],
	]);
});

test("without descriptions there is no such leg: the store is asked nothing for it", async (t) => {
	const { store } = await open(t);
	const asked: string[] = [];
	const spy: Store = Object.create(store, {
		urisOf: { value: () => asked.push("urisOf") },
		firstRows: { value: () => asked.push("firstRows") },
		typicalCosine: { value: () => asked.push("typicalCosine") },
	});
	const ask = askIn(spy, { sight: ALL, index: async () => undefined });
	assert.deepEqual((await ask("painted")).hits[0]?.why, { text: 1 });
	assert.deepEqual(asked, []);
});

test("filters on sources and classes hold for descriptions too", async (t) => {
	const { search } = await open(t);
	assert.deepEqual(await search("broken bulb", { sources: ["oven"] }), []);
	assert.equal((await search("broken bulb", { sources: ["lamp"] })).length, 1);
	assert.deepEqual(await search("broken bulb", { types: ["Person"] }), []);
});

test("a document that is not seen whole is not found by what is said of all of it", async (t) => {
	let hidden = uriOf("lamp");
	const sight: Sight = {
		version: async () => hidden,
		whole: async (uris) => new Set(uris.filter((uri) => uri !== hidden)),
	};
	const { search } = await open(t, { sight });
	assert.deepEqual(await search("broken bulb"), []);
	hidden = uriOf("oven");
	assert.equal((await search("broken bulb")).length, 1);
	assert.deepEqual(await search("fresh food"), []);
});

test("a description goes with its content: edited it serves no more, moved or copied it serves there", async (t) => {
	const { store, search } = await open(t);
	assert.equal((await search("broken bulb")).length, 1);
	const lamp = sampleDocument("lamp", ["The lantern is cooled.", "Then the pins are tightened."]);
	await store.replace([sampleDocument("lamp", ["Something else."])]);
	assert.deepEqual(await search("broken bulb"), []);
	const moved = (name: string) => ({ ...lamp, record: { ...lamp.record, uri: uriOf(name) } });
	await store.replace([moved("b"), moved("c")]);
	// The same text counts once.
	const pathsFor = async (query: string) => (await search(query)).map(([path]) => path);
	assert.deepEqual(await pathsFor("broken bulb"), ["b"]);
	await store.remove([uriOf("b")]);
	assert.deepEqual(await pathsFor("broken bulb"), ["c"]);
});

test("what is described between two searches is found by the next", async (t) => {
	const { search, describe } = await open(t);
	assert.deepEqual(await search("anti-fouling"), []);
	describe("ship", "Protect against fouling");
	assert.equal((await search("anti-fouling")).length, 1);
});

test("either index can be searched alone: what documents say, or what is said of them", async (t) => {
	const { search } = await open(t);
	const query = "pins, painted, bulb, food";
	assert.deepEqual(await search(query, { index: "content" }), [
		["lamp", "Then the pins are tightened.", { text: 1 }],
		["ship", "The hull is painted.", { text: 2 }],
	]);
	const described = await search(query, { index: "descriptor" });
	assert.deepEqual(described.map(([path, , why]) => [path, why]).sort(), [
		["lamp", { descriptor: described.findIndex(([path]) => path === "lamp") + 1 }],
		["oven", { descriptor: described.findIndex(([path]) => path === "oven") + 1 }],
	]);
	assert.deepEqual(await search(query, { index: "both" }), await search(query));
	assert.deepEqual(await search("painted", { index: "descriptor" }), []);
});

test("a threshold leaves out what is less likely, and a limit of tokens what does not fit, and says so", async (t) => {
	const opened = await open(t);
	const ask = (options: Omit<SearchQuery, "query">) => opened.ask("pins, tightened, painted", options);
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

test("where descriptions alone are searched and there are none, the answer says so", async (t) => {
	const { ask } = await open(t, { isDescribed: false });
	const { hits, notices } = await ask("pins", { index: "descriptor" });
	assert.deepEqual(hits, []);
	assert.ok(notices.some((notice) => notice.includes("Describe Documents")));
});
