import assert from "node:assert/strict";
import { suite, test } from "mocha";
import * as vscode from "vscode";
import { invokeTool } from "./chat.ts";

/** VS Code's name for the server that the extension provides. */
const SERVER = "copilot-ld.copilot-ld/Copilot-LD";
const QUERY = { query: "fog signal", limit: 3 };

suite("the MCP server", () => {
	test("is offered by VS Code, starts, and answers tool calls", async () => {
		const options = { promptType: "never", autoTrustChanges: true, waitForLiveTools: true };
		await vscode.commands.executeCommand("workbench.mcp.startServer", SERVER, options);
		const ours = vscode.lm.tools.find(({ name }) => /^mcp_copilot-ld_.*search_knowledge$/i.test(name));
		const text = await invokeTool(ours?.name ?? "", QUERY);
		await vscode.commands.executeCommand("workbench.mcp.stopServer", SERVER);
		assert.match(text, /\[[^\]\n]+:\d+(-\d+)?\] /);
	});
});
