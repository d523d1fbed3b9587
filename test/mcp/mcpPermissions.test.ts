import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { createPermissions, writeSettingsCopy } from "../../src/permissions/openPermissions.ts";
import { makeWorkspace } from "../worker/workspace.ts";
import { startMcp, textOf } from "./mcpProgram.ts";

const FILES = { "lighthouses.md": "# Lighthouses\n\nThe lamp of Skagen is lit at dusk.\n" };

test("rules of permission hold at this door: what they deny or ask about is refused in words, and written down", async (t) => {
	const workspace = await makeWorkspace(t, FILES);
	const folder = join(workspace.dataFolder, "permissions");
	const { call } = await startMcp(t, workspace, "--permissions", folder);
	const options = { now: Date.now, managedRules: () => [], ignoreCase: false };
	const permissions = createPermissions({ folder, ...options });
	assert.ok(!(await call("search_knowledge", { query: "lamp" })).isError);
	await permissions.add({ effect: "deny", scope: "always", tool: "search_knowledge" });
	await permissions.add({ effect: "ask", scope: "always", door: "mcp", tool: "read_resource" });
	const denied = await call("search_knowledge", { query: "lamp" });
	assert.deepEqual([denied.isError, /Not allowed by a rule/.test(textOf(denied))], [true, true]);
	const asked = await call("read_resource", { target: "lighthouses.md" });
	assert.match(textOf(asked), /nobody can be asked here.*"door":"mcp","tool":"read_resource"/);
	const decisions = await permissions.decisions({ limit: 9 });
	assert.deepEqual(
		decisions.map(({ effect, by, request }) => [request.door, request.tool, effect, by]),
		[
			["mcp", "read_resource", "deny", "rule"],
			["mcp", "search_knowledge", "deny", "rule"],
			["mcp", "search_knowledge", "allow", "default"],
		],
	);
});

test("rules of the settings of the window with this folder hold at this door", async (t) => {
	const workspace = await makeWorkspace(t, FILES);
	const folder = join(workspace.dataFolder, "permissions");
	const { call } = await startMcp(t, workspace, "--permissions", folder);
	const user = [{ effect: "deny", door: "mcp", tool: "search_*" }];
	await writeSettingsCopy(folder, {
		user,
		workspace: [],
		workspaceUri: workspace.uri("").replace(/\/$/, ""),
	});
	const denied = await call("search_knowledge", { query: "lamp" });
	assert.match(textOf(denied), /Not allowed by a rule in the setting/);
});

test("without a folder for them the calls are written down beside the index, and allowed", async (t) => {
	const workspace = await makeWorkspace(t, FILES);
	const { call } = await startMcp(t, workspace);
	assert.ok(!(await call("search_knowledge", { query: "lamp" })).isError);
	const folder = join(workspace.dataFolder, "permissions");
	const permissions = createPermissions({ folder, now: Date.now, managedRules: () => [], ignoreCase: false });
	const decisions = await permissions.decisions({ limit: 9 });
	assert.deepEqual(
		decisions.map(({ effect, by, request }) => [request.door, request.tool, effect, by]),
		[["mcp", "search_knowledge", "allow", "default"]],
	);
});
