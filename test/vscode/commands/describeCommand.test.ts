import assert from "node:assert/strict";
import { test } from "node:test";
import { Failure } from "../../../src/base/failure.ts";
import { describeReport, isBudget } from "../../../src/vscode/commands/describeCommand.ts";
import { LanguageModelError } from "../../support/fakeVscode.ts";

const AGAIN = "Run the command again to continue.";

test("a budget is a whole number from 1", () => {
	for (const text of ["1", " 50 ", "1000"]) assert.ok(isBudget(text), text);
	for (const text of ["", "0", "-1", "1.5", "all", "1e3", "0x10"]) assert.ok(!isBudget(text), text);
});

test("a person is told what was described, what was refused and what is left", () => {
	assert.equal(describeReport({ described: 1, refused: 0, left: 0 }), "1 document was described.");
	const refused = "Without a usable answer from the model: 2.";
	const told = describeReport({ described: 12, refused: 2, left: 1200 });
	assert.equal(told, `12 documents were described. ${refused} Still without a description: 1,200. ${AGAIN}`);
});

for (const [stoppedBy, words] of [
	[new Error("Enough for today."), "The language model failed: Enough for today."],
	[
		new LanguageModelError("NoPermissions", "no"),
		"Copilot-LD is not allowed to use this language model. Allow it, or choose another one.",
	],
	[new Failure("BUSY", "Another window keeps it."), "Another window keeps it."],
] as const)
	test(`what stopped a run is told first: ${words}`, () => {
		const told = describeReport({ described: 3, refused: 0, left: 1, stoppedBy });
		assert.equal(told, `${words} 3 documents were described. Still without a description: 1. ${AGAIN}`);
	});
