import assert from "node:assert/strict";
import { suite, test } from "mocha";
import * as vscode from "vscode";
import type { IndexReport } from "../../src/core/knowledge/knowledge.ts";
import { saveReport, workerPid } from "./saveReport.ts";

suite("activation", () => {
	test("the worker does not start before the first request", async () => {
		await vscode.extensions.getExtension("copilot-ld.copilot-ld")?.activate();
		assert.throws(workerPid);
	});

	test("a problem report can be saved without starting the worker", async () => {
		const { report, text } = await saveReport();
		assert.equal(report.worker, "not running");
		assert.equal(report.surroundings.versions.vscode, vscode.version);
		assert.equal(report.settings["copilot-LD.agent.maxRounds"], 10);
		const [folder] = vscode.workspace.workspaceFolders ?? [];
		assert.ok(folder && !text.includes(folder.uri.fsPath));
		assert.equal((await saveReport()).report.worker, "not running");
	});

	test("the sample is indexed completely", async () => {
		const report = await vscode.commands.executeCommand<IndexReport>("copilot-ld.indexWorkspace");
		assert.equal(report.failed, 0);
		assert.ok(report.passages > 20, `${report.passages} passages`);
	});
});
