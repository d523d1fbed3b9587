import assert from "node:assert/strict";
import { test } from "node:test";
import { createWordTable, fold } from "../../../src/base/words/wordTable.ts";
import { createDice } from "../../support/random.ts";

const PARTS =
	"word Word a 1 é e\u0301 ﬁ … ™ ² ½ 中文 한국어 각 𝐀 😀 \ud800 \udc00 \u0301 “ — . .. _ ._ - + \n".split(
		" ",
	);

/** The words of a text as a regular expression finds them. */
function wordsOf(text: string, joiners: boolean): string[] {
	const pattern = joiners ? /[\p{L}\p{N}]+(?:[._]+[\p{L}\p{N}]+)*/gu : /[\p{L}\p{N}]+/gu;
	return fold(text).match(pattern) ?? [];
}

for (const joiners of ["", "._"]) {
	test(`words joined by "${joiners}" are those that a regular expression finds`, () => {
		const table = createWordTable({ understand: (word) => word, joiners });
		const dice = createDice(1);
		for (let round = 0; round < 5000; round++) {
			const text = Array.from(
				{ length: dice(9) },
				() => PARTS[dice(PARTS.length)] + " ".repeat(dice(2)),
			).join("");
			const found = table.read(text) ?? table.readFolded(fold(text));
			assert.deepEqual(found, wordsOf(text, joiners !== ""), JSON.stringify(text));
		}
	});
}

test("every different word is looked at once, until there are too many to remember", () => {
	let looks = 0;
	const table = createWordTable({ understand: () => looks++, joiners: "" });
	const numbers = (count: number) => Array.from({ length: count }, (_, number) => `n${number}`).join(" ");
	assert.equal(table.read(`${numbers(1000)} ${numbers(1000)}`)?.length, 2000);
	assert.equal(looks, 1000);
	assert.equal(new Set(table.read(numbers(100_000))).size, 100_000);
	assert.equal(new Set(table.read(numbers(500))).size, 500);
});

test("a text that is another one when folded must be folded first", () => {
	const table = createWordTable({ understand: (word) => word, joiners: "" });
	assert.equal(table.read("naïve"), undefined);
	assert.deepEqual(table.readFolded(fold("naïve ﬁles")), ["naive", "files"]);
});
