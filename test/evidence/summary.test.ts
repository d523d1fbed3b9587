import assert from "node:assert/strict";
import { test } from "node:test";
import { type CitedText, checkAnswer } from "../../src/evidence/checkAnswer.ts";
import { remarkOn, summaryOf, warningsOn } from "../../src/evidence/summary.ts";

const LINES: CitedText = { text: "Gannet Rock Light is 41 metres high, says Ida Fenwick.", titles: [] };

function check(answer: string, text: CitedText | undefined = LINES) {
	return checkAnswer(answer, () => text);
}

test("counts the statements that stand in their lines, and names what does not", () => {
	const checked = check("It is 41 m high [a.md:1]. It is 12 m wide, says Tom Hale [a.md:1].");
	assert.equal(summaryOf(checked), "1 of 2 statements have their figures and names in the cited lines.");
	assert.deepEqual(warningsOn(checked), ["12 m, Tom Hale are not what the cited lines say: [a.md:1]"]);
});

test("counts statements with facts that cite nothing", () => {
	assert.equal(
		summaryOf(check("It is 41 m high [a.md:1].\n\nIt was lit in 1861.")),
		"The statement has its figures and names in the cited lines. 1 statement with figures or names cites no lines that contain them.",
	);
});

test("does not count what the next sentence of its paragraph cites", () => {
	const checked = check("It is 41 m high. So says Ida Fenwick [a.md:1].");
	assert.equal(summaryOf(checked), "The statement has its figures and names in the cited lines.");
});

test("says nothing of an answer without facts, and of lines that cannot be read", () => {
	assert.equal(summaryOf(check("Nobody knows. It may rain [a.md:1].")), "");
	assert.equal(summaryOf(checkAnswer("It is 12 m high [a.md:1].", () => undefined)), "");
});

test("names a few things of many", () => {
	const [first] = check("It has 101, 102, 103, 104, 105 and 106 steps [a.md:1].");
	assert.equal(first && remarkOn(first), "101, 102, 103, 104, 2 more are not what the cited lines say.");
});

const COST = "It cost 12 euros and is 41 metres high.";
const HOUSE = "The light-\nhouse of Saint Orrin follows Good Manufacturing Practice, 45 % by 0.3.";

for (const [text, sentence, warnings] of [
	[COST, "It is 134.5 feet high", 0],
	[COST, "It is 154 feet high", 1],
	[COST, "It cost $12", 1],
	[COST, "It cost €12", 0],
	[HOUSE, "It is the Lighthouse of St. Orrin", 0],
	[HOUSE, "It follows GMP for 45 percent, or 30%", 0],
	[HOUSE, "It follows GLP for 55 percent", 1],
] as const)
	test(`“${sentence}” is ${warnings === 0 ? "in" : "not in"} “${text}”`, () => {
		const checked = check(`${sentence} [a.md:1].`, { text, titles: [] });
		assert.equal(warningsOn(checked).length, warnings);
	});
