import assert from "node:assert/strict";
import { test } from "node:test";
import { joinNeighbours } from "../../src/retrieve/joinNeighbours.ts";

function place(id: string, text = `Text ${id}.`, title = "Guide") {
	const start = 10 * Number(id.split("#")[1]) + 1;
	const lines = { start, end: start + 8 };
	const content = [{ uri: "file:///a.md", title, form: "prose", text, lines } as const];
	return { id, title, text, lines, content };
}

const isText = () => true;

test("passages that follow one another are one hit, where the best of them stood", () => {
	const hits = joinNeighbours(
		["a#4", "b#1", "a#3", "a#5"].map((id) => place(id)),
		isText,
	);
	assert.deepEqual(
		hits.map(({ id, lines, text }) => ({ id, lines, text })),
		[
			{ id: "a#4", lines: { start: 31, end: 59 }, text: "Text a#3.\n\nText a#4.\n\nText a#5." },
			{ id: "b#1", lines: { start: 11, end: 19 }, text: "Text b#1." },
		],
	);
});

test("passages of other documents, and those with a gap between them, stay apart", () => {
	const hits = ["a#1", "a#3", "b#2", "a#b#2"].map((id) => place(id));
	assert.deepEqual(joinNeighbours(hits, isText), hits);
});

test("a heading that begins within the joined text stands there", () => {
	const [hit] = joinNeighbours(
		[place("a#1", "First.", "A › One"), place("a#2", "Second.", "A › Two")],
		isText,
	);
	assert.equal(hit?.title, "A › One");
	assert.equal(hit?.text, "First.\n\nA › Two\nSecond.");
	assert.deepEqual(
		hit?.content.map(({ title, text }) => `${title}: ${text}`),
		["A › One: First.", "A › Two: Second."],
	);
});

for (const [title, hits, expected] of [
	[
		"what would be too long stays apart",
		[0, 1, 2].map((index) => place(`a#${index}`, "x".repeat(1900))),
		["1-19", "21-29"],
	],
	[
		"what would cite more lines than somebody reads stays apart",
		[0, 1, 2, 3, 4, 5, 6].map((index) => place(`a#${index}`)),
		["1-59", "61-69"],
	],
] as const)
	test(title, () => {
		const joined = joinNeighbours(hits, isText);
		assert.deepEqual(
			joined.map(({ lines: { start, end } }) => `${start}-${end}`),
			expected,
		);
	});

test("what verbalizes a resource is a whole by itself", () => {
	const hits = ["a#1", "a#2"].map((id) => place(id));
	assert.deepEqual(
		joinNeighbours(hits, ({ id }) => id !== "a#2"),
		hits,
	);
});
