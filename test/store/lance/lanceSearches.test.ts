import assert from "node:assert/strict";
import { test } from "node:test";
import { createAmongReader } from "../../../src/store/lance/lanceAmong.ts";
import { createLanceReads } from "../../../src/store/lance/lanceEngine.ts";
import { lanceFilterOf } from "../../../src/store/lance/lanceFilter.ts";
import { createLanceLoads, createLanceRows } from "../../../src/store/lance/lanceLoads.ts";
import { createLanceSearches } from "../../../src/store/lance/lanceSearches.ts";
import { sampleDocument, uriOf, vectorOf } from "../sampleDocument.ts";
import { openTables, openTemporary } from "../temporaryStore.ts";

test("what is found of a document that goes meanwhile gets no number, which would be that of another one", async (t) => {
	const { folder, store } = await openTemporary(t, "lancedb");
	await store.replace([sampleDocument("a.md", ["valve", "valve b"]), sampleDocument("b.md", ["a valve"])]);
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
	const terms = {
		read: async () => ({ asked, idfs }),
		stage: () => undefined,
		commit: () => undefined,
		forget: () => undefined,
	};
	const { matchText } = createLanceSearches(database, {
		rows,
		loads: watched,
		terms,
		among: createAmongReader(lanceFilterOf),
	});
	const { matches } = await matchText("valve", { limit: 10 });
	const { read } = createLanceReads(database, { rows, loads });
	const passages = await read(matches.map(({ row }) => row));
	assert.deepEqual(
		matches.map(({ row }) => passages.get(row)?.text),
		["a valve"],
	);
});

test("what is quoted is looked for in the documents of each question, also where they are too many to be named", async (t) => {
	const { store } = await openTemporary(t, "lancedb");
	const names = Array.from({ length: 10_002 }, (_, index) => `${index}.md`);
	const texts = (index: number) => [index === 0 ? "a blue piston" : "b"];
	await store.replace(names.map((name, index) => sampleDocument(name, texts(index))));
	const seen = names.slice(1).map(uriOf);
	const quoted = { limit: 5, phrases: ["blue piston"] };
	const found = async (uris?: readonly string[]) => {
		const { matches } = await store.matchText("piston", { ...quoted, ...(uris && { uris }) });
		return [...(await store.read(matches.map(({ row }) => row))).values()].map(({ text }) => text);
	};
	assert.deepEqual(await found(seen), []);
	assert.deepEqual(await found(), ["a blue piston"]);
	assert.deepEqual(await found(seen), []);
	assert.equal((await store.matchVector(vectorOf("a blue piston"), { ...quoted, uris: seen })).length, 0);
});
