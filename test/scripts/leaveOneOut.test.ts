import assert from "node:assert/strict";
import { test } from "node:test";
import { leaveOneOut } from "../../scripts/eval/leaveOneOut.ts";
import { meanOf } from "../../scripts/eval/measures.ts";

function judged(...ndcgs: readonly number[]) {
	return { ndcgs, mean: { ndcg: meanOf(ndcgs), averagePrecision: 0, recall: 0 } };
}

/** What two choices gain over nothing, query by query. */
function fold(name: string, bold: readonly number[], sure: readonly number[]) {
	const choices = [
		{ name: "bold", judged: judged(...bold) },
		{ name: "sure", judged: judged(...sure) },
	];
	return { name, choices, before: judged(...bold.map(() => 0)) };
}

test("the others choose what gains surely, not what gains most by luck", () => {
	const folds = ["a", "b", "c"].map((name) => fold(name, [0.9, -0.5, -0.1], [0.05, 0.06, 0.04]));
	assert.deepEqual(
		leaveOneOut(folds).map(({ choice }) => choice),
		["sure", "sure", "sure"],
	);
});

test("a collection has no say in what is chosen for it", () => {
	const [a, b, c] = [
		fold("a", [0.5, 0.6, 0.5], [0, 0, 0.01]),
		fold("b", [0, -0.1, 0.01], [0.3, 0.4, 0.3]),
		fold("c", [0, -0.1, 0.02], [0.3, 0.5, 0.3]),
	];
	const [held] = leaveOneOut([a, b, c]);
	assert.equal(held?.choice, "sure");
	assert.ok(Math.abs((held?.gain ?? 0) - 0.01 / 3) < 1e-9);
});
