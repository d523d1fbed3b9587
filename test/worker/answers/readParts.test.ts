import assert from "node:assert/strict";
import { test } from "node:test";
import { formatPlace, LAST_LINE } from "../../../src/core/knowledge/citation.ts";
import { byPart, cutParts, linesOf, placeIn, targetsOf } from "../../../src/worker/answers/read.ts";

const PAGES = [
	{ name: "p1", line: 1, lines: 10 },
	{ name: "p2", line: 11, lines: 5 },
	{ name: "Costs", columns: "B:F", line: 16, lines: 4, first: 7 },
];

const linesAt = (start: number, end: number) => ({ start, end });

for (const [start, end, written] of [
	[3, 4, "p1:3-4"],
	[11, 15, "p2"],
	[12, 12, "p2:2"],
	[9, 13, "p1:9-10"],
	[17, 17, "Costs!B8:F8"],
	[16, 30, "Costs!B7:F10"],
] as const)
	test(`lines ${start} to ${end} of the extracted text are ${written}`, () => {
		assert.equal(formatPlace(placeIn(PAGES, { start, end })), written);
	});

test("a place leads back to its lines, and a narrower or wider one to those of them that are there", () => {
	assert.deepEqual(linesOf(PAGES, { part: "p2", start: 1, end: LAST_LINE }), linesAt(11, 15));
	assert.deepEqual(linesOf(PAGES, { part: "p2", start: 2, end: 3 }), linesAt(12, 13));
	const rows = { part: "Costs", columns: "C:D", start: 8, end: 99 };
	assert.deepEqual(linesOf(PAGES, rows), linesAt(17, 19));
	assert.equal(linesOf(PAGES, { part: "p3", start: 1, end: 1 }), undefined);
	assert.equal(linesOf(PAGES, { part: "Costs", start: 1, end: 1 }), undefined);
});

test("lines over several pages are told page by page", () => {
	assert.deepEqual(byPart(PAGES, linesAt(9, 12)), [linesAt(9, 10), linesAt(11, 12)]);
	assert.deepEqual(byPart([], linesAt(9, 12)), [linesAt(9, 12)]);
});

test("a line longer than all is cut inside", () => {
	const lines = { start: 1, end: 1 };
	const part = { uri: "file:///a.md", path: "a.md", title: "A", text: "abcdefgh", lines };
	const cut = { parts: [{ ...part, text: "abc" }], totalCharacters: 8, truncated: true };
	assert.deepEqual(cutParts([part], 3), cut);
});

test("what is asked for may be an IRI, a path with or without lines, a URI or a label", () => {
	const cases: [string, ReturnType<typeof targetsOf>][] = [
		["Ada Byron", [{ name: "Ada Byron" }]],
		["<https://example.org/ada>", [{ name: "https://example.org/ada" }]],
		["./docs/a.md", [{ name: "docs/a.md" }]],
		["docs/a.md:3-9", [{ name: "docs/a.md:3-9" }, { name: "docs/a.md", lines: linesAt(3, 9) }]],
		["[docs/a b.md:7]", [{ name: "docs/a b.md", lines: linesAt(7, 7) }, { name: "docs/a b.md:7" }]],
		[
			"[x%5D %5B%.md:7]",
			[
				{ name: "x%5D %5B%.md", lines: linesAt(7, 7) },
				{ name: "x] [%.md", lines: linesAt(7, 7) },
				{ name: "x%5D %5B%.md:7" },
			],
		],
		["a.md:9-3", [{ name: "a.md:9-3" }, { name: "a.md", lines: linesAt(9, 9) }]],
		["file:///x/a%28b.md", [{ name: "file:///x/a(b.md" }]],
		["urn:isbn:1", [{ name: "urn:isbn:1" }, { name: "urn:isbn", lines: linesAt(1, 1) }]],
	];
	for (const [text, targets] of cases) assert.deepEqual(targetsOf(text), targets, text);
});
