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

async function open(t: TestContext) {
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
	return { store, index, describe };
}

function searchIn(store: Store, ports: Pick<DescriptorPorts, "index"> & Partial<DescriptorPorts>) {
	const descriptors = createDescriptorLeg({ store, sight: ALL, ...ports });
	const pathOf = (uri: string) => uri.slice(uriOf("").length);
	const { search } = createRetriever({ store, embedder: undefined, pathOf, descriptors });
	return async (query: string, options: Omit<SearchQuery, "query"> = {}) => {
		const { hits } = await search({ query, ...options }, never);
		return hits.map(({ path, text, why }) => [path, text, why] as const);
	};
}

test("a document is found by its description, and brings its first passage", async (t) => {
	const { store, index } = await open(t);
	const search = searchIn(store, { index: async () => index });
	assert.deepEqual(await search("broken bulb"), [["lamp", "The lantern is cooled.", { descriptor: 1 }]]);
});

test("where words found a passage of the document, that one is lifted", async (t) => {
	const { store, index } = await open(t);
	const search = searchIn(store, { index: async () => index });
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
	const search = searchIn(spy, { index: async () => undefined });
	assert.deepEqual(await search("painted"), [["ship", "The hull is painted.", { text: 1 }]]);
	assert.deepEqual(asked, []);
});

test("a filter on sources holds for descriptions too", async (t) => {
	const { store, index } = await open(t);
	const search = searchIn(store, { index: async () => index });
	assert.deepEqual(await search("broken bulb", { sources: ["oven"] }), []);
	assert.equal((await search("broken bulb", { sources: ["lamp"] })).length, 1);
});

test("a filter on classes holds for the passage that stands for a document", async (t) => {
	const { store, index } = await open(t);
	const search = searchIn(store, { index: async () => index });
	assert.deepEqual(await search("broken bulb", { types: ["Person"] }), []);
});

test("a document that is not seen whole is not found by what is said of all of it", async (t) => {
	const { store, index } = await open(t);
	let hidden = uriOf("lamp");
	const sight: Sight = {
		version: async () => hidden,
		whole: async (uris) => new Set(uris.filter((uri) => uri !== hidden)),
	};
	const search = searchIn(store, { index: async () => index, sight });
	assert.deepEqual(await search("broken bulb"), []);
	hidden = uriOf("oven");
	assert.equal((await search("broken bulb")).length, 1);
	assert.deepEqual(await search("fresh food"), []);
});

test("a description goes with its content: edited it serves no more, moved or copied it serves there", async (t) => {
	const { store, index } = await open(t);
	const search = searchIn(store, { index: async () => index });
	assert.equal((await search("broken bulb")).length, 1);
	const lamp = sampleDocument("lamp", ["The lantern is cooled.", "Then the pins are tightened."]);
	await store.replace([sampleDocument("lamp", ["Something else."])]);
	assert.deepEqual(await search("broken bulb"), []);
	const moved = (name: string) => ({ ...lamp, record: { ...lamp.record, uri: uriOf(name) } });
	await store.replace([moved("b"), moved("c")]);
	// The same text counts once.
	assert.deepEqual(
		(await search("broken bulb")).map(([path]) => path),
		["b"],
	);
	await store.remove([uriOf("b")]);
	assert.deepEqual(
		(await search("broken bulb")).map(([path]) => path),
		["c"],
	);
});

test("what is described between two searches is found by the next", async (t) => {
	const { store, index, describe } = await open(t);
	const search = searchIn(store, { index: async () => index });
	assert.deepEqual(await search("anti-fouling"), []);
	describe("ship", "Protect against fouling");
	assert.equal((await search("anti-fouling")).length, 1);
});

test("either index can be searched alone: what documents say, or what is said of them", async (t) => {
	const { store, index } = await open(t);
	const search = searchIn(store, { index: async () => index });
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
	const { store, index } = await open(t);
	const descriptors = createDescriptorLeg({ store, sight: ALL, index: async () => index });
	const pathOf = (uri: string) => uri.slice(uriOf("").length);
	const { search } = createRetriever({ store, embedder: undefined, pathOf, descriptors });
	const ask = (options: Omit<SearchQuery, "query">) =>
		search({ query: "pins, tightened, painted", ...options }, never);
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
	const { store } = await open(t);
	const descriptors = createDescriptorLeg({ store, sight: ALL, index: async () => undefined });
	const { search } = createRetriever({ store, embedder: undefined, pathOf: (uri) => uri, descriptors });
	const { hits, notices } = await search({ query: "pins", index: "descriptor" }, never);
	assert.deepEqual(hits, []);
	assert.ok(notices.some((notice) => notice.includes("Describe Documents")));
});
