import assert from "node:assert/strict";
import { setup, suite, test } from "mocha";
import * as vscode from "vscode";
import { ask, cancelTurn, invokeTool, openNewChat, useModel } from "./chat.ts";

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

	for (const [decision, isKept] of Object.entries({ skipTool: false, acceptTool: true }))
		test(`the tool remember asks the person, and after ${decision} ${isKept ? "keeps the fact" : "keeps nothing"}`, async () => {
			const text = `The keel is of oak, and this is for ${decision}.`;
			// The model is asked again when the call is decided.
			model.play([{ call: "copilot-ld_remember", input: { text } }], [{ wait: "for cancel" }]);
			const pending: object = await ask("Remember what the keel is made of.");
			assert.deepEqual("type" in pending && pending.type, "confirmation");
			assert.doesNotMatch(await recallFacts("keel oak"), new RegExp(decision));
			await vscode.commands.executeCommand(`workbench.action.chat.${decision}`);
			await model.waiting();
			assert.equal((await recallFacts("keel oak")).includes(text), isKept);
			await cancelTurn();
		});
});

/** What is remembered as facts; turns that speak of them are left out. */
async function recallFacts(query: string): Promise<string> {
	const text = await invokeTool("copilot-ld_recall_memory", { query });
	const facts = text.split("\n\n").filter((part) => part.startsWith("(remembered"));
	return facts.join("\n");
}
