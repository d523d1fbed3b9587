import assert from "node:assert/strict";
import { readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { connect } from "@lancedb/lancedb";
import { Field, Schema, Utf8 } from "apache-arrow";
import type { PassageSubject, Store } from "../../../src/store/port/store.ts";
import { embedder, sampleDocument, uriOf, vectorOf } from "../sampleDocument.ts";
import { ENGINES, openFilled, openIn, openTemporary, textsFor, textsOf } from "../temporaryStore.ts";

const UNREADABLE = { code: "STORE_UNREADABLE", message: /Rebuild Index/ };

test("every method of an unreadable index fails until the index is cleared", async (t) => {
	const { folder } = await openFilled(t, { "a.md": ["one"] });
	const versions = join(folder, "documents.lance", "_versions");
	for (const name of await readdir(versions)) await writeFile(join(versions, name), "garbage");
	const broken = await openIn(t, folder);
	assert.throws(() => broken.documents(), UNREADABLE);
	await assert.rejects(broken.matchText("one", { limit: 1 }), UNREADABLE);
	await assert.rejects(broken.replace([sampleDocument("a.md", ["two"])]), UNREADABLE);
	await broken.clear();
	await broken.replace([sampleDocument("a.md", ["two"])]);
	assert.deepEqual(await textsFor(broken, "two"), ["two"]);
});

test("a document with another embedder's vectors is stored as pending, without vectors", async (t) => {
	const { folder, store } = await openFilled(t, { "a.md": ["aaaa"] });
	const other = await openIn(t, folder, { embedder: { id: "other-2", dimensions: 4 } });
	await other.replace([{ ...sampleDocument("b.md", ["bbbb"]), embedder: "other-2" }]);
	assert.deepEqual(await textsFor(other, "bbbb"), ["bbbb"]);
	assert.equal(other.documents().get(uriOf("b.md"))?.isPending, true);
	assert.equal((await store.matchVector(vectorOf("b"), { limit: 5 })).length, 1);
	await other.clear();
	await other.replace([{ ...sampleDocument("b.md", ["bbbb"]), embedder: "other-2" }]);
	assert.equal((await other.matchVector(vectorOf("b"), { limit: 5 })).length, 1);
});

test("an index of a newer version fails with a message and is not changed", async (t) => {
	const { folder } = await openFilled(t, { "a.md": ["one"] });
	const connection = await connect(folder);
	const metadata = new Map([["copilot-ld.schema", "99"]]);
	const schema = new Schema([new Field("uri", new Utf8())], metadata);
	await connection.createEmptyTable("documents", schema, { mode: "overwrite" });
	const older = await openIn(t, folder);
	const reader = await openIn(t, folder, { embedder, readOnly: "It is shared." });
	for (const { documents } of [older, reader])
		assert.throws(documents, { code: "STORE_NEWER", message: /newer version.*left as it is/ });
	await assert.rejects(older.replace([sampleDocument("b.md", ["two"])]), { code: "STORE_NEWER" });
	await assert.rejects(older.refresh(), { code: "STORE_NEWER" });
	const documents = await connection.openTable("documents");
	assert.equal((await documents.schema()).metadata.get("copilot-ld.schema"), "99");
	assert.deepEqual((await connection.tableNames()).sort(), ["documents", "passages"]);
});

test("commits of other processes are seen, whatever the times of their files", async (t) => {
	const { folder, store } = await openTemporary(t);
	const other = await openIn(t, folder);
	const versions = join(folder, "documents.lance", "_versions");
	const [old, now] = [new Date(Date.now() - 60_000), new Date()];
	for (const [word, time] of Object.entries({ fresh: old, aged: now, settled: old })) {
		// Reads twice, so that the time is cached; the commit follows at once.
		await utimes(versions, time, time);
		for (let look = 0; look < 2; look++) await textsFor(store, word);
		await other.replace([sampleDocument("a.md", [word])]);
		if (time === now) await utimes(versions, now, now);
		assert.deepEqual(await textsFor(store, word), [word]);
	}
});

test("a passage too long for memory is read from the table, together with others", async (t) => {
	const { store } = await openTemporary(t);
	const texts = ["word", `word ${"x".repeat(2 ** 20)}`];
	await store.replace([sampleDocument("a.md", texts), sampleDocument("b.md", texts.slice(0, 1))]);
	const found = await store.matchText("word", { limit: 10 });
	assert.deepEqual((await textsOf(store, found)).sort(), ["word", ...texts]);
	await store.remove([uriOf("a.md")]);
	assert.deepEqual(await textsOf(store, found), ["word"]);
});

test("a row found before a compaction is read unchanged or missing, never as another row", async (t) => {
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
	test(`stored passages are read unchanged and in order (${engine})`, async (t) => {
		const { store } = await openTemporary(t, engine);
		const texts = ["Die Ventile schließen\nund öffnen.", "", "three “quotes”\t\0 😀"];
		const document = sampleDocument("ä b.md", texts);
		const odd = { title: 'Two\nlines: "é" [1]', lines: { start: 7, end: 9 }, resource: 'urn:it\'s\n"odd"' };
		const passages = document.passages.map((passage, at) => (at === 0 ? { ...passage, ...odd } : passage));
		await store.replace([{ ...document, passages }, sampleDocument("other.md", ["five"])]);
		const uri = uriOf("ä b.md");
		const whole = passages.map((passage, index) => ({ id: `${uri}#${index}`, uri, ...passage }));
		assert.deepEqual(await store.passagesOf(uri), whole);
		assert.deepEqual(await store.passagesOf(uriOf("none.md")), []);
		const { matches } = await store.matchText("Ventile", { limit: 1 });
		const [found] = (await store.read(matches.map(({ row }) => row))).values();
		const { title, text, lines, resource } = found ?? {};
		assert.deepEqual({ title, text, lines, resource }, { text: texts[0], ...odd });
	});

const lines = { start: 2, end: 3 };
const ada = { id: "urn:ada", types: ["urn:Person"], label: "Ada O'Byron", lines };

test("a label finds resources, ignoring case, and a resource finds passages about it", async (t) => {
	const { store } = await openTemporary(t);
	const other = { ...ada, id: "urn:other", label: "Other" };
	const labelled = { resources: [{ ...ada, label: "Ada" }] };
	const both = { resources: [ada, other] };
	await store.replace([sampleDocument("a.md", ["a.md"], both), sampleDocument("b.md", ["b.md"], labelled)]);
	assert.deepEqual(await store.resourcesLabelled(" ada o'byron"), [{ uri: uriOf("a.md"), resource: ada }]);
	assert.deepEqual(await store.resourcesLabelled("%"), []);
	assert.deepEqual((await store.passagesAbout(ada.id)).map(({ text }) => text).sort(), ["a.md", "b.md"]);
	assert.deepEqual(await store.passagesAbout("urn:it's"), []);
});

function about(name: string, id: string, type: string) {
	const resource = { id, types: [`urn:types#${type}`], label: name, lines: { start: 1, end: 1 } };
	return sampleDocument(name, [`${name} text`], { resources: [resource] });
}

async function textsAbout(store: Store, subjects: readonly PassageSubject[], options = {}) {
	const rows = await store.rowsAbout(subjects, { limit: 10, ...options });
	const passages = await store.read([...rows.keys()]);
	return [...rows].sort(([, a], [, b]) => a - b).map(([row, place]) => `${place} ${passages.get(row)?.text}`);
}

for (const engine of ENGINES)
	test(`a row about a resource has the position of the resource in the request, and filters apply (${engine})`, async (t) => {
		const { store } = await openTemporary(t, engine);
		await store.replace([about("a", "urn:it's", "X"), about("b", "_:b0", "Y"), about("c", "_:b0", "Y")]);
		const ids = [{ resource: "urn:it's" }, { resource: "urn:none" }];
		const subjects = [{ resource: "_:b0", uri: uriOf("c") }, ...ids];
		assert.deepEqual(await textsAbout(store, subjects), ["0 c text", "1 a text"]);
		assert.deepEqual(await textsAbout(store, []), []);
		for (const [filter, found] of [
			[{ uris: [uriOf("a")] }, "1 a text"],
			[{ types: ["y"] }, "0 c text"],
			[{ phrases: ["A text"] }, "1 a text"],
			[{ limit: 1 }, "0 c text"],
		] as const)
			assert.deepEqual(await textsAbout(store, subjects, filter), [found]);
	});
