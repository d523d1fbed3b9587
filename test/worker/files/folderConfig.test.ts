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
		problems: [],
	});
});

for (const text of ["", "# nothing\n", "include: [docs/]\n", "policy:\n", "policy: []\n"]) {
	test(`${JSON.stringify(text)} hides nothing`, async (t) => {
		const { root } = await makeWorkspace(t, { ".copilot-ld/config.yaml": text });
		assert.deepEqual(readFolderConfig(root).policy, []);
	});
}

for (const text of [
	"policy: {deny: {paths: [a]}}",
	"policy: [{deny: {path: [a]}}]",
	"policy: [{deny: {paths: a}}]",
	"policy: [{deny: {paths: []}}]",
	"policy: [{deny: {paths: [1]}}]",
	"policy: [{deny: {}}]",
	"policy: [{allow: {paths: [a]}}]",
	"policy: [{deny: {paths: [a]}, door: [mcp]}]",
	"policy: [{deny: {paths: [a]}, doors: [web]}]",
	"policy: [{deny: {paths: [a]}, doors: []}]",
	"policy: [",
	"- a list",
	"just words",
]) {
	test(`a policy that is not understood hides all and says why: ${text}`, async (t) => {
		const { root } = await makeWorkspace(t, { ".copilot-ld/config.yaml": text });
		const { policy, problems } = readFolderConfig(root);
		assert.deepEqual(policy, [{}]);
		assert.match(
			problems.join("\n"),
			/^Nothing of the folder is shown, because the policy in its .* cannot be read: ./,
		);
	});
}

test("patterns that are no list do not count, and hide nothing", async (t) => {
	const { root } = await makeWorkspace(t, { ".copilot-ld/config.yaml": "include: docs\n" });
	const { policy, include, problems } = readFolderConfig(root);
	assert.deepEqual([policy, include, problems.length], [[], [], 1]);
});
