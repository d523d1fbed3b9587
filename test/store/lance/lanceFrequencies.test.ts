import assert from "node:assert/strict";
import { test } from "node:test";
import { openDatabase } from "../../../src/store/database/database.ts";
import { createFrequencies } from "../../../src/store/lance/lanceTerms.ts";
import { untilIt } from "../../support/untilIt.ts";
import { embedder, sampleDocument } from "../sampleDocument.ts";
import { openTemporary } from "../temporaryStore.ts";

test("it is told of a frequent word which part of the passages has it, and of a rare one nothing", async (t) => {
	const { folder, store } = await openTemporary(t, "lancedb");
	const texts = Array.from(
		{ length: 80 },
		(_, at) => `${at < 40 ? "pump pump" : "valve"} ${at < 3 ? "rare" : "x"}`,
	);
	await store.replace([sampleDocument("a.md", texts)]);
	const database = await openDatabase({ folder, embedder: async () => embedder, isReadOnly: true });
	t.after(() => database.close());
	const snapshot = database.snapshot();
	const frequenciesIn = createFrequencies();
	assert.equal(frequenciesIn(snapshot)("pump"), undefined);
	const shareOf = await untilIt(
		async () => frequenciesIn(snapshot),
		(told) => told("pump") !== undefined,
	);
	assert.deepEqual(["pump", "valv", "rare", "nowhere"].map(shareOf), [0.5, 0.5, undefined, undefined]);
});
