import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleDocument, uriOf, vectorOf } from "./sampleDocument.ts";
import { makeFolder, openIn, openTemporary, textsFor } from "./temporaryStore.ts";

test("an empty store answers", async (t) => {
	const { store } = await openTemporary(t);
	assert.deepEqual(await textsFor(store, "anything"), []);
	assert.deepEqual(await store.matchVector(vectorOf("a"), { limit: 5 }), []);
	assert.equal(await store.typicalCosine(vectorOf("a")), 0);
	await store.optimize();
});

test("what was written is found by its words at once, and after the indexes are brought up", async (t) => {
	const { store } = await openTemporary(t);
	await store.replace([sampleDocument("a.md", ["The engine computes.", "Valves close."])]);
	assert.deepEqual(await textsFor(store, "valve"), ["Valves close."]);
	await store.optimize();
	assert.deepEqual(await textsFor(store, "valve"), ["Valves close."]);
});

test("titles are searched as texts are", async (t) => {
	const { store } = await openTemporary(t);
	await store.replace([sampleDocument("a.md", ["one", "two"])]);
	assert.deepEqual(await textsFor(store, "title"), ["one", "two"]);
});

test("vectors are ranked by their cosine, with and without an index", async (t) => {
	const { store } = await openTemporary(t);
	await store.replace([sampleDocument("a.md", ["aaaa", "bbbb", "aaab"])]);
	for (const bringUp of [() => Promise.resolve(), () => store.optimize()]) {
		await bringUp();
		const matches = await store.matchVector(vectorOf("a"), { limit: 3 });
		const passages = await store.read(matches.map(({ row }) => row));
		assert.deepEqual(
			matches.map(({ row }) => passages.get(row)?.text),
			["aaaa", "aaab", "bbbb"],
		);
		assert.ok(Math.abs((matches[0]?.score ?? 0) - 1) < 1e-3);
	}
});

test("the typical cosine is the median over the passages", async (t) => {
	const { store } = await openTemporary(t);
	await store.replace([sampleDocument("a.md", ["aaaa", "bbbb", "bbbb", "cccc", "ab"])]);
	assert.equal(await store.typicalCosine(vectorOf("a")), 0);
	assert.equal(await store.typicalCosine(vectorOf("b")).then(Math.fround), Math.fround(Math.SQRT1_2));
});

test("a text without a vector is found by its words, and breaks no search by vectors", async (t) => {
	const { store } = await openTemporary(t);
	const document = sampleDocument("a.md", ["unknown", "aaaa"]);
	document.vectors.fill(0, 0, 4);
	await store.replace([document]);
	await store.optimize();
	assert.deepEqual(await textsFor(store, "unknown"), ["unknown"]);
	assert.equal((await store.matchVector(vectorOf("a"), { limit: 5 })).length, 1);
	assert.deepEqual(await store.matchVector(new Float32Array(4), { limit: 5 }), []);
});

test("a search can be limited to documents, whatever their names", async (t) => {
	const { store } = await openTemporary(t);
	const names = ["it's.md", '"; DROP TABLE passages; --.md', "plain.md"];
	await store.replace(names.map((name) => sampleDocument(name, [`word ${name}`])));
	for (const name of names) assert.deepEqual(await textsFor(store, "word", [uriOf(name)]), [`word ${name}`]);
	assert.deepEqual(await textsFor(store, "word", []), []);
	assert.deepEqual(await textsFor(store, "word", [uriOf("unknown.md")]), []);
	await store.remove([uriOf("it's.md")]);
	assert.equal(store.documents().size, 2);
});

test("a search can be limited to classes, by IRI or last segment, in any case", async (t) => {
	const { store } = await openTemporary(t);
	const lines = { start: 1, end: 1 };
	const person = { id: "urn:ada", types: ["https://schema.org/Person"], label: "Ada", lines };
	const engine = { id: "urn:engine", types: ["http://example.org/tech#Engine's"], label: "Engine", lines };
	await store.replace([
		sampleDocument("ada.md", ["word ada"], { resources: [person] }),
		sampleDocument("engine.md", ["word engine"], { resources: [engine] }),
		sampleDocument("plain.md", ["word plain"]),
	]);
	const count = async (...types: string[]) => (await store.matchText("word", { limit: 10, types })).length;
	assert.equal(await count("person"), 1);
	assert.equal(await count("HTTPS://schema.org/Person"), 1);
	assert.equal(await count("engine's", "Person"), 2);
	assert.equal(await count("Thing"), 0);
	assert.equal((await store.matchVector(vectorOf("word"), { limit: 10, types: ["Person"] })).length, 1);
});

for (const query of [
	"",
	" ",
	"+-*/\\()[]{}\"'~^:!&|?",
	"AND OR NOT",
	"word AND (",
	"\0",
	"\ud800",
	"😀",
	"'; DROP TABLE passages; --",
	"a".repeat(100_000),
	"word ".repeat(50_000),
]) {
	test(`the query ${JSON.stringify(query.slice(0, 30))} is only words`, async (t) => {
		const { store } = await openTemporary(t);
		await store.replace([sampleDocument("a.md", ["a word"])]);
		assert.deepEqual(await textsFor(store, query), query.includes("word") ? ["a word"] : []);
	});
}

test("without an embedder the words are searched", async (t) => {
	const store = await openIn(t, await makeFolder(t), { embedder: undefined });
	await store.replace([{ ...sampleDocument("a.md", ["only words"]), vectors: new Float32Array() }]);
	await store.optimize();
	assert.deepEqual(await textsFor(store, "words"), ["only words"]);
	assert.deepEqual(await store.matchVector(vectorOf("a"), { limit: 5 }), []);
	assert.equal(await store.typicalCosine(vectorOf("a")), 0);
});
