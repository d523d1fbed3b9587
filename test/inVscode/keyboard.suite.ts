import { setup, suite, suiteSetup, suiteTeardown, test } from "mocha";
import * as vscode from "vscode";
import { openNewChat } from "./chat.ts";
import { tell, type Wanted } from "./testReport.ts";
import { closeAllEditors, untilEditor, untilTrue } from "./workbench.ts";

const QUESTION = "@copilot-ld /quote Who attends the light on Gannet Rock?";

/** Tests with keys only, without clicks. A desktop VS Code has no page to type into. */
suite("the keyboard", () => {
	suiteSetup(async function () {
		await vscode.commands.executeCommand("copilot-ld.indexWorkspace");
		await closeAllEditors();
		await openNewChat();
		// There is no page to type into.
		if (!(await press([]))) this.skip();
	});

	setup(closeAllEditors);
	suiteTeardown(closeAllEditors);

	test("asks a question and opens the source of the answer", async () => {
		await vscode.commands.executeCommand("workbench.action.chat.open");
		// The participant of the previous chat may already be in the input.
		const until = { shows: "Ida Fenwick", where: ".interactive-response" };
		await press(["Control+a", type(QUESTION), "Escape", "Enter"], until);
		await press(["Control+k", "j"]);
		await untilEditor(isAtSource);
	});

	test("finds steps of the walkthrough ticked that the user has already done", async () => {
		await vscode.commands.executeCommand("workbench.action.openWalkthrough", "copilot-ld.copilot-ld#start");
		const ticked = ".step-list-container .getting-started-step:has(.complete[aria-checked=true])";
		for (const step of ["Index your folder", "Ask a question", "Check the sources"])
			await press([], { shows: step, where: ticked });
	});

	test("renames, deletes and restores a session in the list", async () => {
		const shown = await press(["Control+k", "h"], { has: ["grid: Sessions", "region: Transcript"] });
		if (shown?.keyboard.includes("Transcript")) await press(["Escape"], { has: ["grid: Sessions"] });
		// Uses the first session: others might be restored outside the visible part of the list.
		await press(["Home", "F2"], { has: ["textbox", "combobox"] });
		const renamed = { has: ["grid: Sessions"], shows: "A light", where: "[role=row]" };
		await press([type("A light"), "Enter"], renamed);
		await press(["Delete"], { shows: "Undo", where: "#undo" });
		await press(["Control+z"], renamed);
	});

	test("finds the settings under the product's name", async () => {
		const search = "@ext:copilot-ld.copilot-ld rounds";
		await vscode.commands.executeCommand("workbench.action.openSettings", search);
		await press([], { shows: "Copilot-LD \u203a Agent: Max Rounds", where: ".setting-item-title" });
	});

	test("reaches the Permissions tab and the tab's buttons", async () => {
		await vscode.commands.executeCommand("copilot-ld.showPermissions");
		await press([], { has: ["tab: Permissions"] });
		await press(["Tab"], { has: ["button: Add Rule"] });
	});

	test("opens a document from the Knowledge view, and the graph", async () => {
		await vscode.commands.executeCommand("copilot-ld.knowledge.focus");
		await press([], { has: ["tree: Knowledge"] });
		await press([type("isles.html"), "Enter"]);
		const isOpen = () => vscode.window.activeTextEditor?.document.fileName.endsWith("isles.html") === true;
		await untilTrue(isOpen, vscode.window.onDidChangeActiveTextEditor);
		await vscode.commands.executeCommand("copilot-ld.showGraph");
		await press([], { shows: "things", where: ".said" });
	});
});

function isAtSource(): boolean {
	const editor = vscode.window.activeTextEditor;
	return editor?.document.fileName.endsWith("lights.html") === true && editor.selection.start.line > 90;
}

function type(text: string): string {
	return `text:${text}`;
}

/** Presses keys; resolves when the page meets the conditions. */
function press(keys: readonly string[], until: Omit<Wanted<"press">, "keys"> = {}) {
	return tell("press", { keys, ...until });
}
