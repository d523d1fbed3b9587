import assert from "node:assert/strict";
import { test } from "node:test";
import { createLineIndex, splitLines } from "../../../src/knowledge/passages/lines.ts";

const mixed = "one\ntwo\r\nthree\rfour";

test("every kind of line end ends one line", () => {
	assert.deepEqual(
		splitLines(mixed).map(({ text, lines }) => `${lines.start} ${text}`),
		["1 one", "2 two", "3 three", "4 four"],
	);
});

test("an offset is on the line of its character, in whatever order it is asked for", () => {
	const lineAt = createLineIndex(mixed);
	const offsets = [..."four three two one".split(" ")].map((word) => mixed.indexOf(word));
	assert.deepEqual(offsets.map(lineAt), [4, 3, 2, 1]);
});

test("line numbers stay right in long texts", () => {
	const text = "x".repeat(700).concat("\n").repeat(50);
	const lineAt = createLineIndex(text);
	for (const line of [1, 50, 2, 49, 25]) assert.equal(lineAt((line - 1) * 701 + 350), line);
});

test("an offset outside of the text is on its first or its last line", () => {
	const lineAt = createLineIndex("a\nb");
	assert.deepEqual([lineAt(-5), lineAt(99)], [1, 2]);
});
