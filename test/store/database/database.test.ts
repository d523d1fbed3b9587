import assert from "node:assert/strict";
import { readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { connect } from "@lancedb/lancedb";
import { Field, Schema, Utf8 } from "apache-arrow";
import { Failure } from "../../../src/base/failure.ts";
import { embedder, sampleDocument, uriOf, vectorOf } from "../sampleDocument.ts";
import { openFilled, openIn, openTemporary, textsFor } from "../temporaryStore.ts";

function isActionable(error: unknown): boolean {
	return (
		error instanceof Failure && error.code === "STORE_UNREADABLE" && error.message.includes("Rebuild Index")
	);
}

test("an unreadable index says so in every answer until it is cleared", async (t) => {
	const { folder } = await openFilled(t, { "a.md": ["one"] });
	const versions = join(folder, "documents.lance", "_versions");
	for (const name of await readdir(versions)) await writeFile(join(versions, name), "garbage");
	const broken = await openIn(t, folder);
	assert.throws(() => broken.documents(), isActionable);
	await assert.rejects(broken.matchText("one", { limit: 1 }), isActionable);
	await assert.rejects(broken.replace([sampleDocument("a.md", ["two"])]), isActionable);
	await broken.clear();
	await broken.replace([sampleDocument("a.md", ["two"])]);
	assert.deepEqual(await textsFor(broken, "two"), ["two"]);
});

test("vectors of another embedder are not stored: the document is found by its words, and is pending", async (t) => {
	const { folder, store } = await openFilled(t, { "a.md": ["aaaa"] });
	const other = await openIn(t, folder, { embedder: { id: "other-2", dimensions: 4 } });
	assert.match(other.stale() ?? "", /letters-1.*other-2/);
	await other.replace([{ ...sampleDocument("b.md", ["bbbb"]), embedder: "other-2" }]);
	assert.deepEqual(await textsFor(other, "bbbb"), ["bbbb"]);
	assert.equal(other.documents().get(uriOf("b.md"))?.isPending, true);
	assert.equal((await store.matchVector(vectorOf("b"), { limit: 5 })).length, 1);
	await other.clear();
	assert.equal(other.stale(), undefined);
	await other.replace([{ ...sampleDocument("b.md", ["bbbb"]), embedder: "other-2" }]);
	assert.equal((await other.matchVector(vectorOf("b"), { limit: 5 })).length, 1);
});

test("an index of another version is emptied, with a notice", async (t) => {
	const { folder, store } = await openTemporary(t);
	const connection = await connect(folder);
	await connection.dropTable("documents");
	await connection.createTable("documents", [{ uri: "file:///old" }]);
	const opened = await openIn(t, folder);
	assert.equal(opened.documents().size, 0);
	assert.equal(opened.notices().length, 1);
	assert.deepEqual(store.notices(), []);
});

test("an index of a newer version is left as it is, and says so", async (t) => {
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

test("a commit of somebody else is seen, whatever time the clock of the disk gives it", async (t) => {
	const { folder, store } = await openTemporary(t);
	const other = await openIn(t, folder);
	const versions = join(folder, "documents.lance", "_versions");
	const [old, now] = [new Date(Date.now() - 60_000), new Date()];
	for (const [word, time] of Object.entries({ fresh: old, aged: now, settled: old })) {
		// Looked at twice, so that the time is known; the commit after that comes at once.
		await utimes(versions, time, time);
		for (let look = 0; look < 2; look++) await textsFor(store, word);
		await other.replace([sampleDocument("a.md", [word])]);
		if (time === now) await utimes(versions, now, now);
		assert.deepEqual(await textsFor(store, word), [word]);
	}
});
