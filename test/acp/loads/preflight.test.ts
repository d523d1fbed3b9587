import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import * as preflight from "../../../src/acp/loads/preflight.ts";
import { inWords } from "../../../src/core/phrase.ts";
import { makeFolder } from "../../support/folder.ts";
import { hook, writeIn } from "./writeIn.ts";

function inEnglish(loads: preflight.Loads | undefined) {
	return loads && { ...loads, lines: loads.lines.map((line) => inWords(line)) };
}

const folderLoads = async (folder: string) => inEnglish(await preflight.folderLoads(folder));
const homeLoads = async (home: string) => inEnglish(await preflight.homeLoads(home, home));
const linesOf = async (folder: string) => (await folderLoads(folder))?.lines;

test("a folder that brings nothing along is nothing to ask about", async (t) => {
	assert.equal(await folderLoads(await makeFolder(t)), undefined);
});

test("the fingerprint changes with every byte, and with nothing else", async (t) => {
	const folder = await makeFolder(t);
	await writeIn(folder, ".github/hooks/a.json", hook("true"));
	const first = await folderLoads(folder);
	await writeIn(folder, "README.md", "Nothing to load");
	assert.deepEqual(await folderLoads(folder), first);
	await writeIn(folder, ".github/hooks/a.json", hook("false"));
	assert.notEqual((await folderLoads(folder))?.fingerprint, first?.fingerprint);
});

test("what cannot be understood is shown whole", async (t) => {
	const folder = await makeFolder(t);
	await writeIn(folder, ".github/hooks/a.json", "{");
	await writeIn(folder, ".mcp.json", '{ "mcpServers": { "a": { "command": "ls", "command": "rm" } } }');
	await writeIn(folder, ".github/agents/a.md", "---\nname: a\n\tmcp-servers: {}\n---\n");
	assert.deepEqual(await linesOf(folder), [
		"Hook .github/hooks/a.json cannot be understood. The full text: {",
		'MCP servers .mcp.json cannot be understood. The full text: { "mcpServers": { "a": { "command": "ls", "command": "rm" } } }',
		"Agent .github/agents/a.md cannot be understood. The full text: ---⟨newline⟩name: a⟨newline⟩⟨tab⟩mcp-servers: {}⟨newline⟩---⟨newline⟩",
	]);
});

async function shownOf(t: TestContext, name: string, content: unknown) {
	const folder = await makeFolder(t);
	await writeIn(folder, name, content);
	return linesOf(folder);
}

const UNSEEN = `ls\u202e${" ".repeat(90)}; evil\n\u200bx\u{e0041}`;

for (const [what, hook, line] of [
	["a command in an environment", { bash: "$X", env: { X: "curl a.io" } }, 'runs $X, env: {"X":"curl a.io"}'],
	["a way for each system", { bash: "a", powershell: "b", cwd: "y" }, 'runs a; on Windows runs b, cwd: "y"'],
	["a hook over HTTP", { type: "http", url: "http://a", b: "c" }, 'sends every call to http://a, b: "c"'],
	["a shape that nobody knows", { type: "b" }, 'cannot be understood. The full text: {"type":"b"}'],
	["a field that nobody knows", { bash: "true", before: "evil" }, 'runs true, before: "evil"'],
	["what is out of sight", { bash: UNSEEN }, "runs ls⟨U+202E⟩⟨90 spaces⟩; evil⟨newline⟩⟨U+200B⟩x⟨U+E0041⟩"],
] as const)
	test(`of a hook it shows ${what}`, async (t) => {
		const name = ".github/hooks/sub/deep/a.json";
		const lines = await shownOf(t, name, { hooks: { preToolUse: [hook] } });
		assert.deepEqual(lines, [`Hook ${name}: preToolUse ${line}`]);
	});

const CLAUDES = { matcher: "Bash", hooks: [{ type: "command", command: "evil" }] };
const STARTS = { command: "sh", args: ["-c", "curl a"], env: { PATH: "." } };
const OURS = { mcpServers: { "copilot-ld": { command: "evil" } } };
const STARTING = "---\nname: a\nmcp-servers:\n  x:\n    command: sh\n    args: [-c, curl a]\n---\n";

for (const [name, content, line] of [
	[".claude/settings.json", { hooks: { Pre: [CLAUDES] } }, "Hook %: Pre (for Bash) runs evil"],
	[".github/copilot/settings.local.json", { disableAllHooks: true }, "Settings % says disableAllHooks: true"],
	[".mcp.json", { mcpServers: { a: STARTS } }, 'MCP server “a” in %: sh -c "curl a", env: {"PATH":"."}'],
	[".vscode/mcp.json", { servers: { web: { url: "http://a/b" } } }, "MCP server “web” in %: http://a/b"],
	[".mcp.json", { a: { command: "evil" } }, "MCP server “a” in %: evil"],
	[".github/mcp.json", OURS, "MCP server “copilot-ld” in % (which takes the name of our own): evil"],
	[".github/agents/sub/a.agent.md", STARTING, 'Agent % starts MCP server “x”: sh -c "curl a"'],
	[".claude/agents/a.md", "---\nhooks:\n  Pre:\n    - bash: evil\n---\n", "Agent %: Pre runs evil"],
	[".agents/skills/a/SKILL.md", "---\nallowed-tools: Ls(*)\n---\n", 'Skill % says allowed-tools: "Ls(*)"'],
	[".claude/commands/a.md", "Do it", "Command %"],
	["AGENTS.md", "Be kind.", "Instructions %"],
] as const)
	test(`it shows what ${name} brings: ${line}`, async (t) => {
		assert.deepEqual(await shownOf(t, name, content), [line.replace("%", name)]);
	});

async function bring(folder: string): Promise<void> {
	await writeIn(folder, ".github/hooks/a.json", hook("evil"));
	await writeIn(folder, ".mcp.json", { mcpServers: { a: { command: "evil" } } });
	await writeIn(folder, ".github/agents/a.md", "Be kind.");
}

/** What is found below a folder, by its first word. */
async function foundIn(folder: string, session: string): Promise<string[]> {
	const lines = (await folderLoads(session))?.lines ?? [];
	return lines.filter((line) => line.includes(`${folder}/.`)).map((line) => line.slice(0, line.indexOf(" ")));
}

test("it looks up to the root of the repository, and no further", async (t) => {
	const above = await makeFolder(t);
	const session = join(above, "root/a/b");
	await mkdir(session, { recursive: true });
	execFileSync("git", ["init", "--quiet", join(above, "root")]);
	await bring(above);
	await bring(join(above, "root"));
	assert.deepEqual(await foundIn(join(above, "root"), session), ["Hook", "MCP", "Agent"]);
	assert.deepEqual(await foundIn(above, session), []);
});

test("an empty folder called .git hides nothing of the repository around it", async (t) => {
	const root = await makeFolder(t);
	await mkdir(join(root, "a/b/c/.git"), { recursive: true });
	execFileSync("git", ["init", "--quiet", root]);
	await bring(root);
	assert.deepEqual(await foundIn(root, join(root, "a/b/c")), ["Hook", "MCP", "Agent"]);
});

test("without a repository it looks for agents up to the top, and in what is called .git for all", async (t) => {
	const above = await makeFolder(t);
	const session = join(above, "a/b/c/d/e/f/g");
	await mkdir(session, { recursive: true });
	await mkdir(join(above, "a/b/.git"));
	await bring(above);
	await bring(join(above, "a/b"));
	assert.deepEqual(await foundIn(join(above, "a/b"), session), ["Hook", "MCP", "Agent"]);
	assert.deepEqual(await foundIn(above, session), ["Agent"]);
});

test("through a link into a repository it looks on both ways up", async (t) => {
	const [root, links] = [await makeFolder(t), await makeFolder(t)];
	execFileSync("git", ["init", "--quiet", root]);
	await mkdir(join(root, "sub"));
	await symlink(join(root, "sub"), join(links, "sub"));
	await bring(root);
	await bring(links);
	for (const folder of [root, links])
		assert.deepEqual(await foundIn(folder, join(links, "sub")), ["Hook", "MCP", "Agent"]);
});

test("it looks where a link leads, and names what is reached in two ways once", async (t) => {
	const root = await makeFolder(t);
	const elsewhere = await makeFolder(t);
	await writeIn(root, "hidden/hooks/a.json", hook("evil"));
	await symlink(join(root, "hidden"), join(root, ".github"));
	await mkdir(join(root, "work"));
	await symlink(join(root, "work"), join(elsewhere, "work"));
	execFileSync("git", ["init", "--quiet", root]);
	for (const folder of [join(root, "work"), join(elsewhere, "work")])
		assert.equal((await linesOf(folder))?.length, 1, folder);
});

test("links in a circle, and a link to everything, end; what was not looked at is said, and asked about again", async (t) => {
	const folder = await makeFolder(t);
	await writeIn(folder, ".github/hooks/a.json", hook("evil"));
	await symlink(join(folder, ".github"), join(folder, ".github/hooks/round"));
	assert.deepEqual(await linesOf(folder), ["Hook .github/hooks/a.json: preToolUse runs evil"]);
	await symlink("/", join(folder, ".github/agents"));
	const [first, second] = [await folderLoads(folder), await folderLoads(folder)];
	assert.equal(first?.lines[0], "There is more than could be checked.");
	assert.notEqual(first?.fingerprint, second?.fingerprint);
});

test("what is no file is named, and nothing waits for it", async (t) => {
	const folder = await makeFolder(t);
	await mkdir(join(folder, ".mcp.json"));
	assert.deepEqual(await linesOf(folder), ["MCP servers .mcp.json is not a file"]);
});

test("a script that a hook names counts as the hook does", async (t) => {
	const folder = await makeFolder(t);
	await writeIn(folder, ".github/hooks/a.json", hook("bash tools/look.sh"));
	await writeIn(folder, "tools/look.sh", "true");
	const first = await folderLoads(folder);
	assert.deepEqual(first?.lines.slice(1), ["  which names the file tools/look.sh"]);
	await writeIn(folder, "tools/look.sh", "curl evil.example");
	assert.notEqual((await folderLoads(folder))?.fingerprint, first?.fingerprint);
});

test("of the CLI's home, hooks, servers, agents, skills and instructions count, and no other setting", async (t) => {
	const home = await makeFolder(t);
	await writeIn(home, "hooks/a.json", hook("evil"));
	await writeIn(home, "settings.json", { model: "x", hooks: { sessionStart: [{ bash: "evil" }] } });
	await writeIn(home, "mcp-config.json", { mcpServers: { a: { command: "evil" } } });
	await writeIn(home, "agents/a.md", "---\nname: a\n---\n");
	await writeIn(home, ".agents/skills/a/SKILL.md", "---\nname: a\n---\n");
	const first = await homeLoads(home);
	const at = (name: string) => join(home, name);
	assert.deepEqual(first?.lines, [
		`Hook ${at("hooks/a.json")}: preToolUse runs evil`,
		`Hook ${at("settings.json")}: sessionStart runs evil`,
		`MCP server “a” in ${at("mcp-config.json")}: evil`,
		`Agent ${at("agents/a.md")}`,
		`Skill ${at(".agents/skills/a/SKILL.md")}`,
	]);
	await writeIn(home, "settings.json", { model: "y", hooks: { sessionStart: [{ bash: "evil" }] } });
	assert.deepEqual(await homeLoads(home), first);
});

/** As a shell writes the folder of the plugin. */
const ROOT = `$\{CLAUDE_PLUGIN_ROOT}`;

test("a plugin that the CLI has installed shows what it starts, and a change of its scripts is a change", async (t) => {
	const home = await makeFolder(t);
	const at = (name: string) => join("installed-plugins/market/p", name);
	await writeIn(home, at("plugin.json"), {
		name: "p",
		author: { name: "x", url: "https://example.org" },
		hooks: { sessionStart: [{ bash: `${ROOT}/x.sh` }] },
		lspServers: { l: { command: "evil-lsp" } },
	});
	await writeIn(home, at("of/hooks.json"), hook("./x.sh"));
	await writeIn(home, at("parts/.mcp.json"), { p: { command: "evil" } });
	await writeIn(home, at("other.json"), { preToolUse: [{ bash: "evil" }] });
	await writeIn(home, at("twice.json"), '{"hooks":{},"hooks":{"preToolUse":[{"bash":"evil"}]}}');
	await writeIn(home, at("listed.json"), { hooks: [{ command: "evil" }], mcpServers: "servers.json" });
	await writeIn(home, at("data.json"), [1, 2]);
	await writeIn(home, at("agents/a.md"), "---\nname: a\nmcp-servers:\n  s:\n    command: evil\n---\n");
	await writeIn(home, at("README.md"), "---\nnot: [fields\n---\n");
	await writeIn(home, at("x.sh"), "one");
	const first = await preflight.homeLoads(home, home);
	const named = (name: string) => `Plugin file ${join(home, at(name))}`;
	const script = "  which names the file x.sh";
	assert.deepEqual(
		first?.running.map((line) => inWords(line)).sort(),
		[
			script,
			"  which names the file ./x.sh",
			`MCP server “p” in ${join(home, at("parts/.mcp.json"))}: evil`,
			`${named("agents/a.md")} starts MCP server “s”: evil`,
			`${named("of/hooks.json")}: preToolUse runs ./x.sh`,
			`${named("listed.json")} says hooks: [{"command":"evil"}]`,
			`${named("other.json")} says preToolUse: [{"bash":"evil"}]`,
			`${named("plugin.json")} says lspServers: {"l":{"command":"evil-lsp"}}`,
			`${named("plugin.json")}: sessionStart runs ${ROOT}/x.sh`,
			`${named("twice.json")} says content: "{\\"hooks\\":{},\\"hooks\\":{\\"preToolUse\\":[{\\"bash\\":\\"evil\\"}]}}"`,
		].sort(),
	);
	await writeIn(home, at("x.sh"), "two");
	assert.notEqual((await preflight.homeLoads(home, home))?.fingerprint, first?.fingerprint);
});

test("a plugin is found in hidden and linked folders, and where the configuration of the CLI says", async (t) => {
	const [home, elsewhere] = [await makeFolder(t), await makeFolder(t)];
	await writeIn(home, "installed-plugins/.market/.p/hooks.json", hook("one"));
	await writeIn(elsewhere, "market/p/hooks.json", hook("two"));
	await writeIn(elsewhere, "p/hooks.json", hook("three"));
	await writeIn(elsewhere, "named/hooks.json", hook("four"));
	await symlink(join(elsewhere, "market"), join(home, "installed-plugins/linked"), "junction");
	await mkdir(join(home, "installed-plugins/market"));
	await symlink(join(elsewhere, "p"), join(home, "installed-plugins/market/p"), "junction");
	const installed = JSON.stringify({ installedPlugins: [{ cache_path: join(elsewhere, "named") }] });
	await writeIn(home, "config.json", `// Managed.\n${installed}`);
	const running = (await preflight.homeLoads(home, home))?.running.map((line) => inWords(line)) ?? [];
	for (const what of ["one", "two", "three", "four"])
		assert.ok(
			running.some((line) => line.endsWith(`preToolUse runs ${what}`)),
			what,
		);
});
