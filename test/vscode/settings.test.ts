import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import {
	cliPath,
	embeddingSettings,
	extraFolders,
	maxRounds,
	storageSettings,
} from "../../src/vscode/settings.ts";
import { workspace } from "../support/fakeVscode.ts";

const { getConfiguration } = workspace;

afterEach(() => Object.assign(workspace, { getConfiguration }));

function choose(values: Readonly<Record<string, unknown>>): void {
	const get = (name: string, fallback: unknown) => (name in values ? values[name] : fallback);
	Object.assign(workspace, { getConfiguration: () => ({ get }) });
}

test("what a person chose is read as they wrote it", () => {
	choose({
		"agent.maxRounds": 3,
		folders: ["/a"],
		"embedding.dimensions": 256,
		"storage.options": { region: "eu" },
	});
	assert.deepEqual(
		[maxRounds(), extraFolders(), embeddingSettings().dimensions, storageSettings().options],
		[3, ["/a"], 256, { region: "eu" }],
	);
});

test("a value of another kind counts as left out", () => {
	choose({
		"agent.maxRounds": "many",
		folders: ["/a", 1],
		"embedding.provider": "mine",
		"embedding.dimensions": null,
		"storage.options": { region: 1 },
		"cli.path": 5,
	});
	assert.deepEqual([maxRounds(), extraFolders(), cliPath(), storageSettings().options], [10, [], "", {}]);
	const { provider, dimensions } = embeddingSettings();
	assert.deepEqual([provider, dimensions], ["built-in", undefined]);
});
