import assert from "node:assert/strict";
import { test } from "node:test";
import { rankByDocument } from "../../src/retrieve/rankByDocument.ts";

const lengths = new Map([
	["long", 9],
	["other", 9],
	["short", 1],
]);

function ranked(...passages: readonly (readonly [uri: string, score: number, isText?: boolean])[]) {
	const found = passages.map(([uri, score, isText = true]) => ({ uri, score, isText }));
	return rankByDocument(found, (uri) => lengths.get(uri) ?? 1);
}

function uris(passages: readonly { readonly uri: string }[]): string[] {
	return passages.map(({ uri }) => uri);
}

test("a document in which several passages fit comes before one with a single good one", () => {
	const [first] = ranked(["other", 0.8], ["long", 0.78], ["long", 0.77], ["long", 0.76]);
	assert.equal(first?.uri, "long");
});

test("a short document loses nothing to a long one for what it cannot have", () => {
	assert.deepEqual(uris(ranked(["short", 0.8], ["long", 0.79], ["long", 0.6])), ["short", "long", "long"]);
});

test("the second passage of a document gives way to another document that is nearly as good", () => {
	assert.deepEqual(uris(ranked(["long", 0.9], ["long", 0.85], ["short", 0.8])), ["long", "short", "long"]);
});

test("things that stand in one file are not ranked by it", () => {
	const things = ranked(["long", 0.9, false], ["long", 0.8, false], ["short", 0.7, false]);
	assert.deepEqual(uris(things), ["long", "long", "short"]);
	assert.ok(things.every(({ score }) => score > 0 && score <= 0.9));
});
