import assert from "node:assert/strict";
import { test } from "node:test";
import { fuse, type LegResults } from "../../src/retrieve/fuse.ts";
import { STATIC_SCALE, unlearned } from "../../src/retrieve/vectorScale.ts";

function matches(...scores: readonly (readonly [row: number, score: number])[]) {
	return scores.map(([row, score]) => ({ row, score }));
}

function ranked(legs: Partial<LegResults>): [number, number][] {
	const fused = fuse({ text: [], ...legs });
	return fused.map(({ row, score }) => [row, rounded(score)]);
}

function rounded(score: number): number {
	return Math.round(score * 1000) / 1000;
}

test("without vectors the words decide alone", () => {
	assert.deepEqual(ranked({ text: matches([7, 8], [3, 4]) }), [
		[7, 1],
		[3, 0.5],
	]);
});

test("a score is a share of the best one in its leg, and the legs have their weights", () => {
	const text = matches([1, 20], [2, 10]);
	const vector = matches([2, 0.8], [1, 0.4], [3, 0]);
	assert.deepEqual(ranked({ text, vector }), [
		[1, 0.8],
		[2, 0.7],
	]);
});

test("only shares count: legs whose scores are all so many times as large give the same", () => {
	const scaled = (factor: number) => ({
		text: matches([1, 20 * factor], [2, 10 * factor], [3, factor]),
		vector: matches([2, 0.008 * factor], [1, 0.004 * factor]),
	});
	assert.deepEqual(ranked(scaled(1)), ranked(scaled(100)));
});

test("a cosine that is not above 0 says nothing", () => {
	assert.deepEqual(ranked({ vector: matches([1, 0.6], [2, 0], [3, -0.4]) }), [[1, 0.4]]);
});

test("what only the words found is as near as its vector is", () => {
	const legs = { text: matches([9, 5]), vector: matches([1, 0.8], [2, 0.6]) };
	const fused = ranked({ ...legs, cosines: new Map([[9, 0.2]]) });
	assert.deepEqual(fused[0], [9, 0.7]);
});

test("a passage that the vectors' leg overlooked is no nearer than its best", () => {
	const legs = { text: matches([9, 5]), vector: matches([1, 0.5]) };
	assert.deepEqual(ranked({ ...legs, cosines: new Map([[9, 0.9]]) })[0], [9, 1]);
});

test("what has no vector yet is taken to be a little farther than the last of the vectors", () => {
	const fused = ranked({ text: matches([9, 5]), vector: matches([1, 1], [2, 0.8]), cosines: new Map() });
	assert.deepEqual(fused[0], [9, 0.84]);
});

test("one passage alone is the best of its leg", () => {
	assert.deepEqual(ranked({ vector: matches([1, 0.5]) }), [[1, 0.4]]);
});

test("what the graph found is lifted towards the best by how surely it is meant", () => {
	const text = matches([1, 10], [2, 5]);
	assert.deepEqual(ranked({ text, entity: matches([2, 1], [3, 0.5]) }), [
		[1, 1],
		[2, 0.7],
		[3, 0.2],
	]);
});

test("all found passages of a document are lifted by how surely its description is meant", () => {
	const text = matches([1, 10], [2, 5], [3, 4]);
	const descriptor = [
		{ rows: [2, 3], score: 1 },
		{ rows: [], score: 0.9 },
		{ rows: [4], score: 0.5 },
	];
	assert.deepEqual(ranked({ text, descriptor }), [
		[1, 1],
		[2, 0.7],
		[3, 0.64],
		[4, 0.2],
	]);
	assert.deepEqual(
		fuse({ text, descriptor }).map(({ why }) => why.descriptor),
		[undefined, 1, 1, 3],
	);
});

test("what the graph found and a description means is lifted twice, and stays below the best", () => {
	const [hit] = fuse({ text: [], entity: matches([1, 1]), descriptor: [{ rows: [1], score: 1 }] });
	assert.equal(rounded(hit?.score ?? 0), 0.64);
});

test("every hit knows its ranks", () => {
	const fused = fuse({
		text: matches([1, 2], [2, 1]),
		vector: matches([2, 0.9], [3, 0.8]),
		entity: matches([3, 0.2]),
	});
	assert.deepEqual(Object.fromEntries(fused.map(({ row, why }) => [row, why])), {
		1: { text: 1 },
		2: { text: 2, vector: 1 },
		3: { vector: 2, entity: 1 },
	});
});

test("nothing found is nothing", () => {
	assert.deepEqual(ranked({}), []);
	assert.deepEqual(ranked({ vector: [] }), []);
});

test("a phrase lifts the passages that have it, each less if there are several", () => {
	const text = matches([1, 20], [2, 10], [3, 10]);
	assert.deepEqual(ranked({ text, quoted: new Set([2]) }), [
		[1, 1],
		[2, 0.75],
		[3, 0.5],
	]);
	assert.deepEqual(ranked({ text, quoted: new Set([2, 3]) }), [
		[1, 1],
		[2, 0.648],
		[3, 0.648],
	]);
});

test("vectors of a model that has not learned the question's language weigh less", () => {
	const legs = { text: matches([1, 20], [2, 16]), vector: matches([2, 0.8], [1, 0.4]) };
	assert.deepEqual(
		ranked(legs).map(([row]) => row),
		[2, 1],
	);
	assert.deepEqual(ranked({ ...legs, scale: unlearned(STATIC_SCALE) }), [
		[1, 0.94],
		[2, 0.824],
	]);
});

test("the words of a passage in another language than the question's count less", () => {
	const nearer = [
		{ row: 1, score: 0.5 },
		{ row: 2, score: 0.2 },
	];
	const text = { row: 2, score: 3 };
	assert.deepEqual(
		fuse({ text: [text], vector: nearer }).map(({ row }) => row),
		[2, 1],
	);
	assert.deepEqual(
		fuse({ text: [{ ...text, isForeign: true }], vector: nearer }).map(({ row }) => row),
		[1, 2],
	);
});
