import assert from "node:assert/strict";
import { test } from "node:test";
import { formatCitation } from "../../src/core/knowledge/citation.ts";
import { statementsIn } from "../../src/evidence/statements.ts";

function read(answer: string): (readonly [text: string, citations: string])[] {
	return statementsIn(answer).map(({ text, citations }) => [text, citations.map(formatCitation).join("")]);
}

test("what stands before or behind the stop of a sentence is cited by it", () => {
	assert.deepEqual(read("It is red [a.md:1]. It is old. [a.md:2] It is far [a.md:3-4][b.md:1]."), [
		["It is red.", "[a.md:1]"],
		["It is old.", "[a.md:2]"],
		["It is far.", "[a.md:3-4][b.md:1]"],
	]);
});

test("an abbreviation, an initial and a decimal end no sentence", () => {
	assert.deepEqual(
		read("Dr. Hale met J. Wren at No. 3, i.e. Mr. Lund's. It was 3.5 m high.").map(([text]) => text),
		["Dr. Hale met J. Wren at No. 3, i.e. Mr. Lund's.", "It was 3.5 m high."],
	);
});

test("each item of a list and each row of a table is a statement; headings, code and rules are none", () => {
	const answer =
		"# The 3 lights\n\nThey are:\n\n- **Gannet Rock** [a.md:1]\n2. Pell Reef\n\n```\n12 m\n```\n\n| a | b |\n|---|---|\n| 12 | x [a.md:2] |";
	assert.deepEqual(read(answer), [
		["They are:", ""],
		["Gannet Rock", "[a.md:1]"],
		["Pell Reef", ""],
		["| a | b |", ""],
		["| 12 | x |", "[a.md:2]"],
	]);
});

test("a line of sources cites for what stands before it", () => {
	const [first, second] = statementsIn("It is 12 m high.\n\nSources: [a.md:1] [b.md:2]\n\nIt is red.");
	assert.deepEqual(first?.nearby.map(formatCitation), ["[a.md:1]", "[b.md:2]"]);
	assert.deepEqual([second?.text, second?.nearby], ["It is red.", []]);
});

test("an answer cannot forge the marks that stand for citations", () => {
	assert.deepEqual(read("A \uE0000\uE001 b [a.md:1]."), [["A 0 b.", "[a.md:1]"]]);
});

test("long hostile answers are read to their end", () => {
	for (const piece of ["[a.md:1", "[a](", "A.", "A-", "1,", "**", '"a', "AAAA1", "| ", "> "])
		assert.doesNotThrow(() => statementsIn(piece.repeat(10_000)), piece);
});
