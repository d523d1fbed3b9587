import assert from "node:assert/strict";
import { test } from "node:test";
import { demoAnswer } from "../../scripts/demoModel/demoAnswer.ts";

const FOG = `Sources found:

[handbook/fog.md:12-14] Fog › The horns
Gannet Rock gives two blasts. The horns are tested on the last Tuesday of September.

[people.html:3-9] Person Lotte Varga
job title: Lamp technician
works for: the Workshop
id: https://merrow.example/id/person/lotte-varga
`;

test("quotes the statement that shares the most words with the question, and cites its passage", () => {
	const [first] = quotesIn(demoAnswer("When are the horns tested?", [FOG]));
	assert.match(
		first ?? "",
		/The horns are tested on the last Tuesday of September\. \[handbook\/fog\.md:12-14\]$/,
	);
});

test("a title counts too, so that a property of a resource is found by its name", () => {
	const [first] = quotesIn(demoAnswer("Who does Lotte Varga work for?", [FOG]));
	assert.match(first ?? "", /Lotte Varga: works for: the Workshop \[people\.html:3-9\]$/);
});

test("a passage that was found twice is quoted once", () => {
	assert.deepEqual(
		demoAnswer("When are the horns tested?", [FOG, FOG]),
		demoAnswer("When are the horns tested?", [FOG]),
	);
});

test("says that it is a demo", () => {
	assert.match(demoAnswer("When are the horns tested?", [FOG]), /^\*\*Demo answer\*\*/);
});

test("says so where nothing fits", () => {
	assert.match(demoAnswer("What is a xylophone?", [FOG]), /no passage about this/);
});

function quotesIn(answer: string): string[] {
	return answer.split("\n").filter((line) => line.startsWith("- "));
}
