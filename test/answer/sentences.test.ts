import assert from "node:assert/strict";
import { test } from "node:test";
import { sentencesOf } from "../../src/answer/units.ts";

const textsOf = (text: string) => sentencesOf(text).map(({ from, to }) => text.slice(from, to));

test("abbreviations, initials and numbers end no sentence", () => {
	assert.deepEqual(
		textsOf(
			"Dr. A. M. Thorne drew lens No. 3, e.g. in 1860. It was e. g. Heavy. Nobody says no. Then it broke.",
		),
		[
			"Dr. A. M. Thorne drew lens No. 3, e.g. in 1860.",
			"It was e. g. Heavy.",
			"Nobody says no.",
			"Then it broke.",
		],
	);
	assert.deepEqual(textsOf("It is 2.0 metres wide. What next? Nothing!"), [
		"It is 2.0 metres wide.",
		"What next?",
		"Nothing!",
	]);
});

test("German ordinals end no sentence", () => {
	assert.deepEqual(textsOf("Am 3. Mai kam der 2. Vorsitzende. Er blieb z.B. lange."), [
		"Am 3. Mai kam der 2. Vorsitzende.",
		"Er blieb z.B. lange.",
	]);
});

test("other scripts end their sentences in their own ways", () => {
	assert.deepEqual(textsOf("灯塔很高。它是绿色的。"), ["灯塔很高。", "它是绿色的。"]);
	assert.deepEqual(textsOf("مَن يحرس المنارة؟ يحرسها عمر."), ["مَن يحرس المنارة؟", "يحرسها عمر."]);
});

test("what has no end is cut between words and characters, and nothing to read is no sentence", () => {
	const long = textsOf("word ".repeat(1000));
	assert.ok(long.every((text) => text.length <= 600 && !/^ord|wor?$/.test(text)));
	assert.equal(long.join(""), "word ".repeat(1000));
	assert.ok(textsOf("😀a".repeat(1000)).every((text) => text.isWellFormed()));
	assert.deepEqual(textsOf("--- ... !!!\n\n***"), []);
});

test("hostile texts are read in a moment", () => {
	for (const piece of ["\"'", "(", "- ", "a,", "#", ". ", "[", "'''\n", "// a\n", "x = {\n"])
		assert.ok(textsOf(piece.repeat(20_000)).length >= 0);
});
