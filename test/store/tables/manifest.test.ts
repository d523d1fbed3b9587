import assert from "node:assert/strict";
import { test } from "node:test";
import type { DocumentRecord } from "../../../src/core/knowledge/document.ts";
import { literal, namedNode, type Quad, subjectOf, type Term } from "../../../src/core/knowledge/rdf.ts";
import { documentsOf, entryOf, readEntry, recordOf } from "../../../src/store/port/store.ts";
import { readQuads, writeQuads } from "../../../src/store/tables/documentTable.ts";
import { createManifest } from "../../../src/store/tables/manifest.ts";

const PLAIN: DocumentRecord = {
	...{ uri: "file:///w/a.md", format: "markdown", hash: "1f", size: 10, modifiedMs: 1000, title: "A" },
	...{ state: { kind: "indexed" }, passages: 3, resources: 2, quads: 5, problems: [] },
};

const LINES = { start: 1, end: 1 };
const SAID = '"state":{"kind":"indexed"} "passages":9,"resources":9,"quads":9,"problems":[]}';

const records: Record<string, DocumentRecord> = {
	"a plain one": PLAIN,
	"one that waits for its vectors": { ...PLAIN, isPending: true },
	"one with a problem": { ...PLAIN, problems: [{ severity: "error", message: SAID, lines: LINES }] },
	"one that was skipped": { ...PLAIN, state: { kind: "skipped", reason: SAID }, passages: 0 },
	"one that failed as if it ended": { ...PLAIN, state: { kind: "failed", reason: `x${SAID}` } },
	"one with a title that looks like an end": { ...PLAIN, title: SAID },
	"one with pages": { ...PLAIN, parts: [{ name: SAID, line: 1, lines: 2 }] },
	"one with letters of other scripts": { ...PLAIN, title: "灯台 é 😀" },
};

for (const [name, record] of Object.entries(records))
	test(`${name} is kept as it is read again`, () => {
		const kept = entryOf(record, 7);
		const read = readEntry(record.uri, 7, JSON.stringify(record));
		assert.deepEqual(read, kept);
		assert.deepEqual(recordOf(read), record);
		assert.equal(read.isSound, record.state.kind === "indexed" && record.problems.length === 0);
	});

test("keys in another order are read all the same", () => {
	const { passages, ...rest } = PLAIN;
	const read = readEntry(PLAIN.uri, 7, JSON.stringify({ ...rest, passages }));
	assert.equal(read.passages, 3);
	assert.deepEqual(recordOf(read), PLAIN);
});

test("a record is the same as long as somebody holds it, and has the URI of its entry", () => {
	const entry = entryOf(PLAIN, 7);
	const documents = documentsOf([entry, { ...entry, uri: "file:///here/a.md" }]);
	const record = documents.get(PLAIN.uri);
	assert.equal(documents.get(PLAIN.uri), record);
	assert.deepEqual([...documents.records()], [PLAIN, { ...PLAIN, uri: "file:///here/a.md" }]);
	assert.equal(documents.get("file:///here/a.md")?.uri, "file:///here/a.md");
});

test("the sums follow what is set and deleted", () => {
	const pending = { ...PLAIN, uri: "file:///w/b.md", isPending: true } as const;
	const manifest = createManifest([entryOf(PLAIN, 1), entryOf(pending, 2)]);
	const sums = () => [manifest.documents.size, manifest.passages, manifest.pending];
	assert.deepEqual(sums(), [2, 6, 3]);
	manifest.set([entryOf({ ...PLAIN, passages: 4 }, 3)]);
	assert.deepEqual([...sums(), manifest.uriOf(1), manifest.passagesOf(3)], [2, 7, 3, undefined, 4]);
	manifest.delete(["file:///w/b.md", "file:///w/none.md"]);
	assert.deepEqual([...sums(), manifest.revisionOf("file:///w/b.md")], [1, 4, 0, undefined]);
});

function quadWith(object: Term, rest: Partial<Quad> = {}): Quad {
	const lines = { start: 3, end: 8 };
	return { subject: subjectOf("_:b0"), predicate: namedNode("urn:p"), object, lines, ...rest };
}

const quads: Record<string, Quad> = {
	"an IRI": quadWith(namedNode("urn:o")),
	"a blank node": quadWith(subjectOf("_:c14n1")),
	"a literal that looks like a blank node": quadWith(literal("_:b0", "urn:string")),
	"a literal with a language": quadWith(literal("", undefined, "de-at")),
	"a named graph": quadWith(namedNode("urn:o"), { graph: subjectOf("_:g") }),
};

for (const [name, quad] of Object.entries(quads))
	test(`${name} comes back as it was written`, () => {
		assert.deepEqual(readQuads(writeQuads([quad])), [quad]);
	});

test("a term that occurs often is written once", () => {
	const text = writeQuads(Object.values(quads));
	assert.deepEqual(readQuads(text), Object.values(quads));
	assert.equal(text.split("urn:p").length, 2);
});
