import assert from "node:assert/strict";
import { setup, suite, test } from "mocha";
import * as vscode from "vscode";
import { ask, openNewChat, useModel } from "./chat.ts";

suite("sessions", () => {
	const model = useModel();
	setup(openNewChat);

	test("the resume command continues a session in a new chat with its earlier turns", async () => {
		model.play([{ say: "Seven steps of green stone." }]);
		const { metadata } = await ask("How many steps has the stair?");
		assert.ok(metadata?.sessionId);
		await vscode.commands.executeCommand("copilot-ld.resumeSession", metadata.sessionId);
		model.play([{ say: "Green." }]);
		const next = await ask("Of which color are they?");
		assert.equal(next.metadata?.sessionId, metadata.sessionId);
		assert.deepEqual(model.requests()[0]?.messages.slice(-3), [
			"user: How many steps has the stair?",
			"assistant: Seven steps of green stone.",
			"user: Of which color are they?",
		]);
	});
});
