import assert from "node:assert/strict";
import { test } from "node:test";
import { sentencesOf, unitsOf } from "../../src/answer/units.ts";
import type { SectionForm } from "../../src/core/knowledge/sectionForm.ts";

const textsOf = (form: SectionForm, text: string) => unitsOf({ form, text }).map((unit) => unit.text);

/** Units that follow one another, each on lines of its own. */
const assertUnits = (form: SectionForm, ...units: string[]) =>
	assert.deepEqual(textsOf(form, units.join("\n")), units);

test("an item has the lines that continue it, and a question its answer", () => {
	assertUnits("list", "- Oil the bearing,\n  but only in May.", "- Close the valve.", "1. First");
	assertUnits("list", "Who winds the clock?\nThe second keeper.", "When does it stop?\nOn Sundays.");
});

test("the header of a table is no row, unless nothing else is there", () => {
	const rows = ["Horn | Halden", "Lamp | Osterby"];
	assert.deepEqual(textsOf("table", ["Part | Maker", "--- | ---", ...rows].join("\n")), rows);
	assert.deepEqual(textsOf("table", "| Part | Maker |\n| --- | --- |"), ["| Part | Maker |"]);
	assertUnits("table", "Part: Horn | Maker: Halden", "Part: Lamp | Maker: Osterby");
});

test("a record is what it says of its thing, or else its name", () => {
	assert.deepEqual(textsOf("record", "Horn\nmaker: Halden\nid: urn:horn"), ["maker: Halden"]);
	assert.deepEqual(textsOf("record", "Horn\nid: urn:horn"), ["Horn\nid: urn:horn"]);
});

test("a line of code has the comment above it, without the fence around the code", () => {
	const [eye, far] = ["# The eye above\n# the water.\nEYE = 4.0", "def far(x):\n    return x"];
	assert.deepEqual(textsOf("code", `\`\`\`py\n${eye}\n\n${far}\n\`\`\``), [eye, ...far.split("\n")]);
});

test("wrapped lines of a plain text are sentences; lines that each say something are not", () => {
	const built = "The light was built by the sailors of the town\nin one summer.";
	assert.deepEqual(textsOf("lines", `${built} It is green.`), [built, "It is green."]);
	assertUnits("lines", "Height: 41 m", "Colour: green");
	const long = `- ${"The bell rings once a minute in fog. ".repeat(8).trim()}`;
	assert.equal(textsOf("list", long).length, 8);
});

const sentenceTexts = (text: string) => sentencesOf(text).map(({ from, to }) => text.slice(from, to));

for (const sentences of [
	["Dr. A. M. Thorne drew lens No. 3, e.g. in 1860.", "It was e. g. Heavy.", "Nobody says no.", "It broke."],
	["It is 2.0 metres wide.", "What next?", "Nothing!"],
	["Am 3. Mai kam der 2. Vorsitzende.", "Er blieb z.B. lange."],
	["مَن يحرس المنارة؟", "يحرسها عمر."],
	["灯塔很高。它是绿色的。"],
])
	test(`abbreviations, initials, numbers and ordinals end no sentence: ${sentences[0]}`, () => {
		const expected = sentences.flatMap((sentence) => sentence.split(/(?<=。)(?=.)/));
		assert.deepEqual(sentenceTexts(sentences.join(" ")), expected);
	});

test("what has no end is cut between words and characters, and nothing to read is no sentence", () => {
	const long = sentenceTexts("word ".repeat(1000));
	assert.ok(long.every((text) => text.length <= 600 && !/^ord|wor?$/.test(text)));
	assert.equal(long.join(""), "word ".repeat(1000));
	assert.ok(sentenceTexts("😀a".repeat(1000)).every((text) => text.isWellFormed()));
	assert.deepEqual(sentenceTexts("--- ... !!!\n\n***"), []);
});

test("hostile texts are read in a moment, whatever they are taken for", () => {
	const pieces = [`"'`, "(", "- ", "a,", "#", ". ", "[", "'''\n", "// a\n", "x = {\n"];
	for (const piece of pieces) assert.ok(sentenceTexts(piece.repeat(20_000)).length >= 0);
	for (const form of ["list", "table", "code", "lines", "record"] as const)
		for (const piece of ["a|", "# ", "|-", "a?\n", "```", ...pieces])
			assert.ok(textsOf(form, piece.repeat(10_000)).length >= 0);
});
