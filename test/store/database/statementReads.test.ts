import assert from "node:assert/strict";
import { test } from "node:test";
import type { Quad } from "../../../src/core/knowledge/rdf.ts";
import { sampleDocument, uriOf } from "../sampleDocument.ts";
import { openTemporary } from "../temporaryStore.ts";

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
