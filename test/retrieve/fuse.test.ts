import assert from "node:assert/strict";
import { test } from "node:test";
import { fuse, type LegResults } from "../../src/retrieve/fuse.ts";
import { STATIC_SCALE, unlearned } from "../../src/retrieve/vectorScale.ts";
import { assertMapped } from "../support/assertMapped.ts";

function matches(...scores: readonly (readonly [row: number, score: number])[]) {
	return scores.map(([row, score]) => ({ row, score }));
}

function ranked(legs: Partial<LegResults>): string {
	const fused = fuse({ text: [], ...legs });
	return fused.map(({ row, score }) => `${row}: ${Math.round(score * 1000) / 1000}`).join(", ");
}

const TEXT = matches([1, 20], [2, 10]);
const VECTOR = matches([2, 0.8], [1, 0.4], [3, 0]);
const LARGER = { text: matches([1, 2000], [2, 1000]), vector: matches([2, 80], [1, 40], [3, 0]) };
const PHRASED = matches([1, 20], [2, 10], [3, 10]);
const NEAR = { text: matches([1, 20], [2, 16]), vector: VECTOR };
/** Words found 9; the vectors' leg did not. */
const nearTo = (cosine: number) => ({
	...{ text: matches([9, 5]), vector: matches([1, 0.5]) },
	cosines: new Map([[9, cosine]]),
});
const NEARER = matches([1, 0.5], [2, 0.2]);

for (const [title, legs, expected] of [
	["without vectors the words decide alone", { text: TEXT }, "1: 1, 2: 0.5"],
	["scores are weighed shares of the best", { text: TEXT, vector: VECTOR }, "1: 0.8, 2: 0.7"],
	["only shares count: legs with larger scores give the same", LARGER, "1: 0.8, 2: 0.7"],
	["a cosine that is not above 0 says nothing", { vector: matches([1, 0.6], [2, 0], [3, -0.4]) }, "1: 0.4"],
	["words alone found it: as near as its vector", nearTo(0.125), "9: 0.7, 1: 0.4"],
	["what vectors overlooked is no nearer than their best", nearTo(0.9), "9: 1, 1: 0.4"],
	[
		"without a vector, one is last",
		{ text: matches([9, 5]), vector: matches([1, 1], [2, 0.8]), cosines: new Map() },
		"9: 0.84, 1: 0.4, 2: 0.32",
	],
	["graphs lift as they are sure", { text: TEXT, entity: matches([2, 1], [3, 0.5]) }, "1: 1, 2: 0.7, 3: 0.2"],
	["graph and description", { entity: matches([1, 1]), descriptor: [{ rows: [1], score: 1 }] }, "1: 0.64"],
	["nothing found is nothing", { vector: [] }, ""],
	["a phrase lifts the one that has it", { text: PHRASED, quoted: new Set([2]) }, "1: 1, 2: 0.75, 3: 0.5"],
	["a phrase lifts several less", { text: PHRASED, quoted: new Set([2, 3]) }, "1: 1, 2: 0.648, 3: 0.648"],
	["vectors may decide between passages that have nearly the same words", NEAR, "2: 0.88, 1: 0.8"],
	["vectors of a foreign model weigh less", { ...NEAR, scale: unlearned(STATIC_SCALE) }, "1: 0.94, 2: 0.824"],
	["a passage may be found by its words", { text: matches([2, 3]), vector: NEARER }, "2: 0.76, 1: 0.4"],
	[
		"foreign words count less",
		{ text: [{ row: 2, score: 3, isForeign: true }], vector: NEARER },
		"1: 0.4, 2: 0.34",
	],
] as const satisfies readonly (readonly [string, Partial<LegResults>, string])[])
	test(title, () => assert.equal(ranked(legs), expected));

test("all found passages of a document are lifted by how surely its description is meant", () => {
	const text = matches([1, 10], [2, 5], [3, 4]);
	const descriptor = [
		{ rows: [2, 3], score: 1 },
		{ rows: [], score: 0.9 },
		{ rows: [4], score: 0.5 },
	];
	assert.equal(ranked({ text, descriptor }), "1: 1, 2: 0.7, 3: 0.64, 4: 0.2");
	assertMapped(fuse({ text, descriptor }), ({ why }) => why.descriptor, [undefined, 1, 1, 3]);
});

test("every hit knows its ranks", () => {
	const entity = matches([3, 0.2]);
	const fused = fuse({ text: matches([1, 2], [2, 1]), vector: matches([2, 0.9], [3, 0.8]), entity });
	const expected = { 1: { text: 1 }, 2: { text: 2, vector: 1 }, 3: { vector: 2, entity: 1 } };
	assert.deepEqual(Object.fromEntries(fused.map(({ row, why }) => [row, why])), expected);
});
