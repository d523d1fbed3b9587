import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "mocha";
import * as vscode from "vscode";

/** A report of metadata, as the command saves it. */
export async function saveReport() {
	const folder = await mkdtemp(join(tmpdir(), "report-"));
	try {
		const path = join(folder, "report.json");
		await vscode.commands.executeCommand("copilot-ld.reportProblem", vscode.Uri.file(path));
		const text = await readFile(path, "utf8");
		return { text, report: JSON.parse(text) };
	} finally {
		await rm(folder, { recursive: true });
	}
}

suite("a report of a problem", () => {
	test("is saved where nothing has run yet, and starts nothing", async () => {
		const { report, text } = await saveReport();
		assert.equal(report.worker, "not running");
		assert.equal(report.surroundings.versions.vscode, vscode.version);
		assert.equal(report.settings["copilot-ld.agent.maxRounds"], 10);
		const [folder] = vscode.workspace.workspaceFolders ?? [];
		assert.ok(folder && !text.includes(folder.uri.fsPath));
		assert.equal((await saveReport()).report.worker, "not running");
	});
});
