import assert from "node:assert/strict";
import { test } from "node:test";
import { transformerScale } from "../../src/retrieve/vectorScale.ts";

test("a model whose cosines lie close together is read as one whose cosines are far apart", () => {
	const [close, far] = [transformerScale(0.8, 100), transformerScale(0.1, 100)];
	const near = (typical: number) => typical + 0.5 * (1 - typical);
	assert.ok(Math.abs(close.read(near(0.8)) - far.read(near(0.1))) < 1e-9);
	assert.deepEqual([close.read(0.8), close.read(0.7), close.read(1)], [0, 0, 1]);
});

test("of few passages, the nearest counts although it is also the typical one", () => {
	assert.ok(transformerScale(0.6, 1).read(0.6) > 0.5);
	assert.equal(transformerScale(0.6, 100).read(0.6), 0);
});
