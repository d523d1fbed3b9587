import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import * as preflight from "../../../src/acp/loads/preflight.ts";
import { inWords } from "../../../src/core/phrase.ts";
import { makeFolder } from "../../support/folder.ts";
import { hook, writeAll, writeIn } from "./writeIn.ts";

function inEnglish(loads: preflight.Loads | undefined) {
	const english = (lines: preflight.Loads["lines"] = []) => lines.map((line) => inWords(line));
	return loads && { ...loads, lines: english(loads.lines), running: english(loads.running) };
}

const folderLoads = async (folder: string) => inEnglish(await preflight.folderLoads(folder));
const homeLoads = async (home: string) => inEnglish(await preflight.homeLoads(home, home));
const linesOf = async (folder: string) => (await folderLoads(folder))?.lines;
async function folderOf(t: TestContext, files: Readonly<Record<string, unknown>> = {}): Promise<string> {
	const folder = await makeFolder(t);
	await writeAll(folder, files);
	return folder;
}

test("the fingerprint of a folder changes only if loaded files change; a folder without loaded files has no fingerprint", async (t) => {
	const folder = await folderOf(t, { "README.md": "Nothing to load" });
	assert.equal(await folderLoads(folder), undefined);
	await writeIn(folder, ".github/hooks/a.json", hook("true"));
	const first = await folderLoads(folder);
	await writeIn(folder, "README.md", "Nothing else to load");
	assert.deepEqual(await folderLoads(folder), first);
	await writeIn(folder, ".github/hooks/a.json", hook("false"));
	assert.notEqual((await folderLoads(folder))?.fingerprint, first?.fingerprint);
});

const UNSEEN = `ls\u202e${" ".repeat(90)}; evil\n\u200bx\u{e0041}`;

const CLAUDES = { matcher: "Bash", hooks: [{ type: "command", command: "evil" }] };
const STARTS = { command: "sh", args: ["-c", "curl a"], env: { PATH: "." } };
const OURS = { mcpServers: { "copilot-ld": { command: "evil" } } };
const STARTING = "---\nname: a\nmcp-servers:\n  x:\n    command: sh\n    args: [-c, curl a]\n---\n";

const TWICE = '{ "mcpServers": { "a": { "command": "ls", "command": "rm" } } }';
const TABBED = "---\nname: a\n\tx: {}\n---\n";
const TABBED_SEEN = "---⟨newline⟩name: a⟨newline⟩⟨tab⟩x: {}⟨newline⟩---⟨newline⟩";

for (const [what, hook, line] of [
	["a command with variables", { bash: "$X", env: { X: "curl a.io" } }, 'runs $X, env: {"X":"curl a.io"}'],
	["commands per system", { bash: "a", powershell: "b", cwd: "y" }, 'runs a; on Windows runs b, cwd: "y"'],
	["a hook over HTTP", { type: "http", url: "http://a", b: "c" }, 'sends every call to http://a, b: "c"'],
	["the full text of an unknown form", { type: "b" }, 'cannot be understood. The full text: {"type":"b"}'],
	["an unknown field", { bash: "true", before: "evil" }, 'runs true, before: "evil"'],
	["invisible characters", { bash: UNSEEN }, "runs ls⟨U+202E⟩⟨90 spaces⟩; evil⟨newline⟩⟨U+200B⟩x⟨U+E0041⟩"],
] as const)
	test(`a hook's description shows ${what}`, async (t) => {
		const name = ".github/hooks/sub/deep/a.json";
		const folder = await folderOf(t, { [name]: { hooks: { preToolUse: [hook] } } });
		assert.deepEqual(await linesOf(folder), [`Hook ${name}: preToolUse ${line}`]);
	});

const NOT_UNDERSTOOD = "% cannot be understood. The full text: ";

for (const [name, content, line] of [
	[".github/hooks/a.json", "{", `Hook ${NOT_UNDERSTOOD}{`],
	[".mcp.json", TWICE, `MCP servers ${NOT_UNDERSTOOD}${TWICE}`],
	[".github/agents/a.md", TABBED, `Agent ${NOT_UNDERSTOOD}${TABBED_SEEN}`],
	[".claude/settings.json", { hooks: { Pre: [CLAUDES] } }, "Hook %: Pre (for Bash) runs evil"],
	[".github/copilot/settings.local.json", { disableAllHooks: true }, "Settings % says disableAllHooks: true"],
	[".mcp.json", { mcpServers: { a: STARTS } }, 'MCP server “a” in %: sh -c "curl a", env: {"PATH":"."}'],
	[".vscode/mcp.json", { servers: { web: { url: "http://a/b" } } }, "MCP server “web” in %: http://a/b"],
	[".mcp.json", { a: { command: "evil" } }, "MCP server “a” in %: evil"],
	[".github/mcp.json", OURS, "MCP server “copilot-ld” in % (whose name imitates our own server): evil"],
	[".github/agents/sub/a.agent.md", STARTING, 'Agent % starts MCP server “x”: sh -c "curl a"'],
	[".claude/agents/a.md", "---\nhooks:\n  Pre:\n    - bash: evil\n---\n", "Agent %: Pre runs evil"],
	[".agents/skills/a/SKILL.md", "---\nallowed-tools: Ls(*)\n---\n", 'Skill % says allowed-tools: "Ls(*)"'],
	[".claude/commands/a.md", "Do it", "Command %"],
	["AGENTS.md", "Be kind.", "Instructions %"],
] as const)
	test(`the content of ${name} is described as: ${line}`, async (t) => {
		assert.deepEqual(await linesOf(await folderOf(t, { [name]: content })), [line.replace("%", name)]);
	});

const BROUGHT = {
	".github/hooks/a.json": hook("evil"),
	".mcp.json": { mcpServers: { a: { command: "evil" } } },
	".github/agents/a.md": "Be kind.",
};
const ALL = ["Hook", "MCP", "Agent"];

const initGit = (folder: string) => execFileSync("git", ["init", "--quiet", folder]);
async function foundIn(folder: string, session: string): Promise<string[]> {
	const lines = (await folderLoads(session))?.lines ?? [];
	return lines.filter((line) => line.includes(`${folder}/.`)).map((line) => line.slice(0, line.indexOf(" ")));
}

for (const [title, session, git, empty, expected] of [
	["in a repository, folders up to the root are searched", "root/a/b", "root", "", { root: ALL, "": [] }],
	["in the root of a repository, no folder above is searched", "root", "root", "", { "": [] }],
	["an empty folder named .git does not end the search", "a/b/c", "", "a/b/c/.git", { "": ALL }],
	["without a repository, agents are searched up to the top", "a/b/c", undefined, "", { "": ["Agent"] }],
	["a folder with any .git entry counts as a repository", "a/b/c/d", undefined, "a/b/.git", { "a/b": ALL }],
] as readonly (readonly [string, string, string | undefined, string, Record<string, readonly string[]>])[])
	test(title, async (t) => {
		const top = await makeFolder(t);
		for (const folder of [session, empty]) await mkdir(join(top, folder), { recursive: true });
		if (git !== undefined) initGit(join(top, git));
		for (const folder of Object.keys(expected)) await writeAll(join(top, folder), BROUGHT);
		for (const [folder, words] of Object.entries(expected))
			assert.deepEqual(await foundIn(join(top, folder), join(top, session)), words, folder);
	});

test("for a linked folder, the folders above the link and above its target are searched", async (t) => {
	const [root, links] = [await folderOf(t, BROUGHT), await folderOf(t, BROUGHT)];
	initGit(root);
	await mkdir(join(root, "sub"));
	await symlink(join(root, "sub"), join(links, "sub"));
	for (const folder of [root, links]) assert.deepEqual(await foundIn(folder, join(links, "sub")), ALL);
});

test("links are followed, and a file reached by two paths is listed once", async (t) => {
	const [root, elsewhere] = [await folderOf(t, { "hidden/hooks/a.json": hook("evil") }), await makeFolder(t)];
	await symlink(join(root, "hidden"), join(root, ".github"));
	await mkdir(join(root, "work"));
	await symlink(join(root, "work"), join(elsewhere, "work"));
	initGit(root);
	for (const folder of [join(root, "work"), join(elsewhere, "work")])
		assert.equal((await linesOf(folder))?.length, 1, folder);
});

test("circular links and huge trees end the search, and an incomplete search is reported each time", async (t) => {
	const folder = await folderOf(t, { ".github/hooks/a.json": hook("evil") });
	await symlink(join(folder, ".github"), join(folder, ".github/hooks/round"));
	assert.deepEqual(await linesOf(folder), ["Hook .github/hooks/a.json: preToolUse runs evil"]);
	await symlink("/", join(folder, ".github/agents"));
	const [first, second] = [await folderLoads(folder), await folderLoads(folder)];
	assert.equal(first?.lines[0], "There are more files than could be checked.");
	assert.notEqual(first?.fingerprint, second?.fingerprint);
});

test("a path that is not a file is reported", async (t) => {
	const folder = await makeFolder(t);
	await mkdir(join(folder, ".mcp.json"));
	assert.deepEqual(await linesOf(folder), ["MCP servers .mcp.json is not a file"]);
});

test("a script that a hook names is part of the fingerprint", async (t) => {
	const files = { ".github/hooks/a.json": hook("bash tools/look.sh"), "tools/look.sh": "true" };
	const folder = await folderOf(t, files);
	const first = await folderLoads(folder);
	assert.deepEqual(first?.lines.slice(1), ["  which names the file tools/look.sh"]);
	await writeIn(folder, "tools/look.sh", "curl evil.example");
	assert.notEqual((await folderLoads(folder))?.fingerprint, first?.fingerprint);
});

test("hooks, servers, agents and skills of the CLI's home count, but no other settings", async (t) => {
	const hooks = { sessionStart: [{ bash: "evil" }] };
	const home = await folderOf(t, {
		"hooks/a.json": hook("evil"),
		"settings.json": { model: "x", hooks },
		"mcp-config.json": { mcpServers: { a: { command: "evil" } } },
		"agents/a.md": "---\nname: a\n---\n",
		".agents/skills/a/SKILL.md": "---\nname: a\n---\n",
	});
	const first = await homeLoads(home);
	assert.deepEqual(first?.lines, [
		`Hook ${home}/hooks/a.json: preToolUse runs evil`,
		`Hook ${home}/settings.json: sessionStart runs evil`,
		`MCP server “a” in ${home}/mcp-config.json: evil`,
		`Agent ${home}/agents/a.md`,
		`Skill ${home}/.agents/skills/a/SKILL.md`,
	]);
	await writeIn(home, "settings.json", { model: "y", hooks });
	assert.deepEqual(await homeLoads(home), first);
});
const ROOT = `$\{CLAUDE_PLUGIN_ROOT}`;

test("an installed plugin is described by what it starts; its scripts are part of the fingerprint", async (t) => {
	const home = await makeFolder(t);
	const plugin = join(home, "installed-plugins/market/p");
	await writeAll(plugin, {
		"plugin.json": {
			name: "p",
			author: { name: "x", url: "https://example.org" },
			hooks: { sessionStart: [{ bash: `${ROOT}/x.sh` }] },
			lspServers: { l: { command: "evil-lsp" } },
		},
		"of/hooks.json": hook("./x.sh"),
		"parts/.mcp.json": { p: { command: "evil" } },
		"other.json": { preToolUse: [{ bash: "evil" }] },
		"twice.json": '{"hooks":{},"hooks":{"preToolUse":[{"bash":"evil"}]}}',
		"listed.json": { hooks: [{ command: "evil" }], mcpServers: "servers.json" },
		"data.json": [1, 2],
		"agents/a.md": "---\nname: a\nmcp-servers:\n  s:\n    command: evil\n---\n",
		"README.md": "---\nnot: [fields\n---\n",
		"x.sh": "one",
	});
	const first = await homeLoads(home);
	const expected = [
		"  which names the file x.sh",
		"  which names the file ./x.sh",
		`MCP server “p” in ${plugin}/parts/.mcp.json: evil`,
		`Plugin file ${plugin}/agents/a.md starts MCP server “s”: evil`,
		`Plugin file ${plugin}/of/hooks.json: preToolUse runs ./x.sh`,
		`Plugin file ${plugin}/listed.json says hooks: [{"command":"evil"}]`,
		`Plugin file ${plugin}/other.json says preToolUse: [{"bash":"evil"}]`,
		`Plugin file ${plugin}/plugin.json says lspServers: {"l":{"command":"evil-lsp"}}`,
		`Plugin file ${plugin}/plugin.json: sessionStart runs ${ROOT}/x.sh`,
		`Plugin file ${plugin}/twice.json says content: "{\\"hooks\\":{},\\"hooks\\":{\\"preToolUse\\":[{\\"bash\\":\\"evil\\"}]}}"`,
	];
	assert.deepEqual(first?.running.sort(), expected.sort());
	await writeIn(plugin, "x.sh", "two");
	assert.notEqual((await homeLoads(home))?.fingerprint, first?.fingerprint);
});

test("plugins are found in hidden and linked folders, and at paths in the CLI's configuration", async (t) => {
	const elsewhere = await folderOf(t, {
		"market/p/hooks.json": hook("two"),
		"p/hooks.json": hook("three"),
		"named/hooks.json": hook("four"),
	});
	const installed = JSON.stringify({ installedPlugins: [{ cache_path: join(elsewhere, "named") }] });
	const home = await folderOf(t, {
		"installed-plugins/.market/.p/hooks.json": hook("one"),
		"config.json": `// Managed.\n${installed}`,
	});
	await symlink(join(elsewhere, "market"), join(home, "installed-plugins/linked"), "junction");
	await mkdir(join(home, "installed-plugins/market"));
	await symlink(join(elsewhere, "p"), join(home, "installed-plugins/market/p"), "junction");
	const run = (await homeLoads(home))?.running.map((line) => / runs (\w+)$/.exec(line)?.[1]);
	assert.deepEqual(run?.sort(), ["four", "one", "three", "two"]);
});
