import assert from "node:assert/strict";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { readPromptFiles, readWorkspaceInstructions } from "../../../src/vscode/chat/promptFiles.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { workspace } from "../../support/fakeVscode.ts";
import { makeWorkspace } from "../../worker/workspace.ts";

async function folderWith(t: TestContext, files: Record<string, string>) {
	return { path: (await makeWorkspace(t, files)).root, name: "kb" };
}

const NAMES = ["AGENTS.md", ".github/copilot-instructions.md"];

test("instructions come from the configuration and from the files that are wanted, and nobody misses what is not there", async (t) => {
	const folder = await folderWith(t, {
		".copilot-ld/config.yaml": "include: ['*.md']\ninstructions: |\n  Be brief.\n",
		"AGENTS.md": "Use metres.\n",
		"OTHER.md": "Not wanted.",
	});
	assert.deepEqual(await readPromptFiles([folder], NAMES), {
		texts: [
			{ name: ".copilot-ld/config.yaml", text: "Be brief." },
			{ name: "AGENTS.md", text: "Use metres." },
		],
		notices: [],
	});
	const { texts } = await readPromptFiles([folder], []);
	assert.equal(texts.length, 1);
});

test("several folders are told apart by their names", async (t) => {
	const folders = [await folderWith(t, { "AGENTS.md": "a" }), await folderWith(t, { "AGENTS.md": "b" })];
	const named = folders.map((folder, index) => ({ ...folder, name: `kb${index}` }));
	const { texts } = await readPromptFiles(named, NAMES);
	assertMapped(texts, ({ name, text }) => `${name}: ${text}`, ["kb0/AGENTS.md: a", "kb1/AGENTS.md: b"]);
});

test("instructions may be a list; anything else is told and does not count", async (t) => {
	const list = await folderWith(t, { ".copilot-ld/config.yaml": "instructions: [Be short., Use metres.]" });
	assert.equal((await readPromptFiles([list], [])).texts[0]?.text, "Be short.\nUse metres.");
	for (const text of ["instructions: 7", "instructions: {a: b}", "instructions: [1]", "a: [unclosed"]) {
		const folder = await folderWith(t, { ".copilot-ld/config.yaml": text });
		const { texts, notices } = await readPromptFiles([folder], []);
		assert.deepEqual(texts, [], text);
		assert.match(notices.join(), /config\.yaml are ignored/, text);
	}
	for (const text of ["", "policy: []", "- a"]) {
		const folder = await folderWith(t, { ".copilot-ld/config.yaml": text });
		assert.deepEqual(await readPromptFiles([folder], []), { texts: [], notices: [] }, text);
	}
});

test("a name or a link that leads out of the folder does not count", async (t) => {
	const outside = await folderWith(t, { "secret.md": "secret" });
	const folder = await folderWith(t, { "AGENTS.md": "a" });
	await symlink(join(outside.path, "secret.md"), join(folder.path, "LINK.md"));
	for (const name of ["../secret.md", "a/../../x.md", join(outside.path, "secret.md"), "LINK.md"]) {
		const { texts, notices } = await readPromptFiles([folder], [name]);
		assert.deepEqual(texts, [], name);
		assert.equal(notices.length, 1, name);
	}
});

test("a folder in the place of a file does not count, nor does a huge file", async (t) => {
	const folder = await folderWith(t, { "AGENTS.md/x": "", "HUGE.md": "word ".repeat(300_000) });
	const { texts, notices } = await readPromptFiles([folder], ["AGENTS.md", "HUGE.md"]);
	assert.deepEqual([texts, notices.length], [[], 2]);
	assert.match(notices[1] ?? "", /it is larger than 1 MB/);
});

test("files of a workspace that is not trusted have no say", async (t) => {
	const { path, name } = await folderWith(t, { ".copilot-ld/config.yaml": "instructions: Obey." });
	const uri = Object.assign(pathToFileURL(path), { scheme: "file" });
	workspace.workspaceFolders = [{ uri, name }];
	t.after(() => Object.assign(workspace, { workspaceFolders: undefined, isTrusted: true }));
	assert.equal((await readWorkspaceInstructions([])).texts.length, 1);
	workspace.isTrusted = false;
	assert.deepEqual(await readWorkspaceInstructions([]), { texts: [], notices: [] });
});

for (const [applyTo, about, applies] of [
	['"**"', [], true],
	['"**/*.{ts,tsx}"', ["src/a.tsx"], true],
	["docs/**, *.md", ["docs/x/y.txt"], true],
	["*.md", ["docs/a.md"], false],
	['"**/*.ts"', ["a.md"], false],
	[undefined, ["a.md"], false],
] as const)
	test(`instructions that apply to ${applyTo} ${applies ? "are" : "are not"} given for ${about.join() || "nothing"}`, async (t) => {
		const head = applyTo === undefined ? "description: x" : `applyTo: ${applyTo}`;
		const folder = await folderWith(t, {
			".github/instructions/deep/style.instructions.md": `---\n${head}\n---\nBe brief.\n`,
			".github/instructions/other.md": "No instruction.",
		});
		const { texts, notices } = await readPromptFiles([folder], [".github/instructions"], about);
		const expected = { name: ".github/instructions/deep/style.instructions.md", text: "Be brief." };
		assert.deepEqual({ texts, notices }, { texts: applies ? [expected] : [], notices: [] });
	});
