import assert from "node:assert/strict";
import { suite, test } from "mocha";
import * as vscode from "vscode";
import { workerPid } from "./workerPid.ts";

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
		assert.deepEqual(names.sort(), [
			"copilot-ld_ask",
			"copilot-ld_describe_ontology",
			"copilot-ld_evaluate_prompt",
			"copilot-ld_list_agents",
			"copilot-ld_plugin",
			"copilot-ld_query_graph",
			"copilot-ld_read_resource",
			"copilot-ld_recall_memory",
			"copilot-ld_remember",
			"copilot-ld_run_agent",
			"copilot-ld_run_with_orchestrator",
			"copilot-ld_search_knowledge",
		]);
	});
});
