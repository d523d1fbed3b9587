import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { createPermissions, writeSettingsCopy } from "../../src/permissions/openPermissions.ts";
import { makeWorkspace } from "../worker/workspace.ts";
import { LIGHTHOUSE, startMcp, textOf } from "./mcpProgram.ts";

test("rules and the settings of a window hold at this door: what they deny or ask about is refused in words, and written down", async (t) => {
	const workspace = await makeWorkspace(t, LIGHTHOUSE);
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
	const user = [{ effect: "deny", door: "mcp", tool: "describe_*" }];
	const workspaceUri = workspace.uri("").replace(/\/$/, "");
	await writeSettingsCopy(folder, { user, workspace: [], workspaceUri });
	assert.match(textOf(await call("describe_ontology", {})), /Not allowed by a rule in the setting/);
});
