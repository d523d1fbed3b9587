import assert from "node:assert/strict";
import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createPermissions, writeSettingsCopy } from "../../src/permissions/openPermissions.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { pluginHead } from "../support/pluginHead.ts";
import { makeWorkspace } from "../worker/workspace.ts";
import { LIGHTHOUSE, runOn, startMcp, textOf } from "./mcpProgram.ts";

test("rules that a user has written by hand hold, and a line that is none stops all but what the command line allows", async (t) => {
	const workspace = await makeWorkspace(t, LIGHTHOUSE);
	const folder = join(workspace.dataFolder, "permissions");
	const rules = join(folder, "rules.jsonl");
	await mkdir(folder, { recursive: true });
	await writeFile(rules, '{"effect":"deny","door":"mcp","tool":"read_resource"}\n');
	const { call } = await startMcp(t, workspace);
	const [search, read] = [{ query: "lamp" }, { target: "lighthouses.md" }];
	assert.ok(!(await call("search_knowledge", search)).isError);
	assert.match(textOf(await call("read_resource", read)), /Not allowed by a rule/);
	await appendFile(rules, '{"effect":"dney","tool":"query_graph"}\n');
	assert.match(textOf(await call("search_knowledge", search)), /Line 2 of .*rules\.jsonl is damaged: .*dney/);
	const allowing = await startMcp(t, workspace, "--allow", "search_*");
	assert.ok(!(await allowing.call("search_knowledge", search)).isError);
	assert.match(textOf(await allowing.call("read_resource", read)), /Line 2 of .* is damaged/);
});

const ACTS = `${pluginHead("acts", "title: Acts, description: Does things.")}commands:
  - command_name: count
    description: Counts.
    executor: { kind: program, program: node, arguments: [-p, "40 + 2"] }
`;

test("--check names what is skipped and what waits for consent, which --agree-plugin and --allow give", async (t) => {
	const workspace = await makeWorkspace(t, {
		...LIGHTHOUSE,
		".copilot-ld/plugins/acts/plugin.yaml": ACTS,
		".github/agents/a.md": "---\nname: A b\ndescription: Reads\n---\n",
	});
	const first = await runOn(workspace, "--check");
	assert.equal(first.code, 0, first.printed);
	assert.match(first.printed, /^1 agents, 1 plugins, 0 skills, 0 problems$/m);
	const [, agreement = ""] = /--agree-plugin (acts@[0-9a-f]{64})/.exec(first.printed) ?? [];
	const waiting = await startMcp(t, workspace, "--allow", "acts:count");
	assert.match(textOf(await waiting.call("plugin_acts_count", {})), /has not agreed to the plugin acts yet/);
	const agreed = ["--agree-plugin", agreement.slice(0, "acts@".length + 16)];
	assert.doesNotMatch((await runOn(workspace, "--check", ...agreed)).printed, /to agree/);
	const { call } = await startMcp(t, workspace, ...agreed, "--allow", '{"channel":"mcp","tool":"acts:*"}');
	assert.match(textOf(await call("plugin_acts_count", {})), /^42\n/);
	await workspace.write({
		".copilot-ld/plugins/acts/plugin.yaml": ACTS.replace("40 + 2", "40 + 3"),
		".github/agents/b.md": "---\nname: [x\n---\n",
	});
	const broken = await runOn(workspace, "--check", ...agreed);
	assert.equal(broken.code, 1);
	assert.match(broken.printed, /b\.md:2: error: The front matter [\s\S]*to agree to this version/);
});

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
	assertMapped(decisions, ({ effect, by, request }) => [request.door, request.tool, effect, by], [
		["mcp", "read_resource", "deny", "rule"],
		["mcp", "search_knowledge", "deny", "rule"],
		["mcp", "search_knowledge", "allow", "default"],
	]);
	const user = [{ effect: "deny", door: "mcp", tool: "describe_*" }];
	const workspaceUri = workspace.uri("").replace(/\/$/, "");
	await writeSettingsCopy(folder, { user, workspace: [], workspaceUri });
	assert.match(textOf(await call("describe_ontology", {})), /Not allowed by a rule in the setting/);
});
