import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { setup, suite, suiteSetup, suiteTeardown, test } from "mocha";
import * as vscode from "vscode";
import type { ScriptedModelServer, ScriptedReply } from "../acp/scriptedModelServer.ts";
import { ask, cancelTurn, openNewChat, useModel } from "./chat.ts";
import { scriptCliModel } from "./cliModel.ts";
import { file, write } from "./files.ts";
import { look } from "./look.ts";
import type { Step } from "./scriptedModel/extension.ts";
import { tell } from "./testReport.ts";
import { untilTrue } from "./untilTrue.ts";

const AGENTS = {
	reviewer:
		"---\nname: reviewer\ndescription: Reviews handbooks for mistakes\nkeywords: [review, handbook]\ntools: [copilot-ld/search_knowledge]\n---\nYou are PERSONA-reviewer.\n",
	fixer:
		"---\nname: fixer\ndescription: Mends the mistakes of handbooks\nkeywords: [handbook, mend]\n---\nYou are PERSONA-fixer.\n",
};

const TASK = "Review the handbook in fog-signals.md for safety, and mend it";

const SEARCH: Step = { call: "search_knowledge", input: { query: "When are the fog horns tested?" } };
const REVIEW =
	"The horns are tested too seldom [handbook/fog-signals.md:28-30], and not in snow [made-up.md:1-2].";

const MEND = "Mend the fog horns of the handbook";

function prepare(engine: string): void {
	suiteSetup(async () => {
		await setSetting("agents.engine", engine);
		for (const [name, text] of Object.entries(AGENTS)) await write(`.github/agents/${name}.md`, text);
	});

	suiteTeardown(async () => {
		await setSetting("agents.engine", undefined);
		await vscode.workspace.fs.delete(file(".github/agents"), { recursive: true });
	});

	setup(async () => {
		await vscode.commands.executeCommand("workbench.action.closeAllEditors");
		await openNewChat();
	});
}

suite("chains of agents", () => {
	const model = useModel();
	prepare("model");

	test("a plan is edited, shown without running, and runs as it was left", async function () {
		await ask(`/agents ${TASK}`);
		const planned = await look("chain-plan");
		if (!planned) return this.skip();
		assert.match(planned.text, /reviewer[\s\S]*only reads[\s\S]*fixer[\s\S]*may change files/);
		await tell("pressButton", { label: "Dry Run" });
		await untilTrue(() => dryRun() !== undefined, vscode.workspace.onDidOpenTextDocument);
		assert.match(dryRun()?.getText() ?? "", /Nothing was run[\s\S]*PERSONA-reviewer[\s\S]*PERSONA-fixer/);
		await vscode.commands.executeCommand("workbench.action.closeAllEditors");
		model.play([SEARCH], [{ say: REVIEW }]);
		await tell("pressButton", { label: "Edit…" });
		const plan = await tell("lookAtPick", { words: "Run This Plan", picture: "chain-edit" });
		assert.match(plan.items.join("\n"), /reviewer[\s\S]*fixer/);
		for (const typed of ["fixer", "Remove", "Run This Plan"]) await tell("pickFirst", { typed });
		const shown = await look("chain-edited", "Total Agents Executed: 1");
		assert.match(shown?.text ?? "", /✓ reviewer/);
		assert.doesNotMatch(shown?.text ?? "", /fixer/);
	});
});

suite("chains of agents on the Copilot CLI", () => {
	let server: ScriptedModelServer;
	/** Of the agent that mends, one after the other. */
	let replies: ScriptedReply[] = [];

	suiteSetup(async () => {
		server = await scriptCliModel(({ whole }) => {
			if (whole.includes("PERSONA-fixer")) return replies.shift() ?? { text: ["It is mended."] };
			return { text: ["The horns are tested too seldom."] };
		});
		// VS Code shows no modal question in tests: a rule says that the CLI may load the agents.
		await setSetting("permissions.rules", [{ effect: "allow", door: "cli", tool: "start_cli" }]);
	});

	suiteTeardown(() => setSetting("permissions.rules", undefined));
	prepare("cli");

	test("a chain is watched, stopped, and goes on where it was; what it asks for is done once it is allowed", async function () {
		replies = [{ text: ["I look."], wait: true }];
		const asked = ask(`/agents reviewer > fixer: ${MEND}`);
		await server.waiting();
		await vscode.commands.executeCommand("copilot-ld.sessions.focus");
		const running = await tell("openSession", { title: MEND, picture: "chain-running" });
		await cancelTurn();
		await asked;
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

async function setSetting(name: string, value: unknown): Promise<void> {
	await vscode.workspace.getConfiguration("copilot-LD").update(name, value, true);
}

function dryRun(): vscode.TextDocument | undefined {
	return vscode.workspace.textDocuments.find(({ fileName }) => fileName.includes("Dry run"));
}
