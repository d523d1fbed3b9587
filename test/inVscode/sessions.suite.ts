import assert from "node:assert/strict";
import { setup, suite, test } from "mocha";
import * as vscode from "vscode";
import { ask, openNewChat, useModel } from "./chat.ts";

suite("sessions", () => {
	const model = useModel();
	setup(openNewChat);

	test("a session goes on in a new chat with what was said in it", async () => {
		model.play([{ say: "Seven steps of green stone." }]);
		const { metadata } = await ask("How many steps has the stair?");
		const id = metadata?.sessionId;
		assert.ok(id);
		await openNewChat();
		const resumed = await ask(`/resume ${id}`);
		assert.equal(resumed.errorDetails, undefined);
		assert.equal(resumed.metadata?.sessionId, id);
		assert.equal(resumed.metadata?.resumedTurns, 1);
		model.play([{ say: "Green." }]);
		const next = await ask("Of which color are they?");
		assert.equal(next.metadata?.sessionId, id);
		assert.deepEqual(model.requests()[0]?.messages.slice(-3), [
			"user: How many steps has the stair?",
			"assistant: Seven steps of green stone.",
			"user: Of which color are they?",
		]);
	});

	test("the command opens a chat that goes on with the session", async () => {
		model.play([{ say: "Every spring." }]);
		const { metadata } = await ask("When is the tower painted?");
		await vscode.commands.executeCommand("copilot-ld.resumeSession", metadata?.sessionId);
		model.play([{ say: "As I said, every spring." }]);
		const next = await ask("Are you sure?");
		assert.equal(next.metadata?.sessionId, metadata?.sessionId);
		assert.ok(model.requests()[0]?.messages.includes("assistant: Every spring."));
	});
});
