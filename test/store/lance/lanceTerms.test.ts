import assert from "node:assert/strict";
import { test } from "node:test";
import { areManyFresh, createProbes } from "../../../src/store/lance/lanceIndexes.ts";
import { createFrequencies, createTermReader } from "../../../src/store/lance/lanceTerms.ts";
import { untilIt } from "../../support/untilIt.ts";
import { sampleDocument } from "../sampleDocument.ts";
import { openFilled, openTables, openTemporary, watched } from "../temporaryStore.ts";

test("a question of a thousand words takes no more requests than its first hundred do, and is searched whole", async (t) => {
	const { folder } = await openFilled(t, { "a.md": ["a valve"], "b.md": ["b"] }, "lancedb");
	const database = await openTables(t, folder);
	const { tables, ...snapshot } = database.snapshot();
	let requests = 0;
	const passages = watched(tables.passages, (name) => {
		if (name === "query") requests++;
	});
	const nobody = () => () => undefined;
	const reader = createTermReader(async () => 1, nobody);
	const words = Array.from({ length: 1000 }, (_, index) => `word${index}x`).join(" ");
	const seen = { ...snapshot, tables: { ...tables, passages } };
	const { asked, idfs } = await reader.read(`valve ${words} piston`, seen);
	assert.ok((await idfs())("valv") > 0);
	assert.equal(asked.terms.length, 1002);
	// Each is asked of the index, and then of the rows that are not in it.
	assert.ok(requests <= 250, `${requests} requests`);
});

test("it is told of a frequent word which part of the passages has it, and of a rare one nothing", async (t) => {
	const { folder, store } = await openTemporary(t, "lancedb");
	const textOf = (at: number) => `${at < 40 ? "pump pump" : "valve"} ${at < 3 ? "rare" : "x"}`;
	const texts = Array.from({ length: 80 }, (_, at) => textOf(at));
	await store.replace([sampleDocument("a.md", texts)]);
	const database = await openTables(t, folder);
	const snapshot = database.snapshot();
	const frequenciesIn = createFrequencies();
	assert.equal(frequenciesIn(snapshot)("pump"), undefined);
	const look = async () => frequenciesIn(snapshot);
	const shareOf = await untilIt(look, (told) => told("pump") !== undefined);
	assert.deepEqual(["pump", "valv", "rare", "nowhere"].map(shareOf), [0.5, 0.5, undefined, undefined]);
});

test("what came since the indexes is looked through up to a twentieth of all, from 2,000 to 20,000 rows", () => {
	const limits = { 0: 2000, 20000: 2000, 100000: 5000, 400000: 20_000, 10000000: 20_000 };
	for (const [indexed, most] of Object.entries(limits))
		assert.deepEqual(
			[most, most + 1].map((fresh) => areManyFresh(Number(indexed), fresh)),
			[false, true],
		);
});

test("the first question looks into few partitions of the vectors, each further one into twice as many, up to what the passages need", () => {
	const probes = createProbes();
	const later = Array.from({ length: 6 }, () => probes(5_000_000));
	assert.deepEqual(later, [20, 40, 80, 160, 250, 250]);
	assert.equal(probes(1_000_000), 128, "as many as are needed after much was removed");
});
