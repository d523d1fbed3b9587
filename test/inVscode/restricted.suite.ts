import assert from "node:assert/strict";
import { setup, suite, suiteSetup, test } from "mocha";
import * as vscode from "vscode";
import { permissionRules, setting } from "../../src/vscode/settings.ts";
import { ask, invokeTool, openNewChat } from "./chat.ts";
import { file, untilTrue, write } from "./workbench.ts";

const VENDOR = "copilot-ld-passages";

suite("in Restricted Mode", () => {
	suiteSetup(() => assert.equal(vscode.workspace.isTrusted, false));
	setup(openNewChat);

	test("/index and /search work", async () => {
		const indexed = await ask("/index", VENDOR);
		assert.equal(indexed.errorDetails, undefined);
		const { errorDetails, metadata } = await ask("/search Gannet Rock Light", VENDOR);
		assert.equal(errorDetails, undefined);
		assert.ok(metadata?.citations.some(({ path }) => path === "lights.html"));
	});

	test("the Copilot CLI and agents are refused with a reason, and read-only tools answer", async () => {
		const { errorDetails } = await ask("/cli list the files", VENDOR);
		assert.match(errorDetails?.message ?? "", /not started in an untrusted folder.*Trust the folder/);
		const text = "---\nname: keeper\ndescription: Keeps lights\n---\nYou keep lights.\n";
		await write(".github/agents/keeper.md", text);
		const agent = invokeTool("copilot-ld_run_agent", { agent: "keeper", prompt: "List the lights" });
		assert.match(await agent.catch(String), /untrusted folder/);
		assert.match(await invokeTool("copilot-ld_read_resource", { target: "lights.html:101" }), /Fenwick/);
	});

	test("the folder's settings are ignored if they need trust or are reserved to the user", async () => {
		const rule = { effect: "allow", tool: "shell" };
		const refused = { "cli.path": "/x", "cli.server": "localhost:1", "storage.uri": "/x", folders: ["/x"] };
		const named = Object.entries({ ...refused, "permissions.rules": [rule], "agent.maxRounds": 7 }).flatMap(
			([name, value]) => ["copilot-LD", "copilot-ld"].map((section) => [`${section}.${name}`, value]),
		);
		await write(".vscode/settings.json", JSON.stringify(Object.fromEntries(named)));
		const isRead = () => setting("agent.maxRounds") === 7;
		await untilTrue(isRead, vscode.workspace.onDidChangeConfiguration);
		assert.deepEqual([setting("cli.path"), setting("cli.server"), setting("storage.uri")], ["", "", ""]);
		assert.deepEqual([setting("folders"), permissionRules().workspace], [[], []]);
		const kept = new TextDecoder().decode(await vscode.workspace.fs.readFile(file(".vscode/settings.json")));
		assert.deepEqual(JSON.parse(kept), Object.fromEntries(named));
		await vscode.workspace.fs.delete(file(".vscode/settings.json"));
	});
});
