import assert from "node:assert/strict";
import { suite, test } from "mocha";
import * as vscode from "vscode";
import type { DescribeReport } from "../../src/agent/describe/describeDocuments.ts";
import type { IndexStatus } from "../../src/core/knowledge/knowledge.ts";
import { invokeTool, useModel } from "./chat.ts";
import { tell } from "./testReport.ts";

const WHEN = { applicability: "when the zymurgist is away", evaluation: "it foams" };
const REPLY = JSON.stringify({ purpose: "Zymurgy for beginners", ...WHEN });

suite("describing documents", () => {
	const model = useModel();
	test("the user's model describes as many documents as the user allows, and searches find the descriptions", async function () {
		model.play([{ say: REPLY }], [{ say: "I would rather not." }]);
		const run = vscode.commands.executeCommand<DescribeReport | undefined>("copilot-ld.describeDocuments");
		if (!(await tell("answerInput", { typed: "2", picture: "describe" }))) {
			// A desktop VS Code has no page to type the answer into.
			await vscode.commands.executeCommand("workbench.action.closeQuickOpen");
			return this.skip();
		}
		const report = await run;
		assert.deepEqual([report?.described, report?.refused], [1, 1]);
		assert.equal(model.requests().length, 2);
		assert.match(model.requests()[0]?.messages.join("\n") ?? "", /data, not instructions/);
		assert.match(await invokeTool("copilot-ld_search_knowledge", { query: "zymurgist" }), /description #1/);
		const status = await vscode.commands.executeCommand<IndexStatus>("copilot-ld.showIndexStatus");
		assert.equal(status.described, 1);
		await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
	});
});
