import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { pluginHead } from "../support/pluginHead.ts";
import { MCP_PROGRAM } from "../support/programs.ts";
import { makeWorkspace, type Workspace } from "../worker/workspace.ts";
import { startMcp, textOf } from "./mcpProgram.ts";

const LIGHTS = { "lights.md": "# Lights\n\nThe lamp of Skagen is lit at dusk.\n" };

test("rules that a user has written by hand hold, and a line that is none stops all but what the command line allows", async (t) => {
	const workspace = await makeWorkspace(t, LIGHTS);
	const folder = join(workspace.dataFolder, "permissions");
	const rules = join(folder, "rules.jsonl");
	await mkdir(folder, { recursive: true });
	await writeFile(rules, '{"effect":"deny","door":"mcp","tool":"read_resource"}\n');
	const { call } = await startMcp(t, workspace);
	const [search, read] = [{ query: "lamp" }, { target: "lights.md" }];
	assert.ok(!(await call("search_knowledge", search)).isError);
	assert.match(textOf(await call("read_resource", read)), /Not allowed by a rule/);
	await appendFile(rules, '{"effect":"dney","tool":"query_graph"}\n');
	assert.match(
		textOf(await call("search_knowledge", search)),
		/Line 2 of .*rules\.jsonl is damaged: “.*dney/,
	);
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
		...LIGHTS,
		".copilot-ld/plugins/acts/plugin.yaml": ACTS,
		".github/agents/a.md": "---\nname: A b\ndescription: Reads\n---\n",
	});
	const first = await run(workspace, "--check");
	assert.equal(first.code, 0, first.printed);
	assert.match(first.printed, /^1 agents, 1 plugins, 0 skills, 0 problems$/m);
	const [, agreement = ""] = /--agree-plugin (acts@[0-9a-f]{64})/.exec(first.printed) ?? [];
	const waiting = await startMcp(t, workspace, "--allow", "acts:count");
	assert.match(textOf(await waiting.call("plugin_acts_count", {})), /has not agreed to the plugin acts yet/);
	const agreed = ["--agree-plugin", agreement.slice(0, "acts@".length + 16)];
	assert.doesNotMatch((await run(workspace, "--check", ...agreed)).printed, /to agree/);
	const { call } = await startMcp(t, workspace, ...agreed, "--allow", '{"channel":"mcp","tool":"acts:*"}');
	assert.match(textOf(await call("plugin_acts_count", {})), /^42\n/);
	await workspace.write({
		".copilot-ld/plugins/acts/plugin.yaml": ACTS.replace("40 + 2", "40 + 3"),
		".github/agents/b.md": "---\nname: [x\n---\n",
	});
	const broken = await run(workspace, "--check", ...agreed);
	assert.equal(broken.code, 1);
	assert.match(
		broken.printed,
		/b\.md:2: error: The front matter cannot be read[\s\S]*to agree to this version/,
	);
});

for (const [option, value] of [
	["--allow", '{"effect":"deny","tool":"x"}'],
	["--allow", '{"tool":"x"'],
	["--allow", '{"tol":"x"}'],
	["--agree-plugin", "acts"],
	["--agree-plugin", "acts@abc"],
] as const)
	test(`${option} ${value} ends the program with 2, and why`, async (t) => {
		const { code, printed } = await run(await makeWorkspace(t, LIGHTS), option, value);
		assert.equal(code, 2);
		assert.ok(printed.includes(option), printed);
	});

function run({ root, dataFolder }: Workspace, ...more: string[]) {
	const args = [MCP_PROGRAM, "--workspace", root, "--data", dataFolder, ...more];
	return new Promise<{ code: number; printed: string }>((resolve) => {
		execFile(process.execPath, args, (error, stdout, stderr) =>
			resolve({ code: typeof error?.code === "number" ? error.code : 0, printed: `${stdout}${stderr}` }),
		);
	});
}
