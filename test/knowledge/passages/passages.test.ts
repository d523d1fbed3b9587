import assert from "node:assert/strict";
import { test } from "node:test";
import { splitLines } from "../../../src/knowledge/passages/lines.ts";
import { cutPassages, MAX_PASSAGE, toBlocks } from "../../../src/knowledge/passages/passages.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { withoutSections } from "../../support/passages.ts";
import { times } from "../../support/times.ts";

/** Passages as `start-end length`. */
function cut(text: string, kind: "prose" | "lines" = "lines") {
	return withoutSections(cutPassages("Title", toBlocks(splitLines(text), kind)));
}

function shapes(text: string, kind: "prose" | "lines" = "lines"): string[] {
	return cut(text, kind).map(({ lines, text: words }) => `${lines.start}-${lines.end} ${words.length}`);
}

const paragraph = "A sentence of words. ".repeat(25).trim();

test("small paragraphs are gathered into one passage with the lines from the first to the last", () => {
	assert.deepEqual(cut("\none\n\n\ntwo\nthree\n"), [
		{ title: "Title", text: "one\n\ntwo\nthree", lines: { start: 2, end: 6 } },
	]);
});

test("a passage ends at a paragraph when the next one would make it too long", () => {
	assert.deepEqual(shapes([paragraph, paragraph, paragraph].join("\n\n")), ["1-3 1050", "5-5 524"]);
});

test("a block that fits into a passage is not torn", () => {
	const list = times(30, (index) => `- item ${index} ${"x".repeat(50)}`).join("\n");
	assert.ok(list.length < MAX_PASSAGE);
	assert.deepEqual(shapes(`intro\n\n${list}`), ["1-1 5", `3-32 ${list.length}`]);
});

test("a long block of lines is cut at line ends", () => {
	const passages = cut(times(100, (index) => `${index + 1} ${"y".repeat(40)}.`).join("\n"));
	assert.ok(passages.length > 2);
	for (const { text, lines } of passages) {
		assert.equal(Number.parseInt(text, 10), lines.start);
		assert.equal(text.split("\n").length, lines.end - lines.start + 1);
	}
});

test("a long paragraph is cut at sentences, and every part knows its lines", () => {
	const lines = times(60, (index) => `Line ${index + 1} begins here and\ngoes on. It ends`);
	const passages = cut(lines.join("\n"), "prose");
	assert.ok(passages.length > 2);
	for (const { text } of passages.slice(0, -1)) assert.match(text, /on\.$/);
	for (const [index, { lines: range }] of passages.slice(1).entries()) {
		const before = passages[index]?.lines.end ?? 0;
		assert.ok(range.start === before || range.start === before + 1);
	}
});

test("one endless line is cut hard, and all of it is kept", () => {
	const passages = cut("z".repeat(10_000));
	assert.ok(passages.every(({ text, lines }) => text.length <= MAX_PASSAGE && lines.end === 1));
	assert.equal(passages.map(({ text }) => text).join(""), "z".repeat(10_000));
});

test("what stands far apart is no passage together, but a long list is", () => {
	const list = times(40, (index) => `- ${index}`);
	assert.deepEqual(shapes([...list, "", "", ...list].join("\n")), ["1-40 189", "43-82 189"]);
	assert.deepEqual(shapes([...list, "", ...list].join("\n")), ["1-81 380"]);
	assert.deepEqual(shapes(times(90, () => "a word").join("\n")), ["1-90 629"]);
});

test("short lines of prose and lines with gaps between them cite sixty lines at most", () => {
	const verse = times(130, () => "a word").join("\n");
	assert.deepEqual(shapes(verse, "prose"), ["1-60 419", "61-120 419", "121-130 69"]);
	const sparse = times(50, (n) => ({ text: `cue ${n}`, lines: { start: 4 * n + 1, end: 4 * n + 3 } }));
	const passages = cutPassages("Title", [{ kind: "lines", lines: sparse }]);
	assertMapped(
		passages,
		({ lines }) => lines,
		[0, 15, 30, 45].map((first) => ({ start: 4 * first + 1, end: Math.min(4 * first + 59, 199) })),
	);
});

test("no character is cut in two", () => {
	for (const { text } of cut(`a${"😀".repeat(3000)}`)) assert.ok(text.isWellFormed());
});

test("what has no letter and no number makes no passage", () => {
	assert.deepEqual(cut("---\n\n***\n\n   \n"), []);
});
