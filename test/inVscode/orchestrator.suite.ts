import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { setup, suite, suiteSetup, suiteTeardown, test } from "mocha";
import * as vscode from "vscode";
import type { ScriptedModelServer, ScriptedReply } from "../acp/scriptedModelServer.ts";
import { ask, cancelTurn, openNewChat } from "./chat.ts";
import { scriptCliModel } from "./cliModel.ts";
import { tell } from "./testReport.ts";
import { closeAllEditors, file, setSetting, write } from "./workbench.ts";

const AGENTS = {
	reviewer:
		"---\nname: reviewer\ndescription: Reviews handbooks for mistakes\nkeywords: [review, handbook]\ntools: [copilot-ld/search_knowledge]\n---\nYou are PERSONA-reviewer.\n",
	fixer:
		"---\nname: fixer\ndescription: Mends the mistakes of handbooks\nkeywords: [handbook, mend]\n---\nYou are PERSONA-fixer.\n",
};

const MEND = "Mend the fog horns of the handbook";

suite("chains of agents on the Copilot CLI", () => {
	let server: ScriptedModelServer;
	/** The next replies of the agent `fixer`, in order. */
	let replies: ScriptedReply[] = [];

	suiteSetup(async () => {
		server = await scriptCliModel(({ whole }) => {
			if (whole.includes("PERSONA-fixer")) return replies.shift() ?? { text: ["It is mended."] };
			return { text: ["The horns are tested too seldom."] };
		});
		// VS Code shows no modal question in tests: a rule says that the CLI may load the agents.
		await setSetting("permissions.rules", [{ effect: "allow", channel: "cli", tool: "start_cli" }]);
		await setSetting("agents.engine", "cli");
		for (const [name, text] of Object.entries(AGENTS)) await write(`.github/agents/${name}.md`, text);
	});

	suiteTeardown(async () => {
		for (const name of ["permissions.rules", "agents.engine"]) await setSetting(name, undefined);
		await vscode.workspace.fs.delete(file(".github/agents"), { recursive: true });
	});

	setup(async () => {
		await closeAllEditors();
		await openNewChat();
	});

	test("a chain can be watched, stopped and resumed, and runs a command that the user allows", async function () {
		replies = [{ text: ["I look."], wait: true }];
		const asked = ask(`/agents reviewer > fixer: ${MEND}`);
		await server.waiting();
		await vscode.commands.executeCommand("copilot-ld.sessions.focus");
		const running = await tell("openSession", { title: MEND, picture: "chain-running" });
		await cancelTurn();
		await asked;
		// A desktop VS Code has no page to look at.
		if (!running) return this.skip();
		assert.match(running.text, /reviewer\s+done[\s\S]*fixer\s+running/);
		const input = { command: "touch mended.txt", description: "Mends it" };
		replies = [{ calls: [{ name: "bash", input }] }];
		const resumed = ask("/agents resume");
		await tell("pickFirst", { typed: "Allow Once", picture: "chain-asks" });
		const { metadata, errorDetails } = await resumed;
		assert.equal(errorDetails, undefined);
		assert.match(metadata?.answer ?? "", /Agent 1: reviewer[\s\S]*kept[\s\S]*Agent 2: fixer[\s\S]*is mended/);
		assert.equal(existsSync(file("mended.txt").fsPath), true);
		const whole = await tell("lookAtTab", { tab: "Sessions", picture: "chain-whole" });
		assert.match(whole?.text ?? "", /fixer\s+stopped[\s\S]*fixer\s+done/, "both turns are in one session");
	});
});
