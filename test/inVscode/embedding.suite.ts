import assert from "node:assert/strict";
import { suite, test } from "mocha";
import * as vscode from "vscode";
import { tell } from "./testReport.ts";

suite("the embedding settings", () => {
	test("“Stronger Search” offers models with size and licence, and says that no text leaves", async () => {
		const choosing = vscode.commands.executeCommand("copilot-ld.strongerSearch");
		const seen = await tell("lookAtPick", { words: "all-MiniLM-L6-v2", picture: "stronger-search" });
		await vscode.commands.executeCommand("workbench.action.closeQuickOpen");
		await choosing;
		assert.notEqual(seen, undefined);
	});
});
