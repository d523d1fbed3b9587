import assert from "node:assert/strict";
import { test } from "node:test";
import { qualityOf, randomisationTest } from "../../scripts/eval/measures.ts";

const grades = new Map([
	["a", 2],
	["b", 1],
]);

function closeTo(actual: number, expected: number): void {
	assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);
}

test("the best ranking has full marks", () => {
	assert.deepEqual(qualityOf(["a", "b", "c"], grades), { ndcg: 1, averagePrecision: 1, recall: 1 });
});

test("a ranking is worth what its answers are worth where they stand", () => {
	const { ndcg, averagePrecision, recall } = qualityOf(["c", "a"], grades);
	closeTo(ndcg, 2 / Math.log2(3) / (2 + 1 / Math.log2(3)));
	closeTo(averagePrecision, 0.25);
	closeTo(recall, 0.5);
});

test("an answer that stands after the tenth place does not count for nDCG@10", () => {
	const ranking = [..."0123456789"].concat("a");
	assert.equal(qualityOf(ranking, grades).ndcg, 0);
	assert.ok(qualityOf(ranking, grades).averagePrecision > 0);
});

test("systems that differ on every query in one direction differ by chance once in 2^(n-1) times", () => {
	const better = Array.from({ length: 6 }, () => 0.6);
	const worse = better.map(() => 0.5);
	const p = randomisationTest(better, worse);
	assert.ok(Math.abs(p - 2 / 2 ** 6) < 0.005, `${p}`);
	assert.equal(randomisationTest(better, worse), p);
});

test("equal systems do not differ", () => {
	assert.equal(randomisationTest([0.1, 0.9], [0.1, 0.9]), 1);
});
