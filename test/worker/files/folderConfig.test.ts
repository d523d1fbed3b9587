import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { readFolderConfig } from "../../../src/worker/files/folderConfig.ts";
import { emptyFiles, makeWorkspace } from "../workspace.ts";

async function configOf(t: TestContext, text: string | Uint8Array) {
	const { root } = await makeWorkspace(t, { ".copilot-ld/config.yaml": text });
	return readFolderConfig(root);
}

test("what a policy says is read", async (t) => {
	const deny = "{paths: ['hr/**'], types: [Person], properties: [salary]}";
	const text = `policy:\n  - deny: ${deny}\n    doors: [mcp]\n  - deny: {paths: [x.md]}\n`;
	const first = { paths: ["hr/**"], types: ["Person"], properties: ["salary"], doors: ["mcp"] };
	const policy = [first, { paths: ["x.md"] }];
	assert.deepEqual(await configOf(t, text), { include: [], exclude: [], policy });
});

test("channels are read by the word of earlier versions, too", async (t) => {
	const policyWith = async (word: string) =>
		(await configOf(t, `policy: [{deny: {paths: [a]}, ${word}: [tools]}]\n`)).policy;
	assert.deepEqual(await policyWith("channels"), [{ paths: ["a"], doors: ["tools"] }]);
	assert.deepEqual(await policyWith("doors"), await policyWith("channels"));
});

for (const text of ["", "# nothing\n", "include: [docs/]\n", "policy:\n", "policy: []\n"])
	test(`${JSON.stringify(text)} hides nothing`, async (t) => {
		assert.deepEqual((await configOf(t, text)).policy, []);
	});

/** What is not understood, and its line. */
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

const SAYS = /^Nothing in this folder is shown, because the policy in its .* cannot be read: ./;

for (const [text, line] of MISTAKES)
	test(`a configuration that is not understood hides all, and says why at its line: ${JSON.stringify(text)}`, async (t) => {
		const { policy, problem } = await configOf(t, text);
		assert.deepEqual(policy, [{}]);
		assert.match(problem?.message ?? "", SAYS);
		assert.deepEqual([problem?.path, problem?.lines.start], [".copilot-ld/config.yaml", line]);
	});

const MISNAMED = "config.yml Config.yaml config.yaml.txt config.json policy.yaml policies.yml";

for (const name of MISNAMED.split(" "))
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

test("a copy that an editor left beside the configuration hides nothing", async (t) => {
	const names = ["config.yaml", "config.yaml.bak", "config.yaml~"].map((name) => `.copilot-ld/${name}`);
	const { root } = await makeWorkspace(t, emptyFiles(names.join(" ")));
	assert.deepEqual(readFolderConfig(root).policy, []);
});

test("bytes that are no UTF-8 hide all: a name in them would match nothing", async (t) => {
	const latin1 = Buffer.from("policy: [{deny: {paths: ['L\u00f6hne/**']}}]", "latin1");
	assert.deepEqual((await configOf(t, latin1)).policy, [{}]);
});

test("patterns and names are taken as they are meant", async (t) => {
	const types = "['schema:Person', '<https://schema.org/Place>', 'https://schema.org/Thing']";
	const rule = `{paths: [./hr/**, ' pay.md ', hr//a/, ., /top.md, ./], types: ${types}, properties: [':salary']}`;
	assert.deepEqual((await configOf(t, `policy: [{deny: ${rule}}]\n`)).policy, [
		{
			paths: ["/hr/**", "pay.md", "hr/a/", "**", "/top.md", "**"],
			types: ["Person", "https://schema.org/Place", "https://schema.org/Thing"],
			properties: ["salary"],
		},
	]);
});
