import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { setup, suite, suiteSetup, test } from "mocha";
import * as vscode from "vscode";
import type { ScriptedModelServer, ScriptedReply, SeenRequest } from "../acp/scriptedModelServer.ts";
import { acceptTool, ask, askUntilConfirmation, openNewChat, scriptedModel, type Turn } from "./chat.ts";
import { scriptCliModel } from "./cliModel.ts";
import { look, tell } from "./testReport.ts";
import { decisionAbout, file, untilTrue } from "./workbench.ts";

function reply({ question, results }: SeenRequest): ScriptedReply {
	const [, tool, input] = /@@call (\w+) ([^\n]*)/.exec(question) ?? [];
	if (input !== undefined && results.length === 0)
		return { calls: [{ name: `copilot-ld-${tool}`, input: JSON.parse(input) }] };
	const [, command] = /@@run ([^\n]*)/.exec(question) ?? [];
	if (command === undefined || results.length > 0) return { text: ["The model has ", "finished."] };
	const description = `Lists files, nothing else.${" ".repeat(200)}`;
	return { calls: [{ name: "bash", input: { command: command.replace("⏎", "\n"), description } }] };
}

suite("a turn on the Copilot CLI", () => {
	let server: ScriptedModelServer;
	const isThere = (name: string) => existsSync(file(name).fsPath);

	suiteSetup(async () => {
		server = await scriptCliModel(reply);
	});

	setup(openNewChat);

	const question = (words: string, more: { hide?: boolean; picture?: string } = {}) =>
		tell("lookAtPick", { words, ...more });
	const choose = (label: string) => tell("pickFirst", { typed: label });
	const denyWith = async (reason: string) => {
		await choose("Deny with a Reason");
		await tell("pickFirst", { typed: reason, placeholder: "Reason for denying" });
	};
	const showAgain = () => vscode.commands.executeCommand("copilot-ld.showQuestions");

	async function askInNewChat(command: string): Promise<{ readonly turn: Promise<Turn> }> {
		await openNewChat();
		return { turn: ask(`/cli @@run ${command}`) };
	}

	test("runs an allowed command and shows the command", async function () {
		const { turn } = await askInNewChat("touch allowed.txt");
		await tell("pickFirst", { typed: "Allow Once", picture: "cliPermission" });
		const { metadata } = await turn;
		assert.deepEqual([isThere("allowed.txt"), metadata?.answer], [true, "The model has finished."]);
		const shown = await look("cli");
		// A desktop VS Code has no page to look at.
		if (!shown) return this.skip();
		assert.match(shown.text, /touch allowed\.txt[\s\S]*The model has finished\./);
	});

	test("shows the CLI's questions in the queue of all questions, without icons or links from their text", async () => {
		const first = await askInNewChat("touch before.txt");
		await question("touch before.txt");
		await openNewChat();
		const asked = "Which lamp? $(check) [Yes](command:x)";
		const second = ask(
			`/cli @@call ask_user ${JSON.stringify({ question: asked, choices: ["red", "green"] })}`,
		);
		await question("1 of 2");
		await choose("Deny");
		const { title, prompt } = await question("Which lamp?", { hide: true, picture: "askUser" });
		assert.match(title, /^Copilot CLI, “@@call ask_user .* asks$/);
		assert.equal(prompt, "Which lamp? ⟨$⟩(check) [Yes⟨]⟩(command:x)");
		await showAgain();
		await question("Which lamp?");
		await choose("green");
		await Promise.all([first.turn, second]);
		assert.match(server.requests.at(-1)?.results.join() ?? "", /The user answered: green/);
		assert.equal(isThere("before.txt"), false);
	});

	test("shares the permissions of a session with VS Code's model in the same chat", async () => {
		const model = await scriptedModel();
		const call = { call: "copilot-ld_remember", input: { text: "The bosun is called Wim." } };
		const onCli = ask(`/cli @@call remember ${JSON.stringify({ text: "The cook is called Jo." })}`);
		await question("The cook is called Jo");
		await choose("Allow in This Session");
		await onCli;
		model.play([call], [{ say: "Noted." }]);
		await ask("Remember the bosun, too.");
		const byOf = async (word: string) => (await decisionAbout(model.globalStorage, word))?.by;
		assert.equal(await byOf("The bosun"), "rule");
		await openNewChat();
		const elsewhere = { ...call, input: { text: "The gunner is called Pia." } };
		model.play([elsewhere], [{ say: "Noted." }]);
		// VS Code may remember its own permission for the tool; our session rule must not apply here.
		const { type } = await askUntilConfirmation("Remember the gunner here.");
		if (type === "confirmation") await acceptTool();
		await model.finished();
		assert.equal(await byOf("The gunner"), "host");
	});

	test("shows a command with every character visible, and in full on request", async () => {
		const hidden = `echo $(check) \u202e[ok](command:x)\u200b ${"x".repeat(600)}⏎touch hidden.txt`;
		const { turn } = await askInNewChat(hidden);
		const { prompt, items } = await question("touch hidden.txt", { picture: "hiddenCommand" });
		assert.match(
			prompt,
			/^echo ⟨\$⟩\(check\) ⟨U\+202E⟩\[ok⟨\]⟩\(command:x\)⟨U\+200B⟩ x+ ⟨\d+ more characters⟩ x+⟨newline⟩touch hidden\.txt$/,
		);
		const agent = "Show Full Command\\s+In the agent's own words: “Lists files, nothing else\\.⟨200 spaces⟩”";
		assert.match(items.join("\n"), new RegExp(agent));
		await choose("Show Full Command");
		await question("touch hidden.txt");
		const shown = () =>
			vscode.window.visibleTextEditors.find(({ document }) => document.uri.path === "/Call.txt")?.document;
		await untilTrue(() => shown() !== undefined, vscode.window.onDidChangeVisibleTextEditors);
		assert.match(shown()?.getText() ?? "", /^command:\n {4}echo ⟨\$⟩.*x{600}\n {4}touch hidden\.txt\n/);
		await denyWith("It is a trick.");
		const { metadata } = await turn;
		assert.equal(metadata?.answer, "The model has finished.");
		assert.match(server.requests.at(-1)?.results.join("\n") ?? "", /My reason: It is a trick\./);
	});
});
