import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setup, suite, suiteSetup, test } from "mocha";
import * as vscode from "vscode";
import type { ScriptedModelServer, ScriptedReply, SeenRequest } from "../acp/scriptedModelServer.ts";
import { ask, openNewChat, type Turn } from "./chat.ts";
import { scriptCliModel } from "./cliModel.ts";
import { look } from "./look.ts";
import { tell } from "./testReport.ts";

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

	async function askAndAnswer(question: string, label: string): Promise<Turn> {
		const asked = ask(`/cli ${question}`);
		await tell("pickFirst", { typed: label, picture: "cliPermission" });
		return asked;
	}

	test("runs what is allowed, and shows it", async function () {
		const { metadata } = await askAndAnswer("@@run touch allowed.txt", "Allow Once");
		assert.equal(existsSync(inFolder("allowed.txt")), true);
		assert.equal(metadata?.answer, "The model has finished.");
		const shown = await look("cli");
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
});
