import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { homeLoads } from "../../../src/acp/loads/preflight.ts";
import { inWords } from "../../../src/core/phrase.ts";
import { makeFolder } from "../realCli.ts";

const hook = (bash: string) => ({ version: 1, hooks: { preToolUse: [{ type: "command", bash }] } });

async function write(folder: string, name: string, content: unknown): Promise<void> {
	const file = join(folder, name);
	await mkdir(dirname(file), { recursive: true });
	await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
}

test("a plugin that the CLI has installed shows what it starts, and a change of its scripts is a change", async (t) => {
	const home = await makeFolder(t);
	const at = (name: string) => join("installed-plugins/market/p", name);
	await write(home, at("plugin.json"), {
		name: "p",
		author: { name: "x", url: "https://example.org" },
		// biome-ignore lint/suspicious/noTemplateCurlyInString: so a shell writes it
		hooks: { sessionStart: [{ bash: "${CLAUDE_PLUGIN_ROOT}/x.sh" }] },
		lspServers: { l: { command: "evil-lsp" } },
	});
	await write(home, at("of/hooks.json"), hook("./x.sh"));
	await write(home, at("parts/.mcp.json"), { p: { command: "evil" } });
	await write(home, at("other.json"), { preToolUse: [{ bash: "evil" }] });
	await write(home, at("twice.json"), '{"hooks":{},"hooks":{"preToolUse":[{"bash":"evil"}]}}');
	await write(home, at("data.json"), [1, 2]);
	await write(home, at("agents/a.md"), "---\nname: a\nmcp-servers:\n  s:\n    command: evil\n---\n");
	await write(home, at("README.md"), "---\nnot: [fields\n---\n");
	await write(home, at("x.sh"), "one");
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
			`${named("plugin.json")}: sessionStart runs \${CLAUDE_PLUGIN_ROOT}/x.sh`,
			`${named("twice.json")} says content: "{\\"hooks\\":{},\\"hooks\\":{\\"preToolUse\\":[{\\"bash\\":\\"evil\\"}]}}"`,
		].sort(),
	);
	await write(home, at("x.sh"), "two");
	assert.notEqual((await homeLoads(home, home))?.fingerprint, first?.fingerprint);
});
