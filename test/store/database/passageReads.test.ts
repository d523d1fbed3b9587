import assert from "node:assert/strict";
import { test } from "node:test";
import { literal, namedNode, quad as quadOf } from "../../../src/core/knowledge/rdf.ts";
import { sampleDocument, uriOf } from "../sampleDocument.ts";
import { ENGINES, openTemporary } from "../temporaryStore.ts";

test("passages come back whole and in order", async (t) => {
	const { store } = await openTemporary(t);
	const document = sampleDocument("ä b.md", ["one\nline break", "", "three “quotes”\t\0 😀", "four"]);
	await store.replace([document, sampleDocument("other.md", ["five"])]);
	const uri = uriOf("ä b.md");
	const whole = document.passages.map((passage, index) => ({ id: `${uri}#${index}`, uri, ...passage }));
	assert.deepEqual(await store.passagesOf(uri), whole);
	assert.deepEqual(await store.passagesOf(uriOf("none.md")), []);
});

test("passages are found by the resource that they verbalize", async (t) => {
	const { store } = await openTemporary(t);
	const resource = { id: "urn:it's", types: [], label: "It", lines: { start: 1, end: 1 } };
	const documents = ["a", "b"].map((name) => sampleDocument(`${name}.md`, [name], { resources: [resource] }));
	await store.replace(documents);
	const passages = await store.passagesAbout("urn:it's");
	assert.deepEqual(passages.map(({ text }) => text).sort(), ["a", "b"]);
	assert.deepEqual(await store.passagesAbout("urn:it"), []);
});

test("a passage that is too long for the memory is read from the table, beside others", async (t) => {
	const { store } = await openTemporary(t);
	const texts = ["word", `word ${"x".repeat(2 ** 20)}`];
	await store.replace([sampleDocument("a.md", texts), sampleDocument("b.md", texts.slice(0, 1))]);
	const { matches } = await store.matchText("word", { limit: 10 });
	const passages = await store.read(matches.map(({ row }) => row));
	assert.deepEqual([...passages.values()].map(({ text }) => text).sort(), ["word", ...texts]);
	await store.remove([uriOf("a.md")]);
	assert.equal((await store.read(matches.map(({ row }) => row))).size, 1);
});

test("a row that was found before a compaction is missed and never mistaken for another", async (t) => {
	const { store } = await openTemporary(t);
	for (const name of ["a.md", "b.md", "c.md"])
		await store.replace([sampleDocument(name, [`word in ${name}`])]);
	const { matches } = await store.matchText("word", { limit: 10 });
	await store.remove([uriOf("a.md")]);
	await store.optimize();
	const passages = await store.read(matches.map(({ row }) => row));
	for (const { uri, text } of passages.values()) assert.equal(uri, uriOf(text.replace("word in ", "")));
	assert.ok([...passages.values()].every(({ uri }) => uri !== uriOf("a.md")));
});

for (const engine of ENGINES)
	test(`what is short of a passage comes back as it was, found by the engine of ${engine}`, async (t) => {
		const { store } = await openTemporary(t, engine);
		const document = sampleDocument("a.md", ["Die Ventile schließen\nund öffnen."]);
		const [passage] = document.passages;
		const odd = { title: 'Two\nlines: "é" [1]', lines: { start: 7, end: 9 }, resource: 'urn:it\'s\n"odd"' };
		await store.replace([{ ...document, passages: [{ text: "", ...passage, ...odd }] }]);
		const { matches } = await store.matchText("Ventile", { limit: 1 });
		const found = [...(await store.read(matches.map(({ row }) => row))).values()];
		for (const [read] of [found, await store.passagesOf(uriOf("a.md"))]) {
			const { title, text, lines, resource } = read ?? {};
			assert.deepEqual({ title, text, lines, resource }, { text: passage?.text, ...odd });
		}
	});

const lines = { start: 2, end: 3 };
const ada = { id: "urn:ada", types: ["urn:Person"], label: "Ada O'Byron", lines };
const quad = { ...quadOf(namedNode("urn:ada"), "urn:name", literal("Ada"), lines) };

test("statements come back as they were written", async (t) => {
	const { store } = await openTemporary(t);
	await store.replace([sampleDocument("a.md", ["Ada"], { resources: [ada], quads: [quad] })]);
	const statements = await store.statementsOf([uriOf("a.md"), uriOf("b.md")]);
	assert.deepEqual([...statements], [[uriOf("a.md"), { resources: [ada], quads: [quad] }]]);
	assert.equal((await store.statementsOf([])).size, 0);
});

test("resources are found by their label, in any case", async (t) => {
	const { store } = await openTemporary(t);
	const other = { ...ada, id: "urn:other", label: "Other" };
	await store.replace([sampleDocument("a.md", ["Ada"], { resources: [ada, other] })]);
	assert.deepEqual(await store.resourcesLabelled(" ada o'byron"), [{ uri: uriOf("a.md"), resource: ada }]);
	assert.deepEqual(await store.resourcesLabelled("ada"), []);
	assert.deepEqual(await store.resourcesLabelled("%"), []);
});
