import assert from "node:assert/strict";
import { test } from "node:test";
import { sentencesOf } from "../../src/passages/sentences.ts";

const textsOf = (text: string) => sentencesOf(text).map((sentence) => sentence.text);

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

test("a paragraph flows over its lines; items, rows and code do not", () => {
	assert.deepEqual(textsOf("The light\nis green.\n\n- one thing\n- another\n\na,b,c\n1,2,3\n2,3,4"), [
		"The light\nis green.",
		"one thing",
		"another",
		"a,b,c",
		"1,2,3",
		"2,3,4",
	]);
	assert.deepEqual(textsOf("# The eye above the water.\nEYE = 4.0\n\ndef far(x):\n    return x"), [
		"The eye above the water.\nEYE = 4.0",
		"def far(x):",
		"return x",
	]);
});

test("other scripts end their sentences in their own ways", () => {
	assert.deepEqual(textsOf("灯塔很高。它是绿色的。"), ["灯塔很高。", "它是绿色的。"]);
	assert.deepEqual(textsOf("مَن يحرس المنارة؟ يحرسها عمر."), ["مَن يحرس المنارة؟", "يحرسها عمر."]);
});

test("what has no end is cut between words and characters, and nothing to read is no sentence", () => {
	const long = textsOf(`${"word ".repeat(1000)}`);
	assert.ok(long.every((text) => text.length <= 600 && !text.startsWith("ord")));
	assert.equal(long.join(" "), "word ".repeat(1000).trim());
	assert.ok(textsOf("😀a".repeat(1000)).every((text) => text.isWellFormed()));
	assert.deepEqual(textsOf("--- ... !!!\n\n***"), []);
});

test("hostile texts are read in a moment", () => {
	for (const piece of ["\"'", "(", "- ", "a,", "#", ". ", "[", "'''\n", "// a\n", "x = {\n"])
		assert.ok(textsOf(piece.repeat(20_000)).length >= 0);
});
