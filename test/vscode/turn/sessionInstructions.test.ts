import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createSessionInstructions } from "../../../src/vscode/turn/sessionInstructions.ts";
import { never, openTemporary } from "../../sessions/temporarySessions.ts";

async function open(t: TestContext) {
	const { sessions } = await openTemporary(t);
	return { sessions, instructions: createSessionInstructions(sessions) };
}

test("instructions are kept in the session's journal, and the last ones count", async (t) => {
	const { instructions, sessions } = await open(t);
	assert.equal(await instructions.of("a", never), "");
	await instructions.set("a", "Be short.", never);
	await instructions.set("a", "Use metres.", never);
	assert.equal(await instructions.of("a", never), "Use metres.");
	assert.equal(await instructions.of("b", never), "");
	assert.equal((await sessions.list({ limit: 9 }, never)).total, 1);
	await instructions.set("a", "", never);
	assert.equal(await instructions.of("a", never), "");
});

test("instructions that no request should carry are refused with their length", async (t) => {
	const { instructions, sessions } = await open(t);
	const setting = instructions.set("a", "x".repeat(4001), never);
	await assert.rejects(setting, /up to 4,000 characters, but these have 4,001/);
	assert.equal((await sessions.list({ limit: 9 }, never)).total, 0);
});
