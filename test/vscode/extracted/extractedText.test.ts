import assert from "node:assert/strict";
import { test } from "node:test";
import { LAST_LINE } from "../../../src/core/knowledge/citation.ts";
import { renderParts } from "../../../src/vscode/extracted/extractedView.ts";

const part = (name: string, text: string, start = 1) => ({
	uri: "file:///w/a",
	path: "a",
	title: "A",
	text,
	lines: { part: name, start, end: start + text.split("\n").length - 1 },
});

test("extracted pages are shown in order; a cited place leads to its lines, counted from a sheet's first row", () => {
	const { text, linesOf } = renderParts([part("p1", "one\ntwo"), part("p2", "three\nfour\nfive")]);
	const lines = text.split("\n");
	const shown = (place: Parameters<typeof linesOf>[0]) => {
		const { start = 0, end = -1 } = linesOf(place) ?? {};
		return lines.slice(start, end + 1);
	};
	assert.deepEqual(lines.slice(0, 4), ["── p1 ──", "", "one", "two"]);
	assert.deepEqual(shown({ part: "p2", start: 2, end: 3 }), ["four", "five"]);
	assert.deepEqual(shown({ part: "p2", start: 1, end: LAST_LINE }), ["three", "four", "five"]);
	assert.equal(linesOf({ part: "p3", start: 1, end: 1 }), undefined);
	const sheet = renderParts([part("Costs", "head\nrow", 7)]);
	const { start = 0 } = sheet.linesOf({ part: "Costs", columns: "A:B", start: 8, end: 8 }) ?? {};
	assert.equal(sheet.text.split("\n")[start], "row");
});
