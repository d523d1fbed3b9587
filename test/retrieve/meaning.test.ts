import assert from "node:assert/strict";
import { test } from "node:test";
import { OF_WORDS, ofTexts, unlearned } from "../../src/retrieve/meaning.ts";

test("a model whose cosines lie close together is read as one whose cosines are far apart", () => {
	const [close, far] = [ofTexts(0.8, 100), ofTexts(0.1, 100)];
	const near = (typical: number) => typical + 0.5 * (1 - typical);
	assert.ok(Math.abs(close.read(near(0.8)) - far.read(near(0.1))) < 1e-9);
	assert.deepEqual([close.read(0.8), close.read(0.7), close.read(1)], [0, 0, 1]);
});

test("of few passages, the nearest counts although it is also the typical one", () => {
	assert.ok(ofTexts(0.6, 1).read(0.6) > 0.5);
	assert.equal(ofTexts(0.6, 100).read(0.6), 0);
});

test("vectors count less in a language that their model has not learned", () => {
	assert.ok(unlearned(OF_WORDS).weight < OF_WORDS.weight / 2);
	assert.equal(unlearned(OF_WORDS).read(0.4), 0.4);
});
