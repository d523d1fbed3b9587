import assert from "node:assert/strict";
import { setup, suite, suiteSetup, suiteTeardown, test } from "mocha";
import * as vscode from "vscode";
import * as scripted from "../models/scriptedServer.ts";
import { ask, openNewChat } from "./chat.ts";
import { tell } from "./testReport.ts";

const VENDOR = "copilot-ld-servers";

suite("models of a server", () => {
	let server: scripted.ScriptedServer;
	const ends: (() => void)[] = [];

	suiteSetup(async function () {
		server = await scripted.scriptedServer({ after: (end: () => void) => void ends.push(end) });
		const wanting = scripted.json({ error: { message: "Who are you?" } }, 401);
		const models = scripted.json({ data: [{ id: "tiny", max_model_len: 32_768 }] });
		server.pages.set("/v1/models", (response, asked) =>
			(asked.headers.authorization === "Bearer sk-secret" ? models : wanting)(response, asked),
		);
		const adding = vscode.commands.executeCommand("copilot-ld.addModel");
		// A desktop VS Code has no page to type the answers into.
		if (!(await see("The address of a server", "model-address"))) return this.skip();
		await type("The address of a server", server.origin);
		await type("API key for", "sk-secret");
		await pick("tiny");
		await type("can read and write in one request", "32768");
		await see("Calls tools", "model-abilities");
		await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
		await adding;
	});

	suiteTeardown(async () => {
		for (const end of ends) end();
	});

	setup(openNewChat);

	test("an added model is among VS Code's models, which are listed without a request to the server", async () => {
		const before = server.asked.length;
		const [model] = await vscode.lm.selectChatModels({ vendor: VENDOR });
		assert.deepEqual([model?.name, model?.maxInputTokens], ["tiny", 28_672]);
		assert.equal(server.asked.length, before);
		assert.ok(((await model?.countTokens("Who keeps the light?")) ?? 0) > 0);
		assert.equal(server.asked.length, before);
	});

	test("@copilot-ld answers with an added model and runs the model's tool calls", async () => {
		const query = '{"query":"Gannet Rock Light"}';
		const call = scripted.callPiece(0, { id: "a", name: "copilot-ld_search_knowledge", arguments: query });
		server.play(
			scripted.streams(call, scripted.finish("tool_calls")),
			scripted.says("Ida ", "Fenwick keeps it."),
		);
		const { metadata } = await ask("Who keeps Gannet Rock Light?", VENDOR);
		assert.match(metadata?.answer ?? "", /Ida Fenwick keeps it\./);
		const last = server.asked.at(-1);
		assert.equal(last?.headers.authorization, "Bearer sk-secret");
		const messages = last?.body["messages"] as { role: string; content: string; tool_call_id?: string }[];
		const result = messages.find(({ role }) => role === "tool");
		assert.equal(result?.tool_call_id, "a");
		assert.match(result?.content ?? "", /Gannet Rock Light/);
	});

	test("a removed model is no longer listed", async () => {
		const removing = vscode.commands.executeCommand("copilot-ld.removeModel");
		await pick("tiny");
		await removing;
		assert.deepEqual(await vscode.lm.selectChatModels({ vendor: VENDOR }), []);
	});
});

async function see(words: string, picture?: string): Promise<boolean> {
	return (await tell("lookAtPick", { words, ...(picture && { picture }) })) !== null;
}

/** Types into the input box whose title or prompt has the words. */
async function type(words: string, typed: string): Promise<void> {
	await see(words);
	await tell("answerInput", { typed });
}

/** Chooses the line of the quick pick that has the words. */
async function pick(typed: string): Promise<void> {
	await see(typed);
	await tell("pickFirst", { typed });
}
