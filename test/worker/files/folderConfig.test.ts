import assert from "node:assert/strict";
import { test } from "node:test";
import { readFolderConfig } from "../../../src/worker/files/folderConfig.ts";
import { makeWorkspace } from "../workspace.ts";

test("what a policy says is read", async (t) => {
	const policy =
		"policy:\n  - deny: {paths: ['hr/**'], types: [Person], properties: [salary]}\n    doors: [mcp]\n  - deny: {paths: [x.md]}\n";
	const { root } = await makeWorkspace(t, { ".copilot-ld/config.yaml": policy });
	assert.deepEqual(readFolderConfig(root), {
		include: [],
		exclude: [],
		policy: [
			{ paths: ["hr/**"], types: ["Person"], properties: ["salary"], doors: ["mcp"] },
			{ paths: ["x.md"] },
		],
	});
});

test("channels are read by the word of earlier versions, too", async (t) => {
	const policyWith = async (word: string) => {
		const config = `policy: [{deny: {paths: [a]}, ${word}: [tools]}]\n`;
		const { root } = await makeWorkspace(t, { ".copilot-ld/config.yaml": config });
		return readFolderConfig(root).policy;
	};
	assert.deepEqual(await policyWith("channels"), [{ paths: ["a"], doors: ["tools"] }]);
	assert.deepEqual(await policyWith("doors"), await policyWith("channels"));
});

for (const text of ["", "# nothing\n", "include: [docs/]\n", "policy:\n", "policy: []\n"]) {
	test(`${JSON.stringify(text)} hides nothing`, async (t) => {
		const { root } = await makeWorkspace(t, { ".copilot-ld/config.yaml": text });
		assert.deepEqual(readFolderConfig(root).policy, []);
	});
}

/** What is not understood, and the line on which it stands. */
const MISTAKES: readonly (readonly [string, number])[] = [
	["policy: {deny: {paths: [a]}}", 1],
	["policy: [{deny: {path: [a]}}]", 1],
	["policy:\n  - deny:\n      path: [a]\n", 3],
	["policy:\n  - deny: {paths: [a]}\n  - deny: {paths: b}\n", 3],
	["policy: [{deny: {paths: []}}]", 1],
	["policy: [{deny: {paths: [1]}}]", 1],
	["policy: [{deny: {}}]", 1],
	["policy: [{allow: {paths: [a]}}]", 1],
	["policy: [{deny: {paths: [a]}, door: [mcp]}]", 1],
	["policy: [{deny: {paths: [a]}, doors: [web]}]", 1],
	["policy: [{deny: {paths: [a]}, channels: [web]}]", 1],
	["policy: [{deny: {paths: [a]}, channels: []}]", 1],
	["policy: [{deny: {paths: [a]}, channels: [mcp], doors: [mcp]}]", 1],
	["policy: [{deny: {paths: [a]}, doors: []}]", 1],
	["policy: [{deny: {paths: [a]}, doors: [MCP]}]", 1],
	["policy: [", 1],
	["include: [docs/]\npolicies: [{deny: {paths: [a]}}]", 2],
	["include: [docs/]\n\nPolicy:\n  - deny: {paths: [a]}\n", 3],
	["deny: {paths: [a]}", 1],
	["policy: [{deny: {paths: [a]}}]\npolicy: []\n", 2],
	["policy:\n\t- deny: {paths: [a]}\n", 2],
	["policy:\n  - deny: {paths: [a], paths: [b]}\n", 2],
	["policy: [{deny: *rules}]", 1],
	["policy: !rules [{deny: {paths: [a]}}]", 1],
	["include: []\n---\npolicy: [{deny: {paths: [a]}}]", 2],
	["base: &base {paths: [a]}\npolicy: [{deny: *base}]", 1],
	["policy: [{deny: {<<: {paths: [a]}}}]", 1],
	["policy:\n  - deny:\n      paths:\n        - '!hr/**'\n", 4],
	["policy: [{deny: {paths: ['{hr,pay}/**']}}]", 1],
	["policy: [{deny: {paths: ['hr\\**']}}]", 1],
	["policy: [{deny: {paths: ['../hr/**']}}]", 1],
	["policy: [{deny: {paths: ['~/hr/**']}}]", 1],
	["policy: [{deny: {paths: ['C:/hr/**']}}]", 1],
	["policy: [{deny: {paths: ['file:///hr/**']}}]", 1],
	["policy: [{deny: {paths: ['#hr']}}]", 1],
	["include: docs\n", 1],
	["policy: []\nexclude: hr/\n", 2],
	["include:\n", 1],
	["policy:\n  - deny:\n      paths: [a]\n      __proto__: {}\n", 4],
	["policy: [{deny: {paths: [a], types: }}]", 1],
	["policy: [{deny: {paths: [' ']}}]", 1],
	["- a list", 1],
	["just words", 1],
];

for (const [text, line] of MISTAKES) {
	test(`a configuration that is not understood hides all, and says why at its line: ${JSON.stringify(text)}`, async (t) => {
		const { root } = await makeWorkspace(t, { ".copilot-ld/config.yaml": text });
		const { policy, problem } = readFolderConfig(root);
		assert.deepEqual(policy, [{}]);
		assert.match(
			problem?.message ?? "",
			/^Nothing in this folder is shown, because the policy in its .* cannot be read: ./,
		);
		assert.deepEqual([problem?.path, problem?.lines.start], [".copilot-ld/config.yaml", line]);
	});
}

for (const name of [
	"config.yml",
	"Config.yaml",
	"config.yaml.txt",
	"config.json",
	"policy.yaml",
	"policies.yml",
]) {
	test(`a ${name} hides all, with or without a config.yaml, until it is renamed`, async (t) => {
		const { root, write } = await makeWorkspace(t, { [`.copilot-ld/${name}`]: "policy: []\n" });
		const expected = { path: `.copilot-ld/${name}`, policy: [{}] };
		const shown = () => {
			const { policy, problem } = readFolderConfig(root);
			return { path: problem?.path, policy };
		};
		assert.deepEqual(shown(), expected);
		await write({ ".copilot-ld/config.yaml": "policy: []\n" });
		assert.deepEqual(shown(), expected);
	});
}

test("a copy that an editor left beside the configuration hides nothing", async (t) => {
	const files = {
		".copilot-ld/config.yaml": "",
		".copilot-ld/config.yaml.bak": "",
		".copilot-ld/config.yaml~": "",
	};
	const { root } = await makeWorkspace(t, files);
	assert.deepEqual(readFolderConfig(root).policy, []);
});

test("bytes that are no UTF-8 hide all: a name in them would match nothing", async (t) => {
	const latin1 = Buffer.from("policy: [{deny: {paths: ['L\u00f6hne/**']}}]", "latin1");
	const { root } = await makeWorkspace(t, { ".copilot-ld/config.yaml": latin1 });
	assert.deepEqual(readFolderConfig(root).policy, [{}]);
});

test("patterns and names are taken as they are meant", async (t) => {
	const rule =
		"{paths: [./hr/**, ' pay.md ', hr//a/, ., /top.md, ./], types: ['schema:Person', '<https://schema.org/Place>', 'https://schema.org/Thing'], properties: [':salary']}";
	const { root } = await makeWorkspace(t, { ".copilot-ld/config.yaml": `policy: [{deny: ${rule}}]\n` });
	assert.deepEqual(readFolderConfig(root).policy, [
		{
			paths: ["/hr/**", "pay.md", "hr/a/", "**", "/top.md", "**"],
			types: ["Person", "https://schema.org/Place", "https://schema.org/Thing"],
			properties: ["salary"],
		},
	]);
});
