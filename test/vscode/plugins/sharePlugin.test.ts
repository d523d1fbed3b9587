import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { type TestContext, test } from "node:test";
import type { PluginDefinition } from "../../../src/core/plugin/plugin.ts";
import { createPluginConsents } from "../../../src/permissions/records/pluginConsents.ts";
import { addPlugin } from "../../../src/vscode/plugins/addPlugin.ts";
import { createLivePlugins } from "../../../src/vscode/plugins/livePlugins.ts";
import { resetConfig, setForSession } from "../../../src/vscode/plugins/pluginConfig.ts";
import { packagePlugin, reviewPlugin } from "../../../src/vscode/plugins/sharePlugin.ts";
import { createPluginFiles } from "../../../src/worker/plugins/pluginFiles.ts";
import { Uri, window, workspace } from "../../support/fakeVscode.ts";
import { type Files, makeWorkspace } from "../../worker/workspace.ts";

const never = new AbortController().signal;

const LAMPS = `group_id: g
artifact_id: lamps
version: 1.0.0
type: plugin
as_plugin: true
info: { title: Lamps, description: About lamps. }
commands:
  - { command_name: find, description: Finds, executor: { kind: retrieval, query: lamp } }
config: { limit: 3 }
`;

async function open(t: TestContext, files: Files) {
	const made = await makeWorkspace(t, files);
	workspace.workspaceFolders = [{ uri: Uri.file(made.path("work")) }];
	const consents = createPluginConsents({ folder: made.path("rules"), workspaceUri: () => "file:///w" });
	const plugins = createPluginFiles({
		folders: [{ uri: made.uri("work"), name: "work" }],
		home: made.path("home"),
	});
	const live = createLivePlugins(plugins, consents);
	t.after(() => {
		live.dispose();
		workspace.workspaceFolders = undefined;
		workspace.isTrusted = true;
	});
	const find = async (wanted: string) => {
		live.refresh();
		return (await live.registry(never)).plugins.find(({ name }) => name === wanted);
	};
	return { ...made, live, find };
}

/** What the person selects, types and answers; what the dialogs said. */
function answer({ source = "", isFolder = true, agrees = true, name = "lamps", save = "" }) {
	const shown: string[] = [];
	window.showQuickPick = async (items) =>
		(items as { isFolder?: boolean }[]).find((item) => item.isFolder === isFolder) ??
		(items as object[]).at(0);
	window.showOpenDialog = async () => [Uri.file(source)];
	window.showSaveDialog = async () => (save === "" ? undefined : Uri.file(save));
	window.showInputBox = async ({ validateInput }) => (validateInput(name) === undefined ? name : undefined);
	window.showInformationMessage = async (message) => void shown.push(String(message));
	window.showWarningMessage = async (message, options, button) => {
		shown.push(`${message}\n${(options as { detail: string }).detail}`);
		return agrees ? button : undefined;
	};
	return shown;
}

test("a packaged plugin is added elsewhere once the person has seen what it declares, and is agreed to as it is", async (t) => {
	const { path, live, find } = await open(t, {
		"work/.copilot-ld/plugins/lamps/plugin.yaml": LAMPS,
		"work/.copilot-ld/plugins/lamps/notes/readme.md": "Notes",
	});
	const zip = path("lamps-1.0.0.zip");
	answer({ save: zip });
	await packagePlugin(live, await find("lamps"));
	const [hash = ""] = (await readFile(`${zip}.sha256`, "utf8")).split("  ");
	const shown = answer({ source: zip, isFolder: false, name: "more" });
	// It is the same component: the one that was there first has it.
	await writeFile(
		path("work/.copilot-ld/plugins/lamps/plugin.yaml"),
		LAMPS.replace("id: lamps", "id: other"),
	);
	await addPlugin(live);
	assert.match(
		shown.join(),
		/Lamps \(g:lamps 1\.0\.0\)\nReads: find, a search[\s\S]*limit = 3\n2 files: notes/,
	);
	assert.match(shown.join(), new RegExp(`SHA-256 ${hash}`));
	assert.equal(await readFile(path("work/.copilot-ld/plugins/more/notes/readme.md"), "utf8"), "Notes");
	const added = await find("more");
	assert.ok(added);
	assert.equal(await live.standingOf(added), "agreed");
	await writeFile(path("work/.copilot-ld/plugins/more/notes/readme.md"), "Other notes");
	const changed = await find("more");
	assert.ok(changed);
	assert.equal(await live.standingOf(changed), "changed");
	answer({});
	await reviewPlugin(live, changed);
	assert.equal(await live.standingOf(changed), "agreed");
	await writeFile(`${zip}.sha256`, `${"0".repeat(64)}  lamps-1.0.0.zip\n`);
	answer({ source: zip, isFolder: false });
	await assert.rejects(addPlugin(live), /is not what was packaged/);
});

test("a plugin of a clone is added without the clone's history, and one that is declined leaves nothing", async (t) => {
	const { path, live, find, list } = await open(t, {
		"clone/.copilot-ld/plugins/lamps/plugin.yaml": LAMPS,
		"clone/.git/config": "",
		"clone/src/index.ts": "",
		"single/plugin.yaml": LAMPS.replace("version: 1.0.0", "version: x"),
		"single/.git/config": "",
		"work/a.md": "",
	});
	answer({ source: path("clone"), agrees: false });
	await addPlugin(live);
	assert.equal(await find("lamps"), undefined);
	answer({ source: path("clone") });
	await addPlugin(live);
	assert.ok(await find("lamps"));
	assert.deepEqual(
		(await list()).filter((name) => name.startsWith("work/.copilot-ld")),
		["work/.copilot-ld/plugins/lamps/plugin.yaml"],
	);
	answer({ source: path("single") });
	await assert.rejects(addPlugin(live), /Line 3: A version is/);
	answer({ source: path("clone/src") });
	await assert.rejects(addPlugin(live), /There is no plugin/);
});

test("a plugin that a workspace configures otherwise than was shown is not agreed to", async (t) => {
	const { path, live, find } = await open(t, {
		"single/plugin.yaml": LAMPS,
		"work/.copilot-ld/plugins/config.yaml": "lamps: { config: { limit: 9 } }",
	});
	answer({ source: path("single") });
	await assert.rejects(addPlugin(live), /configured differently here/);
	const added = await find("lamps");
	assert.ok(added);
	assert.equal(await live.standingOf(added), "unseen");
});

test("a value that is set for the session is over all that files say, until it is reset", async (t) => {
	const { live, find } = await open(t, {
		"work/.copilot-ld/plugins/lamps/plugin.yaml": LAMPS,
		"work/.copilot-ld/plugins/config.yaml": "lamps: { config: { limit: 9, deep: { er: [1] } } }",
	});
	const values = async () =>
		(await find("lamps"))?.config.map(({ path, value, origin }) => [path.join("."), value, origin]);
	const before = await values();
	assert.deepEqual(before, [
		["limit", 9, "workspace"],
		["deep.er", [1], "workspace"],
	]);
	const plugin = (await find("lamps")) as PluginDefinition;
	answer({ name: "12" });
	await setForSession(live, plugin, { path: ["limit"], value: 9 });
	answer({ name: "[2,3]" });
	await setForSession(live, plugin, { path: ["deep", "er"], value: [1] });
	assert.deepEqual(await values(), [
		["limit", 12, "session"],
		["deep.er", [2, 3], "session"],
	]);
	const changed = (await find("lamps")) as PluginDefinition;
	assert.equal(changed.fingerprint, plugin.fingerprint);
	assert.equal(await live.registry(never), await live.registry(never));
	window.showQuickPick = async (items) => items;
	await resetConfig(live, changed);
	assert.deepEqual(await values(), before);
});

test("in a folder that is not trusted plugins are listed, and none runs or is agreed to", async (t) => {
	const { live, find } = await open(t, { "work/.copilot-ld/plugins/lamps/plugin.yaml": LAMPS });
	workspace.isTrusted = false;
	const plugin = (await find("lamps")) as PluginDefinition;
	const [command] = plugin.commands;
	assert.ok(command);
	await assert.rejects(live.requireRun(plugin, command), /untrusted folder/);
	await assert.rejects(reviewPlugin(live, plugin), /untrusted folder/);
	workspace.isTrusted = true;
	await live.requireRun(plugin, command);
});
