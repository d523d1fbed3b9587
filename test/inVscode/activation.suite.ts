import assert from "node:assert/strict";
import { suite, test } from "mocha";
import * as vscode from "vscode";
import { listed } from "../support/listed.ts";
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
