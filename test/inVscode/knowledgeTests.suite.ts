import assert from "node:assert/strict";
import { setup, suite, suiteTeardown, test } from "mocha";
import * as vscode from "vscode";
import { ask, openNewChat } from "./chat.ts";
import { look, tell } from "./testReport.ts";
import { file, removeAfter, untilTrue, write } from "./workbench.ts";

const PATH = ".copilot-ld/tests.yaml";
const TESTS = `tests:
  - ask: Who is the attendant of Gannet Rock Light?
    says: Ida Fenwick
    cites: lights.html
  - name: the cooling lamp
    search: How long does the old lamp cool before it is exchanged?
    finds: twenty minutes
  - name: a light that is not there
    query: SELECT ?l WHERE { ?l a <https://merrow.example/vocab#Light> }
    rows: { l: "https://merrow.example/id/light/quellmoor" }
`;

suite("tests of the knowledge", () => {
	// Otherwise the previous answer may still be the last one on the page.
	setup(openNewChat);
	removeAfter(PATH);
	suiteTeardown(() => vscode.commands.executeCommand("workbench.action.closePanel"));

	test("the Test Explorer runs the folder's tests and counts the passing tests", async () => {
		await write(PATH, TESTS);
		// The view appears only once there are tests.
		const where = '.activitybar [aria-label*="Testing"]';
		await tell("press", { keys: [], shows: "", where });
		await vscode.commands.executeCommand("workbench.view.testing.focus");
		await tell("untilShown", { words: "tests.yaml", where: "view" });
		await vscode.window.showTextDocument(file(PATH));
		await vscode.commands.executeCommand("testing.runAll");
		await tell("untilShown", { words: "2/3", where: "view" });
		await look("knowledge-tests");
	});

	test("a link under an answer, and a command, save the answer as a test with citations", async () => {
		await ask("/quote Who is the attendant of Gannet Rock Light?");
		const text = () => vscode.window.activeTextEditor?.document.getText() ?? "";
		const saved = /ask: Who is the attendant.+\n\s+cites:\n\s+- \S+:\d+/;
		await tell("clickCitation", { link: "…" });
		await tell("pickFirst", { typed: "Save as Test", placeholder: "More about" });
		const isSaved = () => saved.test(text().slice(TESTS.length));
		await untilTrue(
			isSaved,
			vscode.window.onDidChangeActiveTextEditor,
			vscode.workspace.onDidSaveTextDocument,
		);
		assert.ok(text().startsWith(TESTS.trimEnd()), text());
		await vscode.commands.executeCommand("copilot-ld.saveAsTest");
		assert.equal(text().match(new RegExp(saved, "g"))?.length, 2);
	});
});
