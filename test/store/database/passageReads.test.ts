import assert from "node:assert/strict";
import { test } from "node:test";
import type { Quad } from "../../../src/core/knowledge/rdf.ts";
import { sampleDocument, uriOf } from "../sampleDocument.ts";
import { ENGINES, openTemporary } from "../temporaryStore.ts";

test("passages come back whole and in order", async (t) => {
	const { store } = await openTemporary(t);
	const texts = ["one\nline break", "", "three “quotes”\t\0 😀", "four"];
	await store.replace([sampleDocument("ä b.md", texts), sampleDocument("other.md", ["five"])]);
	assert.deepEqual(
		await store.passagesOf(uriOf("ä b.md")),
		texts.map((text, index) => ({
			id: `${uriOf("ä b.md")}#${index}`,
			uri: uriOf("ä b.md"),
			title: "Title of ä b.md",
			text,
			lines: { start: index + 1, end: index + 1 },
		})),
	);
	assert.deepEqual(await store.passagesOf(uriOf("none.md")), []);
});

test("passages are found by the resource that they verbalize", async (t) => {
	const { store } = await openTemporary(t);
	const resource = { id: "urn:it's", types: [], label: "It", lines: { start: 1, end: 1 } };
	await store.replace([
		sampleDocument("a.md", ["one"], { resources: [resource] }),
		sampleDocument("b.md", ["two"], { resources: [resource] }),
	]);
	const passages = await store.passagesAbout("urn:it's");
	assert.deepEqual(passages.map(({ text }) => text).sort(), ["one", "two"]);
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
const quad: Quad = {
	subject: { termType: "NamedNode", value: "urn:ada" },
	predicate: { termType: "NamedNode", value: "urn:name" },
	object: { termType: "Literal", value: "Ada", datatype: "urn:string" },
	lines,
};

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
