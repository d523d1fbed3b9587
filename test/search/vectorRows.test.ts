import assert from "node:assert/strict";
import { test } from "node:test";
import { createDescriptorIndex } from "../../src/search/descriptorIndex.ts";
import { createVectorRows } from "../../src/search/vectorRows.ts";
import { vectorOf } from "../store/sampleDocument.ts";
import { createRandom } from "../support/random.ts";

const ROWS = 20_000;
const LIMIT = 20;
const comesBefore = (row: number, other: number) => row < other;

function makeVectors(dimensions: number): Float32Array[] {
	const { below } = createRandom(1);
	const random = () => below(1_000_000) / 1_000_000 - 0.5;
	const centres = Array.from({ length: 50 }, () => Array.from({ length: dimensions }, random));
	return Array.from({ length: ROWS }, (_, row) => {
		const centre = centres[row % centres.length] ?? [];
		return unit(dimensions, (d) => (centre[d] ?? 0) + random());
	});
}

const product = (a: Float32Array, b: Float32Array) =>
	a.reduce((sum, value, d) => sum + value * (b[d] ?? 0), 0);

function exactly(vectors: readonly Float32Array[], query: Float32Array): number[] {
	const cosines = vectors.map((vector) => product(vector, query));
	return [...cosines.keys()].sort((a, b) => (cosines[b] ?? 0) - (cosines[a] ?? 0)).slice(0, LIMIT);
}

for (const dimensions of [256, 100])
	test(`a search finds the nearest of ${ROWS} vectors with ${dimensions} dimensions`, () => {
		const vectors = makeVectors(dimensions);
		const rows = createVectorRows(dimensions);
		for (const vector of vectors) rows.add(vector);
		const mask = new Uint8Array(ROWS).fill(1);
		let found = 0;
		for (const query of vectors.slice(0, 20)) {
			const matches = rows.match(query, { limit: LIMIT, mask, comesBefore });
			const wanted = new Set(exactly(vectors, query));
			assert.ok(Math.abs((matches[0]?.score ?? 0) - 1) < 0.01);
			found += matches.filter(({ row }) => wanted.has(row)).length;
		}
		assert.ok(found >= 0.95 * 20 * LIMIT, `${found} of ${20 * LIMIT}`);
	});

test("scores are cosines within the precision of 8 bits, in any dimension", () => {
	for (const dimensions of [3, 256, 3000]) {
		const [a, b] = [unit(dimensions, (d) => d + 1), unit(dimensions, (d) => Math.cos(d))];
		const rows = createVectorRows(dimensions);
		for (const vector of [a, b]) rows.add(vector);
		const matches = rows.match(a, { limit: 2, mask: Uint8Array.of(1, 1), comesBefore });
		const expected = [1, product(a, b)];
		for (const { row, score } of matches)
			assert.ok(Math.abs(score - (expected[row] ?? 9)) < 5e-3, `${score}`);
		assert.equal(matches.length, 2);
	}
});

function unit(dimensions: number, valueAt: (d: number) => number): Float32Array {
	const vector = Float32Array.from({ length: dimensions }, (_, d) => valueAt(d));
	const length = Math.hypot(...vector);
	return vector.map((value) => value / length);
}

test("a search finds enough rows even if the sampled rows are nearer than all other rows", () => {
	const query = unit(64, (d) => Math.sin(d + 1));
	const rows = createVectorRows(64);
	const mask = new Uint8Array(ROWS);
	for (const [row, vector] of makeVectors(64).entries()) {
		const place = row % 4096;
		rows.add(place < 256 ? query : vector);
		mask[row] = place < 5 || place >= 256 ? 1 : 0;
	}
	const found = rows.match(query, { limit: 100, mask, comesBefore }).map(({ row }) => row);
	assert.equal(found.length, 100);
	assert.ok(found.slice(0, 25).every((row) => row % 4096 < 5));
	assert.ok(found.slice(25).every((row) => row % 4096 >= 256));
});

function indexOf(entries: Readonly<Record<string, string>>, dimensions = 0) {
	const index = createDescriptorIndex(dimensions);
	for (const [hash, purpose] of Object.entries(entries)) {
		const descriptor = { purpose, applicability: "", evaluation: "" };
		index.add(hash, descriptor, dimensions > 0 ? vectorOf(purpose) : new Float32Array());
	}
	return index;
}

function ranked(index: ReturnType<typeof indexOf>, query: string, hashes: readonly string[]) {
	const matches = index.match({ query, typicalCosine: 0 }, hashes);
	return matches.map(({ hash, score }) => [hash, Math.round(score * 100) / 100]);
}

test("a descriptor's score is its share of the question's words, whatever other descriptors are requested", () => {
	const index = indexOf({ lamp: "Replace a broken bulb", oven: "Bake bread at night" });
	assert.deepEqual(ranked(index, "How do I replace a bulb?", ["lamp", "oven"]), [["lamp", 1]]);
	assert.deepEqual(ranked(index, "replace the propeller", ["lamp", "oven"]), [["lamp", 0.5]]);
	assert.deepEqual(ranked(index, "bulb", ["gone"]), []);
	const [both, alone] = [["lamp", "oven"], ["oven"]].map((hashes) => ranked(index, "bread, bulb", hashes));
	assert.deepEqual(both?.at(-1), alone?.[0]);
});

test("a near vector finds a descriptor without words of the question", () => {
	const index = indexOf({ a: "aaaa", b: "bbbb" }, 4);
	const vector = vectorOf("aaa");
	const [best, ...others] = index.match({ query: "nothing", vector, typicalCosine: 0.2 }, ["a", "b"]);
	assert.deepEqual([best?.hash, others], ["a", []]);
	assert.ok((best?.score ?? 0) > 0.9);
});
