import assert from "node:assert/strict";
import { test } from "node:test";
import { narrow } from "../../src/passages/narrow.ts";

const citation = { path: "a.html", lines: { start: 10, end: 20 } };
const linesOf = (text: string, file: string, property?: string) =>
	narrow(
		{ text, citation, ...(property !== undefined && { property }) },
		{ text: file, lines: { start: 10, end: 20 } },
	).citation.lines;

test("a sentence has the lines that it stands on, through line breaks and tags", () => {
	assert.deepEqual(linesOf("The light is green.", "<p>\n  The\n  light <b>is\n green</b>.\n</p>"), {
		start: 11,
		end: 13,
	});
	assert.deepEqual(linesOf("The light is green.", "# Light\n\nThe light\nis green."), { start: 12, end: 13 });
});

test("a value has the line that names its property, though others say the same", () => {
	const file = "<h2>12 steps</h2>\n<dt>Elevation</dt>\n<dd><data itemprop=elevation>12</data></dd>\nrange 12";
	assert.deepEqual(linesOf("12", file, "elevation"), { start: 12, end: 12 });
	assert.deepEqual(linesOf("12", file.replace("itemprop=elevation", ""), "elevation"), {
		start: 12,
		end: 12,
	});
	assert.deepEqual(linesOf("Ann; Bob", "head: Ann\n\nhead: Bob", "head"), { start: 10, end: 12 });
});

test("what is not found as it was said keeps the lines of its passage", () => {
	assert.deepEqual(linesOf("The light is red.", "The light is green."), citation.lines);
	assert.deepEqual(linesOf("Carl", "head: Ann", "head"), citation.lines);
});
