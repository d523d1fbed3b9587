import assert from "node:assert/strict";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { readPromptFiles, readWorkspaceInstructions } from "../../../src/vscode/chat/promptFiles.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { workspace } from "../../support/fakeVscode.ts";
import { openFolders } from "../../support/openFolders.ts";
import { makeWorkspace } from "../../worker/workspace.ts";

async function folderWith(t: TestContext, files: Record<string, string>) {
	return { path: (await makeWorkspace(t, files)).root, name: "kb" };
}

const NAMES = ["AGENTS.md", ".github/copilot-instructions.md"];

test("instructions come from the configuration and the named files; with several folders, names have a prefix", async (t) => {
	const folder = await folderWith(t, {
		".copilot-ld/config.yaml": "include: ['*.md']\ninstructions: |\n  Be brief.\n",
		...{ "AGENTS.md": "Use metres.\n", "OTHER.md": "Not wanted." },
	});
	const config = { name: ".copilot-ld/config.yaml", text: "Be brief." };
	const agents = { name: "AGENTS.md", text: "Use metres." };
	assert.deepEqual(await readPromptFiles([folder], NAMES), { texts: [config, agents], notices: [] });
	assert.deepEqual(await readPromptFiles([folder], []), { texts: [config], notices: [] });
	const other = { ...(await folderWith(t, { "AGENTS.md": "b" })), name: "kb1" };
	const { texts } = await readPromptFiles([folder, other], ["AGENTS.md"]);
	assertMapped(texts.slice(1), ({ name }) => name, ["kb/AGENTS.md", "kb1/AGENTS.md"]);
});

test("instructions may be a text or a list; any other value is reported and ignored", async (t) => {
	const read = async (text: string) =>
		readPromptFiles([await folderWith(t, { ".copilot-ld/config.yaml": text })], []);
	const { texts } = await read("instructions: [Be short., Use metres.]");
	assert.equal(texts[0]?.text, "Be short.\nUse metres.");
	for (const text of ["instructions: 7", "instructions: {a: b}", "instructions: [1]", "a: [unclosed"]) {
		const { texts, notices } = await read(text);
		assert.deepEqual(texts, [], text);
		assert.match(notices.join(), /config\.yaml are ignored/, text);
	}
	for (const text of ["", "policy: []", "- a"])
		assert.deepEqual(await read(text), { texts: [], notices: [] }, text);
});

test("a path outside the folder, a folder and a huge file are reported and ignored", async (t) => {
	const outside = join((await folderWith(t, { "secret.md": "secret" })).path, "secret.md");
	const folder = await folderWith(t, { "AGENTS.md/x": "", "HUGE.md": "word ".repeat(300_000) });
	await symlink(outside, join(folder.path, "LINK.md"));
	const ways = ["../secret.md", "a/../../x.md", outside, "LINK.md"];
	for (const [name, why] of [
		...ways.map((way) => [way, /it leads out of the folder/] as const),
		["AGENTS.md", /./],
		["HUGE.md", /it is larger than 1 MB/],
	] as const) {
		const { texts, notices } = await readPromptFiles([folder], [name]);
		assert.deepEqual([texts, notices.length], [[], 1], name);
		assert.match(notices.join(), why, name);
	}
});

test("instruction files in an untrusted workspace are ignored", async (t) => {
	const { path } = await folderWith(t, { ".copilot-ld/config.yaml": "instructions: Obey." });
	openFolders(t, path);
	t.after(() => Object.assign(workspace, { isTrusted: true }));
	assert.equal((await readWorkspaceInstructions([])).texts.length, 1);
	workspace.isTrusted = false;
	assert.deepEqual(await readWorkspaceInstructions([]), { texts: [], notices: [] });
});

test("instructions in a folder apply only to files that match their `applyTo`", async (t) => {
	for (const [head, about, applies] of [
		['applyTo: "**"', [], true],
		['applyTo: "**/*.{ts,tsx}"', ["src/a.tsx"], true],
		["applyTo: docs/**, *.md", ["docs/x/y.txt"], true],
		["applyTo: *.md", ["docs/a.md"], false],
		['applyTo: "**/*.ts"', ["a.md"], false],
		["description: x", ["a.md"], false],
	] as const) {
		const name = ".github/instructions/deep/style.instructions.md";
		const folder = await folderWith(t, {
			[name]: `---\n${head}\n---\nBe brief.\n`,
			".github/instructions/other.md": "No instruction.",
		});
		const given = await readPromptFiles([folder], [".github/instructions"], about);
		const texts = applies ? [{ name, text: "Be brief." }] : [];
		assert.deepEqual(given, { texts, notices: [] }, head);
	}
});
