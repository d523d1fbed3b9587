import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { type TestContext, test } from "node:test";
import type * as vscode from "vscode";
import type { Citation } from "../../../src/core/knowledge/citation.ts";
import type { Sessions, TranscriptTurn } from "../../../src/core/session/session.ts";
import { createPluginConsents } from "../../../src/permissions/records/pluginConsents.ts";
import { readManifest } from "../../../src/plugins/manifest/readManifest.ts";
import { canBeTool, writeFooter } from "../../../src/vscode/chat/answerFooter.ts";
import { createPluginsTree, type PluginNode, registerPluginsView } from "../../../src/vscode/plugins/link.ts";
import { createLivePlugins } from "../../../src/vscode/plugins/livePlugins.ts";
import { saveAsTool } from "../../../src/vscode/plugins/pluginActions.ts";
import { createPluginFiles } from "../../../src/worker/plugins/pluginFiles.ts";
import { commands, LanguageModelTextPart, lm, window } from "../../support/fakeVscode.ts";
import { openFolders } from "../../support/openFolders.ts";
import { pluginHead } from "../../support/pluginHead.ts";
import { oneTurn } from "../../webview/fakeSessions.ts";
import { makeWorkspace } from "../../worker/workspace.ts";

const FILE = "work/.copilot-ld/plugins/lamps/plugin.yaml";

const LAMPS = `${pluginHead("lamps", "title: Lamps, description: About lamps.")}commands:
  - { name: find, description: Finds lamps., search: "lamp {{name}} {{most}} {{kind}}",
      parameters: { name: string, most: int, kind: { type: string, required: false } } }
`;

async function open(t: TestContext) {
	const { path, uri } = await makeWorkspace(t, { [FILE]: LAMPS });
	openFolders(t, path("work"));
	const files = createPluginFiles({ folders: [{ uri: uri("work"), name: "work" }], home: path("home") });
	const consents = { folder: path("rules"), workspaceUri: () => "file:///w" };
	const live = createLivePlugins(files, createPluginConsents(consents));
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

test("a plugin command shows the error of the last call until a call succeeds", async (t) => {
	const { live, tree, look } = await open(t);
	let changes = 0;
	tree.onDidChangeTreeData?.(() => changes++);
	for (const error of [undefined, "The server does not answer.", undefined]) {
		live.onRun("lamps:find", error);
		const { description, tooltip } = (await look()).commandItem;
		assert.equal(description, error ?? "Finds lamps.");
		if (error) assert.equal(tooltip, error);
	}
	assert.equal(changes, 2);
});

test("a plugin command runs with the values that the user types, numbers as numbers, and reports errors", async (t) => {
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
	assert.equal(called.length, 1, "closing the input box runs nothing");
	window.showInputBox = async () => "1";
	t.mock.method(lm, "invokeTool", () => Promise.reject(new Error("The index is not there.")));
	const told: unknown[] = [];
	t.mock.method(window, "showErrorMessage", async (words: unknown) => void told.push(words));
	await does("copilot-ld.runPluginCommand", command);
	assert.match(String(told), /The index is not there\./);
	assert.equal(shown.length, 1);
});

test("a plugin can be opened, disabled and enabled; the configuration file keeps the state", async (t) => {
	const { path, live, look, does } = await open(t);
	const { plugin, pluginItem } = await look();
	assert.deepEqual([pluginItem.contextValue, pluginItem.description], ["plugin", "Lamps"]);
	const opened: unknown[] = [];
	t.mock.method(window, "showTextDocument", async (uri: unknown) => void opened.push(String(uri)));
	await does("copilot-ld.openPlugin", plugin);
	assert.match(String(opened), /plugins\/lamps\/plugin\.yaml$/);
	for (const [command, expected, ...state] of [
		["disablePlugin", /lamps:\s+disabled: true/, "pluginDisabled", "disabled"],
		["enablePlugin", /^(?![\s\S]*disabled: true)/, "plugin", "Lamps"],
	] as const) {
		await does(`copilot-ld.${command}`, plugin);
		assert.match(await readFile(path("work/.copilot-ld/plugins/config.yaml"), "utf8"), expected);
		live.refresh();
		const after = (await look()).pluginItem;
		assert.deepEqual([after.contextValue, after.description], state);
	}
});

const QUERY = 'PREFIX s: <https://schema.org/>\nSELECT ?who { ?who s:name "Anna Holm" }';

const turn = (question: string, answer: string, command: string) =>
	oneTurn(0, { at: 1, question, answer, command });

function sessionsOf(...turns: TranscriptTurn[]): Sessions {
	const list = async () => ({ sessions: [{ id: "s" }], total: 1 });
	return { list, read: async () => ({ turns }) } as unknown as Sessions;
}

function choose(typed: readonly string[]): unknown[] {
	const refused: unknown[] = [];
	window.showQuickPick = async (items) => (items as { picked: boolean }[]).filter(({ picked }) => picked);
	const left = [...typed];
	window.showInputBox = async ({ value = "", validateInput }) => {
		const said = left.map((words) => words || value);
		const good = said.findIndex((words) => validateInput(words) === undefined);
		refused.push(...said.slice(0, good).map((words) => validateInput(words)));
		left.splice(0, good + 1);
		return said[good];
	};
	return refused;
}

test("the last query of /graph becomes a valid plugin with an unused name", async (t) => {
	const { path, root } = await makeWorkspace(t, { ".copilot-ld/plugins/taken/plugin.yaml": "" });
	openFolders(t, root);
	const answer = `\`\`\`sparql\n${QUERY}\n\`\`\`\n\n1 row, all there is.`;
	const sessions = sessionsOf(turn("Who is Anna?", answer, "graph"), turn("rm", "done", "cli"));
	const refused = choose(["", "../evil", "Upper", "taken", "who-is", ""]);
	await saveAsTool(sessions, []);
	const unfit = "Use 1 to 32 lower-case letters, digits and hyphens, a letter first.";
	assert.deepEqual(refused, [unfit, unfit, "There is a tool with this name."]);
	const text = await readFile(path(".copilot-ld/plugins/who-is/plugin.yaml"), "utf8");
	const { manifest, problems } = readManifest(text, { uri: "file:///p", name: "who-is" });
	assert.deepEqual(problems, []);
	const [command] = manifest?.commands ?? [];
	assert.deepEqual(command?.executor, { kind: "sparql", query: QUERY.replace('"Anna Holm"', "$name") });
	assert.deepEqual([manifest?.title, command?.description], ["Who is Anna?", "Who is Anna?"]);
});

test("the link under an answer saves that answer as a tool; an answer that cannot be repeated is refused with a reason", async (t) => {
	const { path, root } = await makeWorkspace(t);
	openFolders(t, root);
	choose(["topic: string = What it is about", "lamps", "Finds lamps."]);
	const later = { ...turn("later", "", "search"), at: 2 };
	await saveAsTool(sessionsOf(turn("lamp of Skagen", "", "search"), later), ["s", 1]);
	const text = await readFile(path(".copilot-ld/plugins/lamps/plugin.yaml"), "utf8");
	assert.match(text, /topic:\s+type: string\s+description: What it is about[\s\S]* {4}search: "\{\{topic\}/);
	const unasked = saveAsTool(sessionsOf(turn("rm", "done", "cli"), later), ["s", 1]);
	await assert.rejects(unasked, /Ask @copilot-ld a question first/);
	openFolders(t);
	await assert.rejects(saveAsTool(sessionsOf(), []), /Open a folder first/);
});

test("queries and cited answers have a link that saves exactly that answer", () => {
	const linked = (command: string | undefined, answer: string, citations: readonly Citation[]) => {
		let written = "";
		const markdown = (words: string | { readonly value: string }) => {
			written += typeof words === "string" ? words : words.value;
		};
		const record = { sessionId: "s", answer, citations, followups: [] };
		const turn = { turn: { session: "s", at: 7 }, command, record };
		writeFooter({ markdown } as never, { summary: "", warnings: [], spans: [] }, turn);
		return decodeURIComponent(written).includes('copilot-ld.moreOfAnswer?["s",7,"copilot-ld.saveAsTool"]');
	};
	const cited = [{ path: "a.md", lines: { start: 1, end: 1 } }];
	assert.ok(linked("search", "", cited) && linked("graph", "```sparql\nASK {}\n```", []));
	assert.ok(!linked(undefined, "No.", []));
	const all = [undefined, "search", "graph", "quote", "cli", "agents", "index"];
	const kept = all.filter((command) => canBeTool(command, cited));
	assert.deepEqual([kept, canBeTool("search", [])], [[undefined, "search"], false]);
});
