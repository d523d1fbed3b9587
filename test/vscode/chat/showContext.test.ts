import assert from "node:assert/strict";
import { test } from "node:test";
import { contextDocument } from "../../../src/vscode/chat/showContext.ts";

test("a report says what was given, what was cut, what was left out, and why", () => {
	const text = contextDocument({
		budget: 30_400,
		used: 1234,
		parts: [
			{ section: "history", title: "What | burns?", tokens: 90, given: 0, why: "it did not fit" },
			{ section: "sources", title: "a.md:3 Lamp", tokens: 40, given: 40, why: "the first search found it" },
			{ section: "results", title: "read", tokens: 5000, given: 700, why: "it was cut" },
		],
	});
	const head = "| What | Tokens | Why |\n| --- | ---: | --- |\n";
	assert.deepEqual(text.split("\n\n"), [
		"# What the model was given",
		"The last request of this turn took **1,234 of 30,400 tokens**, as counted by the model.\n1 of 3 pieces were left out.",
		"## Sources of the first search: 40 tokens",
		`${head}| a.md:3 Lamp | 40 | the first search found it |`,
		"## Earlier turns: 0 tokens",
		`${head}| What \\| burns? | left out (90) | it did not fit |`,
		"## Results of tools: 700 tokens",
		`${head}| read | 700 of 5,000 | it was cut |`,
	]);
});
