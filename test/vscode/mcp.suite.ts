import assert from "node:assert/strict";
import { access } from "node:fs/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { suite, test } from "mocha";
import * as vscode from "vscode";
import { invokeTool } from "./chat.ts";

/** As VS Code names what an extension provides. */
const SERVER = "copilot-ld.copilot-ld/Copilot-LD";

/** What the command puts on the clipboard for a client. */
async function copied(format: string): Promise<{ command: string; args: string[] }> {
	await vscode.commands.executeCommand("copilot-ld.copyMcpConfiguration", format);
	const { servers, mcpServers } = JSON.parse(await vscode.env.clipboard.readText());
	return (servers ?? mcpServers)["copilot-ld"];
}

suite("mcp", () => {
	test("the configuration for every client is copied, with the program and the index of this window", async () => {
		for (const format of ["vscode", "copilot-cli", "claude"]) {
			const { command, args } = await copied(format);
			assert.equal(command, "node");
			const [program = "", ...more] = args;
			await access(program);
			const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
			assert.equal(more[more.indexOf("--workspace") + 1], folder);
			await access(more[more.indexOf("--data") + 1] ?? "");
		}
	});

	test("a client that is configured so finds what the editor finds, at the same time", async () => {
		const { args } = await copied("claude");
		const env = { ...process.env, ELECTRON_RUN_AS_NODE: "1" } as Record<string, string>;
		const client = new Client({ name: "test", version: "1" });
		await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
		try {
			const input = { query: "fog signal", limit: 3 };
			const { content, structuredContent } = await client.callTool({
				name: "search_knowledge",
				arguments: input,
			});
			const [{ text }] = content as [{ text: string }];
			assert.equal(text, await invokeTool("copilot-ld_search_knowledge", input));
			assert.equal((structuredContent as { hits: object[] }).hits.length, 3);
		} finally {
			await client.close();
		}
	});

	test("VS Code offers the server, and starts it for whoever wants its tools", async () => {
		const options = { promptType: "never", autoTrustChanges: true, waitForLiveTools: true };
		await vscode.commands.executeCommand("workbench.mcp.startServer", SERVER, options);
		const ours = () => vscode.lm.tools.find(({ name }) => /^mcp_copilot-ld_.*search_knowledge$/i.test(name));
		await vscode.commands.executeCommand("workbench.mcp.stopServer", SERVER);
		assert.ok(ours(), vscode.lm.tools.map(({ name }) => name).join(" "));
	});
});
