import assert from "node:assert/strict";
import { access } from "node:fs/promises";
import { suite, test } from "mocha";
import * as vscode from "vscode";
import { invokeTool } from "./chat.ts";

/** As VS Code names what an extension provides. */
const SERVER = "copilot-ld.copilot-ld/Copilot-LD";
const QUERY = { query: "fog signal", limit: 3 };

async function copied(format: string): Promise<{ command: string; args: string[] }> {
	await vscode.commands.executeCommand("copilot-ld.copyMcpConfiguration", format);
	const { servers, mcpServers } = JSON.parse(await vscode.env.clipboard.readText());
	return (servers ?? mcpServers)["copilot-ld"];
}

function optionIn(args: readonly string[], option: string): string {
	return args.find((one) => one.startsWith(`${option}=`))?.slice(option.length + 1) ?? "";
}

suite("mcp", () => {
	test("the configuration for every client is copied, with the program and the index of this window", async () => {
		for (const format of ["vscode", "copilot-cli", "claude"]) {
			const { command, args } = await copied(format);
			assert.equal(command, "node");
			await access(args[0] ?? "");
			const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
			assert.equal(optionIn(args, "--workspace"), folder);
			await access(optionIn(args, "--data"));
		}
	});

	test("VS Code offers the server, and starts it for whoever wants its tools", async () => {
		const options = { promptType: "never", autoTrustChanges: true, waitForLiveTools: true };
		await vscode.commands.executeCommand("workbench.mcp.startServer", SERVER, options);
		const ours = vscode.lm.tools.find(({ name }) => /^mcp_copilot-ld_.*search_knowledge$/i.test(name));
		const text = await invokeTool(ours?.name ?? "", QUERY);
		await vscode.commands.executeCommand("workbench.mcp.stopServer", SERVER);
		assert.match(text, /\[[^\]\n]+:\d+(-\d+)?\] /);
	});
});
