import assert from "node:assert/strict";
import { test } from "node:test";
import type { Table } from "@lancedb/lancedb";
import { openDatabase } from "../../../src/store/database/database.ts";
import { createTermReader } from "../../../src/store/lance/lanceTerms.ts";
import { embedder, sampleDocument } from "../sampleDocument.ts";
import { openTemporary } from "../temporaryStore.ts";

test("a question of a thousand words takes no more requests than its first hundred do, and is searched whole", async (t) => {
	const { folder, store } = await openTemporary(t, "lancedb");
	await store.replace([sampleDocument("a.md", ["a valve"]), sampleDocument("b.md", ["b"])]);
	const database = await openDatabase({ folder, embedder: async () => embedder, isReadOnly: true });
	t.after(() => database.close());
	const { tables, ...snapshot } = database.snapshot();
	let requests = 0;
	const passages = new Proxy(tables.passages, {
		get: (table, name: keyof Table) => {
			if (name === "query") requests++;
			return typeof table[name] === "function" ? table[name].bind(table) : table[name];
		},
	});
	const reader = createTermReader(
		async () => 1,
		() => () => undefined,
	);
	const words = Array.from({ length: 1000 }, (_, index) => `word${index}x`).join(" ");
	const { asked, idfs } = await reader.read(`valve ${words} piston`, {
		...snapshot,
		tables: { ...tables, passages },
	});
	assert.ok((await idfs())("valv") > 0);
	assert.equal(asked.terms.length, 1002);
	// Each is asked of the index, and then of the rows that are not in it.
	assert.ok(requests <= 250, `${requests} requests`);
});
