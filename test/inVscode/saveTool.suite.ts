import assert from "node:assert/strict";
import { setup, suite, test } from "mocha";
import * as vscode from "vscode";
import { parse } from "yaml";
import { ask, invokeTool, openNewChat, useModel } from "./chat.ts";
import { file, removeAfter } from "./files.ts";
import { tell } from "./testReport.ts";
import { untilTrue } from "./untilTrue.ts";

const PLUGINS = ".copilot-ld/plugins";
const SAID = [{ say: "Ida Fenwick keeps it [lights.html:83-96]." }];

suite("the link that makes a tool of an answer", () => {
	const model = useModel();
	setup(openNewChat);

	removeAfter(PLUGINS);

	test("under an answer that cites makes one that asks the same of others", async function () {
		model.play(SAID);
		await ask("Who keeps Gannet Rock Light?");
		const parameters = "light: string = Name of the light";
		const file = await saveByLink("light-keeper", { picture: "save-prompt", parameters });
		// A desktop VS Code has no page to answer the questions in.
		if (!file) return this.skip();
		assert.equal(file.commands[0].prompt, "Who keeps {{light}}?");
		model.play(SAID);
		const input = { plugin: "light-keeper", command: "ask", param: { light: "Gannet Rock Light" } };
		assert.match(await invokeTool("copilot-ld_plugin", input), /Ida Fenwick keeps it/);
	});
});

/** Follows the link below the last answer to the file that comes of it; `undefined` where there is no page to click in. */
async function saveByLink(name: string, { picture, parameters }: Record<"picture" | "parameters", string>) {
	await tell("clickCitation", { link: "…" });
	await tell("pickFirst", { typed: "Save as Tool", placeholder: "More about" });
	if (!(await shownPick("Save as Tool", picture))) return undefined;
	await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
	await answer("Change names and types", parameters);
	await answer("Name the tool", name);
	await answer("Describe when agents", "Knows the lights.");
	const uri = file(`${PLUGINS}/${name}/plugin.yaml`).toString();
	const isOpen = () => vscode.window.activeTextEditor?.document.uri.toString() === uri;
	await untilTrue(isOpen, vscode.window.onDidChangeActiveTextEditor);
	return parse(vscode.window.activeTextEditor?.document.getText() ?? "");
}

function shownPick(words: string, picture?: string) {
	return tell("lookAtPick", { words, ...(picture && { picture }) });
}

async function answer(words: string, typed: string): Promise<void> {
	await shownPick(words);
	await tell("answerInput", { typed });
}
