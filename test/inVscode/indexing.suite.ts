import assert from "node:assert/strict";
import { suite, test } from "mocha";
import * as vscode from "vscode";
import type { IndexReport, IndexStatus } from "../../src/core/knowledge/knowledge.ts";
import { untilTrue } from "./untilTrue.ts";

suite("indexing", () => {
	test("the sample is indexed completely", async () => {
		const report = await vscode.commands.executeCommand<IndexReport>("copilot-ld.indexWorkspace");
		assert.equal(report.failed, 0);
		assert.ok(report.passages > 20, `${report.passages} passages`);
	});

	test("the status says what a search has to go by", async () => {
		const status = await vscode.commands.executeCommand<IndexStatus>("copilot-ld.showIndexStatus");
		assert.equal(status.state, "ready");
		assert.deepEqual([...status.legs].sort(), ["text", "vector"]);
		const { onDidChangeTabs } = vscode.window.tabGroups;
		await untilTrue(() => openTabs().some((label) => label.includes("Index Status")), onDidChangeTabs);
	});
});

function openTabs(): string[] {
	return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
}
