import assert from "node:assert/strict";
import { test } from "node:test";
import { medianLength, rankByDocument } from "../../src/retrieve/rankByDocument.ts";

const lengths = new Map([
	["long", 9],
	["other", 9],
	["short", 1],
]);

type Entry = readonly [uri: string, score: number, isText?: boolean];

function rankedAmong(median: number, ...passages: readonly Entry[]) {
	const found = passages.map(([uri, score, isText = true]) => ({ uri, score, isText }));
	return rankByDocument(found, { median, of: (uri) => lengths.get(uri) ?? 1 });
}

function ranked(...passages: readonly Entry[]) {
	return rankedAmong(4, ...passages);
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

test("a document that is far shorter than the others gives way to one that is nearly as good", () => {
	const found: Entry[] = [
		["short", 0.8],
		["long", 0.79],
		["long", 0.78],
	];
	assert.deepEqual(
		[5, 6].map((median) => rankedAmong(median, ...found)[0]?.uri),
		["short", "long"],
	);
	assert.equal(rankedAmong(6, ["short", 0.8], ["long", 0.6])[0]?.uri, "short");
	assert.deepEqual([medianLength([0, 0, 7, 1, 3]), medianLength([0])], [3, 1]);
});

test("the second passage of a document gives way to another document that is nearly as good", () => {
	assert.deepEqual(uris(ranked(["long", 0.9], ["long", 0.85], ["short", 0.8])), ["long", "short", "long"]);
});

test("things that stand in one file are not ranked by it", () => {
	const things = ranked(["long", 0.9, false], ["long", 0.8, false], ["short", 0.7, false]);
	assert.deepEqual(uris(things), ["long", "long", "short"]);
	assert.ok(things.every(({ score }) => score > 0 && score <= 0.9));
});
