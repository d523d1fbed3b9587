import assert from "node:assert/strict";
import { test } from "node:test";
import { createAmongReader } from "../../../src/store/lance/lanceAmong.ts";
import { createLanceReads } from "../../../src/store/lance/lanceEngine.ts";
import { createLanceLoads, createLanceRows } from "../../../src/store/lance/lanceLoads.ts";
import { createLanceSearches } from "../../../src/store/lance/lanceSearches.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { sampleDocument, uriOf, vectorOf } from "../sampleDocument.ts";
import { openFilled, openTables, openTemporary, textsFor } from "../temporaryStore.ts";

test("what is found of a document that goes meanwhile gets no number, which would be that of another one", async (t) => {
	const texts = { "a.md": ["valve", "valve b"], "b.md": ["a valve"] };
	const { folder } = await openFilled(t, texts, "lancedb");
	const database = await openTables(t, folder);
	const { promise: loaded, resolve: noteLoaded } = Promise.withResolvers<void>();
	const loads = createLanceLoads();
	const watched: typeof loads = {
		...loads,
		together: (snapshot, search) =>
			loads.together(snapshot, (load) =>
				search(async (addresses) => {
					const found = await load(addresses);
					noteLoaded();
					return found;
				}),
			),
	};
	const rows = createLanceRows(0);
	const asked = { terms: ["valv"], readings: [["valv"]], required: [["valv"]], language: "en" } as const;
	const idfs = async () => {
		await loaded;
		database.advance({ set: [], removed: [uriOf("a.md")] }, database.snapshot().version);
		return () => 1;
	};
	const nothing = () => undefined;
	const terms = { read: async () => ({ asked, idfs }), stage: nothing, commit: nothing, forget: nothing };
	const among = createAmongReader();
	const { matchText } = createLanceSearches(database, { rows, loads: watched, terms, among });
	const { matches } = await matchText("valve", { limit: 10 });
	const { read } = createLanceReads(database, { rows, loads });
	const passages = await read(matches.map(({ row }) => row));
	assertMapped(matches, ({ row }) => passages.get(row)?.text, ["a valve"]);
});

test("what is quoted is looked for in the documents of each question, also where they are too many to be named", async (t) => {
	const { store } = await openTemporary(t, "lancedb");
	const names = Array.from({ length: 10_002 }, (_, index) => `${index}.md`);
	const texts = (index: number) => [index === 0 ? "a blue piston" : "b"];
	await store.replace(names.map((name, index) => sampleDocument(name, texts(index))));
	const seen = names.slice(1).map(uriOf);
	const quoted = { limit: 5, phrases: ["blue piston"] };
	assert.deepEqual(await textsFor(store, "piston", { ...quoted, uris: seen }), []);
	assert.deepEqual(await textsFor(store, "piston", quoted), ["a blue piston"]);
	assert.deepEqual(await textsFor(store, "piston", { ...quoted, uris: seen }), []);
	assert.equal((await store.matchVector(vectorOf("a blue piston"), { ...quoted, uris: seen })).length, 0);
});
