import assert from "node:assert/strict";
import { test } from "node:test";
import { createDescriptorIndex } from "../../src/search/descriptorIndex.ts";
import { vectorOf } from "../store/sampleDocument.ts";

const NO_VECTOR = new Float32Array();

function indexOf(entries: Readonly<Record<string, string>>, dimensions = 0) {
	const index = createDescriptorIndex(dimensions);
	for (const [hash, purpose] of Object.entries(entries)) {
		const descriptor = { purpose, applicability: "", evaluation: "" };
		index.add(hash, descriptor, dimensions > 0 ? vectorOf(purpose) : NO_VECTOR);
	}
	return index;
}

function ranked(index: ReturnType<typeof indexOf>, query: string, hashes: readonly string[]) {
	const matches = index.match({ query, typicalCosine: 0 }, hashes);
	return matches.map(({ hash, score }) => [hash, Math.round(score * 100) / 100]);
}

const KNOWN = { lamp: "Replace a broken bulb", oven: "Bake bread at night" };

for (const [title, query, hashes, expected] of [
	["one with all words of a question is meant", "How do I replace a bulb?", ["lamp", "oven"], [["lamp", 1]]],
	["a word that none has makes it less sure", "replace the propeller", ["lamp", "oven"], [["lamp", 0.5]]],
	["only those that are asked for are found", "bulb", ["gone"], []],
] as const)
	test(`of descriptors, ${title}`, () => {
		assert.deepEqual(ranked(indexOf(KNOWN), query, hashes), expected);
	});

test("how sure it is does not depend on how good the others are", () => {
	const [both, alone] = [["lamp", "oven"], ["oven"]].map((hashes) =>
		ranked(indexOf(KNOWN), "bread, bulb", hashes),
	);
	assert.deepEqual(both?.at(-1), alone?.[0]);
});

test("a near vector finds what has no word of the question", () => {
	const index = indexOf({ a: "aaaa", b: "bbbb" }, 4);
	const vector = vectorOf("aaa");
	const [best, ...others] = index.match({ query: "nothing", vector, typicalCosine: 0.2 }, ["a", "b"]);
	assert.equal(best?.hash, "a");
	assert.ok((best?.score ?? 0) > 0.9);
	assert.deepEqual(others, []);
});

test("a vector of another length is no witness", () => {
	const index = indexOf({ a: "aaaa" }, 4);
	const vector = Float32Array.of(1, 0);
	assert.deepEqual(index.match({ query: "nothing", vector, typicalCosine: 0 }, ["a"]), []);
});
