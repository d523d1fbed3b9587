import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fused } from "../../src/retrieve/fuse.ts";
import { rankByLikeness } from "../../src/retrieve/rankByLikeness.ts";
import { createVectorRows, type VectorRows } from "../../src/search/vectorRows.ts";

/** Unit vectors in a plane, one for every row, by their angles in degrees; a row may have none. */
function vectorsAt(...angles: readonly (number | "none")[]): VectorRows {
	const rows = createVectorRows(2);
	for (const angle of angles) rows.add(angle === "none" ? new Float32Array(2) : directionOf(angle));
	return rows;
}

function directionOf(angle: number): Float32Array {
	const radians = (angle * Math.PI) / 180;
	return Float32Array.of(Math.cos(radians), Math.sin(radians));
}

/** Rows are counted from 0, and were found with these scores. */
function foundWith(...scores: readonly number[]): Fused[] {
	return scores.map((score, row) => ({ row, score, why: { text: row + 1 } }));
}

function rowsOf(fused: readonly Fused[]): number[] {
	return fused.map(({ row }) => row);
}

for (const [title, scores, angles, expected] of [
	[
		"of two passages that were found equally well, the one that is like the best two comes first",
		[1, 0.9, 0.5, 0.5],
		[0, 10, 90, 5],
		[0, 1, 3, 2],
	],
	[
		"what was found much better stays before what is like the best",
		[1, 0.9, 0.8, 0.3],
		[0, 0, 90, 0],
		[0, 1, 2, 3],
	],
] as const)
	test(title, () => {
		assert.deepEqual(rowsOf(rankByLikeness(foundWith(...scores), vectorsAt(...angles))), expected);
	});

test("a score stays between 0 and 1, and a hit keeps its ranks", () => {
	const ranked = rankByLikeness(foundWith(1, 1, 0), vectorsAt(0, 0, 180));
	assert.deepEqual(
		ranked.map(({ why }) => why.text),
		[1, 2, 3],
	);
	assert.ok(Math.abs((ranked[0]?.score ?? 0) - 1) < 0.01);
	assert.equal(ranked.at(-1)?.score, 0);
});

test("what has no vector yet is as far as what is farthest", () => {
	const ranked = rankByLikeness(foundWith(1, 1, 0.5, 0.5), vectorsAt(0, 0, 60, "none"));
	assert.deepEqual(rowsOf(ranked), [0, 1, 2, 3]);
	assert.equal(ranked[2]?.score, ranked[3]?.score);
});

test("without vectors nothing changes", () => {
	const found = foundWith(1, 0.5);
	assert.equal(rankByLikeness(found, vectorsAt("none", "none")), found);
	assert.deepEqual(rankByLikeness([], vectorsAt(0)), []);
});
