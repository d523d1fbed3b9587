import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { type TestContext, test } from "node:test";
import type * as vscode from "vscode";
import { lazily } from "../../../src/base/jobs/lazily.ts";
import { createPluginConsents } from "../../../src/permissions/records/pluginConsents.ts";
import { createLivePlugins } from "../../../src/vscode/plugins/livePlugins.ts";
import {
	createPluginsTree,
	type PluginNode,
	registerPluginsView,
} from "../../../src/vscode/plugins/pluginsView.ts";
import { createPluginFiles } from "../../../src/worker/plugins/pluginFiles.ts";
import { commands, LanguageModelTextPart, lm, window } from "../../support/fakeVscode.ts";
import { openFolders } from "../../support/openFolders.ts";
import { pluginHead } from "../../support/pluginHead.ts";
import { makeWorkspace } from "../../worker/workspace.ts";

const FILE = "work/.copilot-ld/plugins/lamps/plugin.yaml";

const LAMPS = `${pluginHead("lamps", "title: Lamps, description: About lamps.")}commands:
  - command_name: find
    description: Finds lamps.
    parameter: { type: { name: { type: string }, most: { type: int }, kind: { type: string, required: false } } }
    executor: { kind: retrieval, query: "lamp {{name}} {{most}} {{kind}}" }
`;

async function open(t: TestContext) {
	const { path, uri } = await makeWorkspace(t, { [FILE]: LAMPS });
	openFolders(t, path("work"));
	const files = createPluginFiles({ folders: [{ uri: uri("work"), name: "work" }], home: path("home") });
	const consents = { folder: path("rules"), workspaceUri: () => "file:///w" };
	const live = createLivePlugins(
		files,
		lazily(async () => createPluginConsents(consents)),
	);
	const run = new Map<string, (node?: PluginNode) => unknown>();
	t.mock.method(commands, "registerCommand", (id: string, does: (node?: PluginNode) => unknown) => {
		run.set(id, does);
		return { dispose: () => undefined };
	});
	const shown: string[] = [];
	const documents = { show: async (...words: string[]) => void shown.push(words.join(": ")) };
	const view = registerPluginsView(live, documents);
	const tree = createPluginsTree(live);
	t.after(() => [view, live].map((one) => one.dispose()));
	const look = async () => {
		const [plugin] = (await tree.getChildren()) ?? [];
		assert.ok(plugin);
		const [command] = (await tree.getChildren(plugin)) ?? [];
		assert.ok(command);
		const item = async (node: PluginNode) => (await tree.getTreeItem(node)) as vscode.TreeItem;
		return { plugin, command, pluginItem: await item(plugin), commandItem: await item(command) };
	};
	return { path, live, tree, look, shown, does: (id: string, node: PluginNode) => run.get(id)?.(node) };
}

test("a command that failed when it was called last shows why, until it succeeds", async (t) => {
	const { live, tree, look } = await open(t);
	let changes = 0;
	tree.onDidChangeTreeData?.(() => changes++);
	assert.deepEqual((await look()).commandItem.description, "Finds lamps.");
	live.onRun("lamps:find", "The server does not answer.");
	const { description, tooltip } = (await look()).commandItem;
	assert.deepEqual([description, tooltip], Array(2).fill("The server does not answer."));
	live.onRun("lamps:find", undefined);
	assert.equal((await look()).commandItem.description, "Finds lamps.");
	assert.equal(changes, 2);
});

test("a command is run with what the person types: numbers as numbers, and nothing for what is left empty", async (t) => {
	const { look, shown, does } = await open(t);
	const { command, commandItem } = await look();
	assert.equal(commandItem.contextValue, "pluginCommand");
	const typed = ["7", "12", ""];
	window.showInputBox = async () => typed.shift();
	const called: unknown[] = [];
	t.mock.method(lm, "invokeTool", async (name: string, { input }: { input: unknown }) => {
		called.push([name, input]);
		return { content: [new LanguageModelTextPart("Two lamps.")] };
	});
	await does("copilot-ld.runPluginCommand", command);
	const input = { plugin: "lamps", command: "find", param: { name: "7", most: 12 } };
	assert.deepEqual(called, [["copilot-ld_plugin", input]]);
	assert.deepEqual(shown, ["lamps find.txt: Two lamps."]);
	window.showInputBox = async () => undefined;
	await does("copilot-ld.runPluginCommand", command);
	assert.equal(called.length, 1, "who leaves a question open runs nothing");
});

test("what goes wrong with a command that the person runs is told to them", async (t) => {
	const { look, does, shown } = await open(t);
	window.showInputBox = async () => "1";
	t.mock.method(lm, "invokeTool", () => Promise.reject(new Error("The index is not there.")));
	const told: unknown[] = [];
	t.mock.method(window, "showErrorMessage", async (words: unknown) => void told.push(words));
	await does("copilot-ld.runPluginCommand", (await look()).command);
	assert.match(String(told), /The index is not there\./);
	assert.deepEqual(shown, []);
});

test("a plugin is opened, disabled and enabled, which is written beside it", async (t) => {
	const { path, live, look, does } = await open(t);
	const { plugin, pluginItem } = await look();
	assert.deepEqual([pluginItem.contextValue, pluginItem.description], ["plugin", "Lamps"]);
	const opened: unknown[] = [];
	t.mock.method(window, "showTextDocument", async (uri: unknown) => void opened.push(String(uri)));
	await does("copilot-ld.openPlugin", plugin);
	assert.match(String(opened), /plugins\/lamps\/plugin\.yaml$/);
	const config = () => readFile(path("work/.copilot-ld/plugins/config.yaml"), "utf8");
	for (const [command, expected, state] of [
		["disablePlugin", /lamps:\s+disabled: true/, ["pluginDisabled", "disabled"]],
		["enablePlugin", /^(?![\s\S]*disabled: true)/, ["plugin", "Lamps"]],
	] as const) {
		await does(`copilot-ld.${command}`, plugin);
		assert.match(await config(), expected);
		live.refresh();
		const after = (await look()).pluginItem;
		assert.deepEqual([after.contextValue, after.description], state);
	}
});
