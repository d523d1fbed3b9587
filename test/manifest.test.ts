import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { toolContributions } from "../scripts/toolContributions.ts";

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const { contributes } = manifest;
const sources = globSync("src/{vscode/**/*,extension}.ts")
	.map((file) => readFileSync(file, "utf8"))
	.join("\n");

test("the tools in the manifest are those of the code (npm run manifest writes them)", () => {
	assert.deepEqual(contributes.languageModelTools, toolContributions());
});

test("every command in the manifest is registered, and every registered one is in the manifest", () => {
	const declared = contributes.commands.map(({ command }: { command: string }) => command).sort();
	const registered = [...sources.matchAll(/^\t\t"(copilot-ld\.\w+)": /gm)].map(([, id]) => id).sort();
	assert.deepEqual(registered, declared);
});

test("every setting in the manifest is read by the code", () => {
	for (const { properties } of contributes.configuration)
		for (const id of Object.keys(properties)) {
			const name = id.replace("copilot-ld.", "");
			assert.ok(sources.includes(`"${name}"`), `${id} is read nowhere`);
		}
});

test("dependencies are pinned", () => {
	const all = { ...manifest.dependencies, ...manifest.devDependencies };
	for (const [name, version] of Object.entries(all)) assert.match(`${version}`, /^\d/, name);
});

test("no proposed API is asked for", () => {
	assert.equal("enabledApiProposals" in manifest, false);
});
