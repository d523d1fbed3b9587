import assert from "node:assert/strict";
import { test } from "node:test";
import { leaveOneOut } from "../../scripts/eval/leaveOneOut.ts";
import { meanOf, qualityOf, randomisationTest } from "../../scripts/eval/measures.ts";
import { assertMapped } from "../support/assertMapped.ts";

const grades = new Map(Object.entries({ a: 2, b: 1 }));

function closeTo(actual: number, expected: number): void {
	assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);
}

const HALF = 2 / Math.log2(3) / (2 + 1 / Math.log2(3));

for (const [title, ranking, ndcg, averagePrecision, recall] of [
	["a perfect ranking has full marks", "abc", 1, 1, 1],
	["answers count by grade and rank", "ca", HALF, 0.25, 0.5],
	["an answer after rank 10 counts, but not for nDCG@10", "0123456789a", 0, 1 / 22, 0.5],
] as const)
	test(title, () => {
		const quality = qualityOf([...ranking], grades);
		for (const [measure, expected] of Object.entries({ ndcg, averagePrecision, recall }))
			closeTo(quality[measure as keyof typeof quality], expected);
	});

test("for systems that differ in one direction on all n queries, p is 1/2^(n-1)", () => {
	const [better, worse] = [Array(6).fill(0.6), Array(6).fill(0.5)];
	const p = randomisationTest(better, worse);
	assert.ok(Math.abs(p - 2 / 2 ** 6) < 0.005, `${p}`);
	assert.equal(randomisationTest(better, worse), p);
});

test("p is 1 for equal systems", () => {
	assert.equal(randomisationTest([0.1, 0.9], [0.1, 0.9]), 1);
});

function judged(...ndcgs: readonly number[]) {
	return { ndcgs, mean: { ndcg: meanOf(ndcgs), averagePrecision: 0, recall: 0 } };
}

/** A collection with the gains of two choices over no choice, per query. */
function fold(name: string, bold: readonly number[], sure: readonly number[]) {
	const choices = [
		{ name: "bold", judged: judged(...bold) },
		{ name: "sure", judged: judged(...sure) },
	];
	return { name, choices, before: judged(...bold.map(() => 0)) };
}

test("leave-one-out prefers a small certain gain to a large uncertain gain", () => {
	const folds = ["a", "b", "c"].map((name) => fold(name, [0.9, -0.5, -0.1], [0.05, 0.06, 0.04]));
	assertMapped(leaveOneOut(folds), ({ choice }) => choice, ["sure", "sure", "sure"]);
});

test("a collection does not influence the choice for itself", () => {
	const [held] = leaveOneOut([
		fold("a", [0.5, 0.6, 0.5], [0, 0, 0.01]),
		fold("b", [0, -0.1, 0.01], [0.3, 0.4, 0.3]),
		fold("c", [0, -0.1, 0.02], [0.3, 0.5, 0.3]),
	]);
	assert.equal(held?.choice, "sure");
	closeTo(held.gain, 0.01 / 3);
});
