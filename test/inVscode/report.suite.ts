import assert from "node:assert/strict";
import { suite, test } from "mocha";
import * as vscode from "vscode";
import { saveReport } from "./saveReport.ts";

suite("a report of a problem", () => {
	test("is saved where nothing has run yet, and starts nothing", async () => {
		const { report, text } = await saveReport();
		assert.equal(report.worker, "not running");
		assert.equal(report.surroundings.versions.vscode, vscode.version);
		assert.equal(report.settings["copilot-LD.agent.maxRounds"], 10);
		const [folder] = vscode.workspace.workspaceFolders ?? [];
		assert.ok(folder && !text.includes(folder.uri.fsPath));
		assert.equal((await saveReport()).report.worker, "not running");
	});
});
