import assert from "node:assert/strict";
import { setup, suite, test } from "mocha";
import * as vscode from "vscode";
import type { CheckedTurn } from "../../src/evidence/checkTurn.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { ask, openNewChat, useModel } from "./chat.ts";
import { provided } from "./files.ts";
import { look } from "./testReport.ts";
import { untilEditor } from "./untilTrue.ts";

const READ = "copilot-ld_read_resource";
const TOWER = "lights.html:83-96";
const ANSWER = `Gannet Rock Light stands 41 metres above high water [${TOWER}]. The tower was lit in 1816 [${TOWER}].`;

suite("the evidence under an answer", () => {
	const model = useModel();
	setup(openNewChat);

	test("reports what the cited lines do not contain, and lists each statement with a link to its lines", async () => {
		model.play([{ call: READ, input: { target: TOWER } }], [{ say: ANSWER }]);
		await ask("How high is Gannet Rock Light?");
		const shown = await look("evidence");
		if (shown) {
			assert.match(shown.text, /1816 is not what the cited lines say: \[lights\.html:83-96\]/);
			assert.match(shown.text, /1 of 2 statements have their figures and names in the cited lines/);
			assert.match(shown.text, /Evidence · …/);
		}
		await vscode.commands.executeCommand("workbench.action.closeAllEditors");
		const checked = await vscode.commands.executeCommand<CheckedTurn>("copilot-ld.showEvidence");
		assertMapped(checked.statements, ({ verdict }) => verdict.kind, ["standing", "missing"]);
		await look("evidence-document");
		const document = vscode.window.activeTextEditor?.document;
		assert.ok(document);
		assert.match(document.getText(), /✗ {2}The tower was lit in 1816\.\n {4}1816 is not what/);
		const links = await provided<vscode.DocumentLink[]>("Link", document);
		await vscode.commands.executeCommand("vscode.open", links[0]?.target);
		const line = () => vscode.window.activeTextEditor?.selection.start.line;
		await untilEditor(() => line() === 82);
		await vscode.commands.executeCommand("workbench.action.closeAllEditors");
	});
});
