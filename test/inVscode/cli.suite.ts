import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setup, suite, suiteSetup, test } from "mocha";
import * as vscode from "vscode";
import { sendReport } from "../../scripts/vscode/report.ts";
import type { ScriptedModelServer, ScriptedReply, SeenRequest } from "../acp/scriptedModelServer.ts";
import { ask, openNewChat, scriptedModel, type Turn } from "./chat.ts";
import { scriptCliModel } from "./cliModel.ts";
import type { ShownAnswer, TestReport } from "./testReport.ts";

/** The question says what the model does. */
function reply({ question, results }: SeenRequest): ScriptedReply {
	const [, verb, rest = ""] = /@@(\w+) ?([^\n]*)/.exec(question) ?? [];
	if (verb === "fail") return { status: 404 };
	if (verb === undefined || results.length > 0) return { text: ["The model has ", "finished."] };
	if (verb === "create") return { calls: [{ name: "create", input: JSON.parse(rest) }] };
	if (verb === "search") return { calls: [{ name: "copilot-ld-search_knowledge", input: JSON.parse(rest) }] };
	return { calls: [{ name: "bash", input: { command: rest, description: "Touches a file" } }] };
}

suite("a turn on the Copilot CLI", () => {
	let server: ScriptedModelServer;
	const inFolder = (name: string) => join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "", name);

	suiteSetup(async () => {
		server = await scriptCliModel(reply);
	});

	setup(openNewChat);

	/** Puts a question to the CLI, and answers the permission that it asks for. */
	async function askAndAnswer(question: string, label: string): Promise<Turn> {
		const asked = ask(`/cli ${question}`);
		await sendReport<TestReport>({ kind: "pickFirst", typed: label, picture: "cliPermission" });
		return asked;
	}

	test("does not run what is denied", async () => {
		const { errorDetails, metadata } = await askAndAnswer("@@run touch denied.txt", "Deny");
		assert.equal(errorDetails, undefined);
		assert.equal(existsSync(inFolder("denied.txt")), false);
		assert.equal(metadata?.answer, "The model has finished.");
		assert.deepEqual(
			metadata?.tools.map(({ ok }) => ok),
			[false],
		);
	});

	test("runs what is allowed, and shows it", async function () {
		const { metadata } = await askAndAnswer("@@run touch allowed.txt", "Allow Once");
		assert.equal(existsSync(inFolder("allowed.txt")), true);
		assert.equal(metadata?.answer, "The model has finished.");
		const shown = await sendReport<TestReport, ShownAnswer | null>({ kind: "look", picture: "cli" });
		if (!shown) return this.skip();
		assert.match(shown.text, /touch allowed\.txt/);
		assert.match(shown.text, /The model has finished\./);
	});

	test("opens what a call has changed in the diff editor", async () => {
		const input = { path: inFolder("lights.md"), file_text: "# Lights\n" };
		await askAndAnswer(`@@create ${JSON.stringify(input)}`, "Allow Once");
		const callId = /call_\d+_\d+/.exec(server.requests.at(-1)?.whole ?? "")?.[0];
		await vscode.commands.executeCommand("copilot-ld.openCliChange", callId);
		const tab = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
		assert.ok(tab instanceof vscode.TabInputTextDiff);
		const after = await vscode.workspace.openTextDocument(tab.modified);
		assert.equal(after.getText(), "# Lights\n");
		await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
	});

	test("searches our knowledge without a question, for that changes nothing", async () => {
		const { metadata } = await ask('/cli @@search {"query":"When are the fog horns tested?"}');
		assert.deepEqual(
			metadata?.tools.map(({ ok }) => ok),
			[true],
		);
		assert.match(server.requests.at(-1)?.results[0] ?? "", /fog-signals\.md:\d+/);
	});

	test("goes on in the session of its chat", async () => {
		await ask("/cli Remember the word heliotrope.");
		await ask("/cli Which word?");
		const { whole = "" } = server.requests.at(-1) ?? {};
		assert.match(whole, /heliotrope/);
		assert.doesNotMatch(whole, /began with another assistant/);
	});

	test("takes along what another engine said before", async () => {
		const model = await scriptedModel();
		model.play([{ say: "It is heather." }]);
		await ask("Which plant?");
		await ask("/cli And its color?");
		assert.match(server.requests.at(-1)?.whole ?? "", /began with another assistant.*It is heather\./s);
	});

	test("gives the CLI the instructions of the chat, with each question", async () => {
		await ask("/instructions Give lengths in fathoms.");
		for (const question of ["How deep?", "How wide?"]) {
			await ask(`/cli ${question}`);
			assert.match(server.requests.at(-1)?.question ?? "", /My instructions .*:\s+Give lengths in fathoms\./);
		}
	});

	test("tells what to do where the model behind the CLI fails", async () => {
		const { errorDetails } = await ask("/cli @@fail");
		assert.match(errorDetails?.message ?? "", /model of the GitHub Copilot CLI failed/);
	});
});
