import assert from "node:assert/strict";
import { test } from "node:test";
import { sentencesOf, unitsOf } from "../../src/answer/units.ts";
import type { SectionForm } from "../../src/core/knowledge/sectionForm.ts";

const textsOf = (form: SectionForm, text: string) =>
	unitsOf({ form, text }).map(({ from, to }) => text.slice(from, to));

test("an item has the lines that continue it, and a question its answer", () => {
	assert.deepEqual(textsOf("list", "- Oil the bearing,\n  but only in May.\n- Close the valve.\n1. First"), [
		"- Oil the bearing,\n  but only in May.",
		"- Close the valve.",
		"1. First",
	]);
	const faq = "Who winds the clock?\nThe second keeper.\nWhen does it stop?\nOn Sundays.";
	assert.deepEqual(textsOf("list", faq), [
		"Who winds the clock?\nThe second keeper.",
		"When does it stop?\nOn Sundays.",
	]);
});

test("the header of a table is no row, unless nothing else is there", () => {
	assert.deepEqual(textsOf("table", "Part | Maker\n--- | ---\nHorn | Halden\nLamp | Osterby"), [
		"Horn | Halden",
		"Lamp | Osterby",
	]);
	assert.deepEqual(textsOf("table", "| Part | Maker |\n| --- | --- |"), ["| Part | Maker |"]);
	const named = "Part: Horn | Maker: Halden\nPart: Lamp | Maker: Osterby";
	assert.deepEqual(textsOf("table", named), named.split("\n"));
});

test("a record is what it says of its thing, or else its name", () => {
	assert.deepEqual(textsOf("record", "Horn\nmaker: Halden\nid: urn:horn"), ["maker: Halden"]);
	assert.deepEqual(textsOf("record", "Horn\nid: urn:horn"), ["Horn\nid: urn:horn"]);
});

test("a line of code has the comment above it, without the fence around the code", () => {
	assert.deepEqual(
		textsOf("code", "```py\n# The eye above\n# the water.\nEYE = 4.0\n\ndef far(x):\n    return x\n```"),
		["# The eye above\n# the water.\nEYE = 4.0", "def far(x):", "    return x"],
	);
});

test("wrapped lines of a plain text are sentences; lines that each say something are not", () => {
	const wrapped = "The light was built by the sailors of the town\nin one summer. It is green.";
	const sentences = ["The light was built by the sailors of the town\nin one summer.", "It is green."];
	assert.deepEqual(textsOf("lines", wrapped), sentences);
	assert.deepEqual(textsOf("lines", "Height: 41 m\nColour: green"), ["Height: 41 m", "Colour: green"]);
	const long = `- ${"The bell rings once a minute in fog. ".repeat(8).trim()}`;
	assert.equal(textsOf("list", long).length, 8);
});

test("hostile sections are read in a moment", () => {
	for (const form of ["list", "table", "code", "lines", "record"] as const)
		for (const piece of ["- ", "a|", "# ", "|-", "'''\n", "// a\n", "x = {\n", "a?\n", "```"])
			assert.ok(textsOf(form, piece.repeat(10_000)).length >= 0);
});

const sentenceTexts = (text: string) => sentencesOf(text).map(({ from, to }) => text.slice(from, to));

test("abbreviations, initials and numbers end no sentence", () => {
	assert.deepEqual(
		sentenceTexts(
			"Dr. A. M. Thorne drew lens No. 3, e.g. in 1860. It was e. g. Heavy. Nobody says no. Then it broke.",
		),
		[
			"Dr. A. M. Thorne drew lens No. 3, e.g. in 1860.",
			"It was e. g. Heavy.",
			"Nobody says no.",
			"Then it broke.",
		],
	);
	assert.deepEqual(sentenceTexts("It is 2.0 metres wide. What next? Nothing!"), [
		"It is 2.0 metres wide.",
		"What next?",
		"Nothing!",
	]);
});

test("German ordinals end no sentence", () => {
	assert.deepEqual(sentenceTexts("Am 3. Mai kam der 2. Vorsitzende. Er blieb z.B. lange."), [
		"Am 3. Mai kam der 2. Vorsitzende.",
		"Er blieb z.B. lange.",
	]);
});

test("other scripts end their sentences in their own ways", () => {
	assert.deepEqual(sentenceTexts("灯塔很高。它是绿色的。"), ["灯塔很高。", "它是绿色的。"]);
	assert.deepEqual(sentenceTexts("مَن يحرس المنارة؟ يحرسها عمر."), ["مَن يحرس المنارة؟", "يحرسها عمر."]);
});

test("what has no end is cut between words and characters, and nothing to read is no sentence", () => {
	const long = sentenceTexts("word ".repeat(1000));
	assert.ok(long.every((text) => text.length <= 600 && !/^ord|wor?$/.test(text)));
	assert.equal(long.join(""), "word ".repeat(1000));
	assert.ok(sentenceTexts("😀a".repeat(1000)).every((text) => text.isWellFormed()));
	assert.deepEqual(sentenceTexts("--- ... !!!\n\n***"), []);
});

test("hostile texts are read in a moment", () => {
	for (const piece of ["\"'", "(", "- ", "a,", "#", ". ", "[", "'''\n", "// a\n", "x = {\n"])
		assert.ok(sentenceTexts(piece.repeat(20_000)).length >= 0);
});
