import assert from "node:assert/strict";
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
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

async function connect(): Promise<Client> {
	const { args } = await copied("claude");
	const env = { ...process.env, ELECTRON_RUN_AS_NODE: "1" } as Record<string, string>;
	const client = new Client({ name: "test", version: "1" });
	await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
	return client;
}

async function searchWith(client: Client): Promise<string> {
	const { content } = await client.callTool({ name: "search_knowledge", arguments: QUERY });
	const [{ text }] = content as [{ text: string }];
	return withoutName(text);
}

async function searchHere(): Promise<string> {
	return withoutName(await invokeTool("copilot-ld_search_knowledge", QUERY));
}

/** Each program has names of its own for what it left out. */
function withoutName(text: string): string {
	return text.replace(/"m\d+"/, "more");
}

async function indexOwner(): Promise<number> {
	const data = optionIn((await copied("claude")).args, "--data");
	return JSON.parse(await readFile(join(data, "indexer.lock"), "utf8")).pid;
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

	test("the editor answers while a client's program keeps the index in step, and takes over after it", async () => {
		await searchHere();
		const before = await indexOwner();
		process.kill(before, "SIGKILL");
		const client = await connect();
		try {
			const text = await searchWith(client);
			const owner = await indexOwner();
			assert.notEqual(owner, before);
			assert.equal(await searchHere(), text);
			assert.equal(await indexOwner(), owner);
		} finally {
			await client.close();
		}
		await searchHere();
		process.kill(await indexOwner(), 0);
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
