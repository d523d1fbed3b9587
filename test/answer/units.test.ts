import assert from "node:assert/strict";
import { test } from "node:test";
import { sentencesOf, unitsOf } from "../../src/answer/units.ts";
import type { SectionForm } from "../../src/core/knowledge/sectionForm.ts";

const textsOf = (form: SectionForm, text: string) => unitsOf({ form, text }).map((unit) => unit.text);

/** Units that follow one another, each on lines of its own. */
const assertUnits = (form: SectionForm, ...units: string[]) =>
	assert.deepEqual(textsOf(form, units.join("\n")), units);

test("a list item is a unit with its continued lines, and a question with its answer", () => {
	assertUnits("list", "- Oil the bearing,\n  but only in May.", "- Close the valve.", "1. First");
	assertUnits("list", "Who winds the clock?\nThe second keeper.", "When does it stop?\nOn Sundays.");
});

test("the header of a table is a unit only if the table has no rows", () => {
	const rows = ["Horn | Halden", "Lamp | Osterby"];
	assert.deepEqual(textsOf("table", ["Part | Maker", "--- | ---", ...rows].join("\n")), rows);
	assert.deepEqual(textsOf("table", "| Part | Maker |\n| --- | --- |"), ["| Part | Maker |"]);
	assertUnits("table", "Part: Horn | Maker: Halden", "Part: Lamp | Maker: Osterby");
});

test("the units of a record are its properties, or its name without properties", () => {
	assert.deepEqual(textsOf("record", "Horn\nmaker: Halden\nid: urn:horn"), ["maker: Halden"]);
	assert.deepEqual(textsOf("record", "Horn\nid: urn:horn"), ["Horn\nid: urn:horn"]);
});

test("a line of code is a unit with the comment above it, without the fence around the code", () => {
	const [eye, far] = ["# The eye above\n# the water.\nEYE = 4.0", "def far(x):\n    return x"];
	assert.deepEqual(textsOf("code", `\`\`\`py\n${eye}\n\n${far}\n\`\`\``), [eye, ...far.split("\n")]);
});

test("wrapped lines of a text are cut at sentences; lines of keys and values are units", () => {
	const built = "The light was built by the sailors of the town\nin one summer.";
	assert.deepEqual(textsOf("lines", `${built} It is green.`), [built, "It is green."]);
	assertUnits("lines", "Height: 41 m", "Colour: green");
	const long = `- ${"The bell rings once a minute in fog. ".repeat(8).trim()}`;
	assert.equal(textsOf("list", long).length, 8);
});

const sentenceTexts = (text: string) => sentencesOf(text).map(({ from, to }) => text.slice(from, to));

test("a text is cut at its sentences, not at abbreviations, initials, numbers and ordinals", () => {
	for (const sentences of [
		[
			"Dr. A. M. Thorne drew lens No. 3, e.g. in 1860.",
			"It was e. g. Heavy.",
			"Nobody says no.",
			"It broke.",
		],
		["It is 2.0 metres wide.", "What next?", "Nothing!"],
		["Am 3. Mai kam der 2. Vorsitzende.", "Er blieb z.B. lange."],
		["مَن يحرس المنارة؟", "يحرسها عمر."],
	])
		assert.deepEqual(sentenceTexts(sentences.join(" ")), sentences);
	assert.deepEqual(sentenceTexts("灯塔很高。它是绿色的。"), ["灯塔很高。", "它是绿色的。"]);
});

test("a text without sentence ends is cut between words, and a text without letters has no sentence", () => {
	const long = sentenceTexts("word ".repeat(1000));
	assert.ok(long.every((text) => text.length <= 600 && !/^ord|wor?$/.test(text)));
	assert.equal(long.join(""), "word ".repeat(1000));
	assert.ok(sentenceTexts("😀a".repeat(1000)).every((text) => text.isWellFormed()));
	assert.deepEqual(sentenceTexts("--- ... !!!\n\n***"), []);
});

test("texts of repeated markup are cut into units without quadratic time, in every form", () => {
	const pieces = [`"'`, "(", "- ", "a,", "#", ". ", "[", "'''\n", "// a\n", "x = {\n"];
	for (const piece of pieces) assert.ok(sentenceTexts(piece.repeat(20_000)).length >= 0);
	for (const form of ["list", "table", "code", "lines", "record"] as const)
		for (const piece of ["a|", "# ", "|-", "a?\n", "```", ...pieces])
			assert.ok(textsOf(form, piece.repeat(10_000)).length >= 0);
});
