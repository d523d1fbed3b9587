import assert from "node:assert/strict";
import { test } from "node:test";
import { createSessionInstructions } from "../../../src/vscode/turn/sessionInstructions.ts";
import { journalsInMemory } from "./journalsInMemory.ts";

const never = new AbortController().signal;

function open() {
	const { journals, sessions } = journalsInMemory();
	return { journals, instructions: createSessionInstructions(sessions) };
}

test("instructions are kept in the session's journal, and the last ones count", async () => {
	const { instructions, journals } = open();
	assert.equal(await instructions.of("a", never), "");
	await instructions.set("a", "Be short.", never);
	await instructions.set("a", "Use metres.", never);
	assert.equal(await instructions.of("a", never), "Use metres.");
	assert.equal(await instructions.of("b", never), "");
	assert.equal(journals.get("a")?.length, 3);
	await instructions.set("a", "", never);
	assert.equal(await instructions.of("a", never), "");
});

test("instructions that no request should carry are refused with their length", async () => {
	const { instructions, journals } = open();
	await assert.rejects(
		instructions.set("a", "x".repeat(4001), never),
		/up to 4,000 characters, but these have 4,001/,
	);
	assert.equal(journals.size, 0);
});
