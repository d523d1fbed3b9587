import assert from "node:assert/strict";
import { test } from "node:test";
import { relevanceOf, weigh, wordsOf } from "../../../src/base/words/relevance.ts";

test("an acronym is no word of grammar", () => {
	assert.deepEqual([...wordsOf("Who leads IT?")], ["lead", "IT"]);
	assert.deepEqual([...wordsOf("WHO LEADS IT?")], ["lead"]);
});

test("what shares rare words with a query is more relevant than what shares common ones", () => {
	const texts = [
		"the harbour's astrolabe was found",
		"the light of the harbour",
		"a harbour",
		"nothing here",
	];
	const [rare = 0, common = 0, , none = 0] = relevanceOf(weigh("The HARBOUR ASTROLABE"), texts.map(weigh));
	assert.ok(rare > common && common > none);
	assert.equal(none, 0);
	assert.deepEqual(relevanceOf(weigh("x"), []), []);
});
