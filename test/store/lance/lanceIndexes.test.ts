import assert from "node:assert/strict";
import { test } from "node:test";
import { areManyFresh, createProbes } from "../../../src/store/lance/lanceIndexes.ts";

test("what came since the indexes is looked through up to a twentieth of all, from 2,000 to 20,000 rows", () => {
	for (const [numIndexedRows, most] of [
		[0, 2000],
		[20_000, 2000],
		[100_000, 5000],
		[400_000, 20_000],
		[10_000_000, 20_000],
	] as const) {
		assert.equal(areManyFresh(numIndexedRows, most), false);
		assert.equal(areManyFresh(numIndexedRows, most + 1), true);
	}
});

test("the first question looks into few partitions of the vectors, and each further one into twice as many", () => {
	const probes = createProbes();
	assert.deepEqual(
		Array.from({ length: 5 }, () => probes(1_000_000)),
		[20, 40, 80, 128, 128],
	);
});

test("the more passages there are, the more partitions the later questions look into", () => {
	const probes = createProbes();
	const later = Array.from({ length: 6 }, () => probes(5_000_000));
	assert.deepEqual(later, [20, 40, 80, 160, 250, 250]);
	assert.equal(probes(1_000_000), 128, "as many as are needed after much was removed");
});
