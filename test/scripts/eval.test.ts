import assert from "node:assert/strict";
import { test } from "node:test";
import { leaveOneOut } from "../../scripts/eval/leaveOneOut.ts";
import { meanOf, qualityOf, randomisationTest } from "../../scripts/eval/measures.ts";

const grades = new Map([
	["a", 2],
	["b", 1],
]);

function closeTo(actual: number, expected: number): void {
	assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);
}

test("a perfect ranking gets full marks", () => {
	assert.deepEqual(qualityOf(["a", "b", "c"], grades), { ndcg: 1, averagePrecision: 1, recall: 1 });
});

test("answers count by grade and rank", () => {
	const { ndcg, averagePrecision, recall } = qualityOf(["c", "a"], grades);
	closeTo(ndcg, 2 / Math.log2(3) / (2 + 1 / Math.log2(3)));
	closeTo(averagePrecision, 0.25);
	closeTo(recall, 0.5);
});

test("an answer after rank 10 does not count for nDCG@10", () => {
	const ranking = [..."0123456789"].concat("a");
	assert.equal(qualityOf(ranking, grades).ndcg, 0);
	assert.ok(qualityOf(ranking, grades).averagePrecision > 0);
});

test("for systems that differ in one direction on all n queries, p is 1/2^(n-1)", () => {
	const better = Array.from({ length: 6 }, () => 0.6);
	const worse = better.map(() => 0.5);
	const p = randomisationTest(better, worse);
	assert.ok(Math.abs(p - 2 / 2 ** 6) < 0.005, `${p}`);
	assert.equal(randomisationTest(better, worse), p);
});

test("equal systems do not differ", () => {
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

test("leave-one-out chooses a small certain gain over a large uncertain one", () => {
	const folds = ["a", "b", "c"].map((name) => fold(name, [0.9, -0.5, -0.1], [0.05, 0.06, 0.04]));
	assert.deepEqual(
		leaveOneOut(folds).map(({ choice }) => choice),
		["sure", "sure", "sure"],
	);
});

test("a collection does not influence the choice for itself", () => {
	const [a, b, c] = [
		fold("a", [0.5, 0.6, 0.5], [0, 0, 0.01]),
		fold("b", [0, -0.1, 0.01], [0.3, 0.4, 0.3]),
		fold("c", [0, -0.1, 0.02], [0.3, 0.5, 0.3]),
	];
	const [held] = leaveOneOut([a, b, c]);
	assert.equal(held?.choice, "sure");
	assert.ok(Math.abs((held?.gain ?? 0) - 0.01 / 3) < 1e-9);
});
