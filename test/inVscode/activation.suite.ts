import assert from "node:assert/strict";
import { suite, test } from "mocha";
import * as vscode from "vscode";
import type { IndexReport, IndexStatus } from "../../src/core/knowledge/knowledge.ts";
import { listed } from "../support/listed.ts";
import { saveReport } from "./saveReport.ts";
import { untilTrue } from "./untilTrue.ts";
import { workerPid } from "./workerPid.ts";

const TOOLS = listed(`
	ask | describe_ontology | evaluate_prompt | list_agents | plugin | query_graph | read_resource
	recall_memory | remember | run_agent | run_with_orchestrator | search_knowledge
`);

suite("activation", () => {
	test("the extension activates", async () => {
		await vscode.extensions.getExtension("copilot-ld.copilot-ld")?.activate();
		assert.equal(vscode.extensions.getExtension("copilot-ld.copilot-ld")?.isActive, true);
	});

	test("what starts with the window only registers: no worker runs before something is asked", () => {
		assert.throws(workerPid);
	});

	test("its tools are offered to every model", () => {
		const names = vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith("copilot-ld_"));
		assert.deepEqual(
			names.sort(),
			TOOLS.map((name) => `copilot-ld_${name}`),
		);
	});
});

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
