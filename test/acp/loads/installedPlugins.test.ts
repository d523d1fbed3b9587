import assert from "node:assert/strict";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { homeLoads } from "../../../src/acp/loads/preflight.ts";
import { inWords } from "../../../src/core/phrase.ts";
import { makeFolder } from "../realCli.ts";
import { hook, writeIn } from "./writeIn.ts";

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
	await writeIn(home, at("data.json"), [1, 2]);
	await writeIn(home, at("agents/a.md"), "---\nname: a\nmcp-servers:\n  s:\n    command: evil\n---\n");
	await writeIn(home, at("README.md"), "---\nnot: [fields\n---\n");
	await writeIn(home, at("x.sh"), "one");
	const first = await homeLoads(home, home);
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
			`${named("other.json")} says preToolUse: [{"bash":"evil"}]`,
			`${named("plugin.json")} says lspServers: {"l":{"command":"evil-lsp"}}`,
			`${named("plugin.json")}: sessionStart runs ${ROOT}/x.sh`,
			`${named("twice.json")} says content: "{\\"hooks\\":{},\\"hooks\\":{\\"preToolUse\\":[{\\"bash\\":\\"evil\\"}]}}"`,
		].sort(),
	);
	await writeIn(home, at("x.sh"), "two");
	assert.notEqual((await homeLoads(home, home))?.fingerprint, first?.fingerprint);
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
	const running = (await homeLoads(home, home))?.running.map((line) => inWords(line)) ?? [];
	for (const what of ["one", "two", "three", "four"])
		assert.ok(
			running.some((line) => line.endsWith(`preToolUse runs ${what}`)),
			what,
		);
});
