import assert from "node:assert/strict";
import { readFile, symlink } from "node:fs/promises";
import { type TestContext, test } from "node:test";
import { createPluginConsents } from "../../../src/permissions/records/pluginConsents.ts";
import { createLivePlugins } from "../../../src/vscode/plugins/livePlugins.ts";
import { resetConfig, setForSession } from "../../../src/vscode/plugins/pluginActions.ts";
import { addPlugin, packagePlugin, reviewPlugin } from "../../../src/vscode/plugins/sharePlugin.ts";
import { createPluginFiles } from "../../../src/worker/plugins/pluginFiles.ts";
import { l10n, Uri, window, workspace } from "../../support/fakeVscode.ts";
import { openFolders } from "../../support/openFolders.ts";
import { pluginHead } from "../../support/pluginHead.ts";
import { type Files, makeWorkspace, never } from "../../worker/workspace.ts";

const AT = "work/.copilot-ld/plugins/lamps/plugin.yaml";
const LAMPS = `${pluginHead("lamps", "title: Lamps, description: About lamps.")}commands:
  - { name: find, description: Finds, search: lamp }
config: { limit: 3 }
`;

async function open(t: TestContext, files: Files) {
	const made = await makeWorkspace(t, files);
	openFolders(t, made.path("work"));
	const consents = createPluginConsents({ folder: made.path("rules"), workspaceUri: () => "file:///w" });
	const folders = [{ uri: made.uri("work"), name: "work" }];
	const live = createLivePlugins(createPluginFiles({ folders, home: made.path("home") }), consents);
	t.after(() => {
		live.dispose();
		workspace.isTrusted = true;
	});
	const find = async (wanted: string) => {
		live.refresh();
		return (await live.registry(never)).plugins.find(({ name }) => name === wanted);
	};
	const get = async (name: string) => (await find(name)) ?? assert.fail(`There is no plugin ${name}.`);
	const stateOf = async (name: string) => live.consentStateOf(await get(name));
	/** Adds a plugin with these answers; returns the texts shown. */
	const add = async (source: string, answers: Parameters<typeof answer>[0] = {}) => {
		const shown = answer({ source: made.path(source), ...answers });
		await addPlugin(live);
		return shown.join();
	};
	const review = async (name: string) => {
		const shown = answer({});
		await reviewPlugin(live, await get(name));
		return shown.join();
	};
	return { ...made, live, find, get, stateOf, add, review };
}

function answer({ source = "", isFolder = true, agrees = true, name = "lamps", save = "" }) {
	const shown: string[] = [];
	window.showQuickPick = async (items) =>
		(items as { dialog?: { canSelectFolders?: boolean } }[]).find(
			({ dialog }) => (dialog?.canSelectFolders ?? false) === isFolder,
		) ?? (items as object[]).at(0);
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

test("a packaged plugin is added after a review of the plugin's declarations, and then allowed to run", async (t) => {
	const notes = "work/.copilot-ld/plugins/lamps/notes/readme.md";
	const { path, write, live, find, add, review, stateOf } = await open(t, { [AT]: LAMPS, [notes]: "Notes" });
	const zip = "lamps-1.0.0.zip";
	answer({ save: path(zip) });
	await packagePlugin(live, await find("lamps"));
	const [hash = ""] = (await readFile(path(`${zip}.sha256`), "utf8")).split("  ");
	// Of two plugins with the same id, the second would get another id.
	await write({ [AT]: LAMPS.replace("id: lamps", "id: other") });
	const shown = await add(zip, { isFolder: false, name: "more" });
	assert.match(
		shown,
		/Lamps \(g:lamps 1\.0\.0\)\nOnly reads:\n• find .*\nIs conf[\s\S]*limit = 3\n2 files: /,
	);
	assert.match(shown, new RegExp(`SHA-256 ${hash}`));
	const readme = "work/.copilot-ld/plugins/more/notes/readme.md";
	assert.deepEqual([await readFile(path(readme), "utf8"), await stateOf("more")], ["Notes", "agreed"]);
	await write({ [readme]: "Other notes" });
	assert.equal(await stateOf("more"), "changed");
	await review("more");
	assert.equal(await stateOf("more"), "agreed");
	await write({ [`${zip}.sha256`]: `${"0".repeat(64)}  ${zip}\n` });
	await assert.rejects(add(zip, { isFolder: false }), /is not what was packaged/);
});

test("a plugin is added from a clone without the Git history; a declined plugin leaves no files", async (t) => {
	const { add, find, list } = await open(t, {
		"clone/.copilot-ld/plugins/lamps/plugin.yaml": LAMPS,
		"clone/.git/config": "",
		"clone/src/index.ts": "",
		"single/plugin.yaml": LAMPS.replace("version: 1.0.0", "version: x"),
		"single/.git/config": "",
		"work/a.md": "",
	});
	await add("clone", { agrees: false });
	assert.equal(await find("lamps"), undefined);
	await add("clone");
	assert.ok(await find("lamps"));
	const added = (await list()).filter((name) => name.startsWith("work/.copilot-ld"));
	assert.deepEqual(added, [AT]);
	await assert.rejects(add("single"), /Line 3: A version looks like/);
	await assert.rejects(add("clone/src"), /There is no plugin/);
});

test("a plugin is not allowed if the workspace overrides the configuration that the user saw", async (t) => {
	const config = { "work/.copilot-ld/plugins/config.yaml": "lamps: { config: { limit: 9 } }" };
	const { add, stateOf } = await open(t, { "single/plugin.yaml": LAMPS, ...config });
	await assert.rejects(add("single"), /configured differently here/);
	assert.equal(await stateOf("lamps"), "unseen");
});

test("a configuration value for the session overrides all files until the user resets the value", async (t) => {
	const { live, get } = await open(t, {
		[AT]: LAMPS,
		"work/.copilot-ld/plugins/config.yaml": "lamps: { config: { limit: 9, deep: { er: [1] } } }",
	});
	const values = async () =>
		(await get("lamps")).config.map(({ path, value, origin }) => [path.join("."), value, origin].join());
	const before = await values();
	assert.deepEqual(before, ["limit,9,workspace", "deep.er,1,workspace"]);
	const plugin = await get("lamps");
	answer({ name: "12" });
	await setForSession(live, plugin, { path: ["limit"], value: 9 });
	answer({ name: "[2,3]" });
	await setForSession(live, plugin, { path: ["deep", "er"], value: [1] });
	assert.deepEqual(await values(), ["limit,12,session", "deep.er,2,3,session"]);
	const changed = await get("lamps");
	assert.equal(changed.fingerprint, plugin.fingerprint);
	assert.equal(await live.registry(never), await live.registry(never));
	window.showQuickPick = async (items) => items;
	await resetConfig(live, changed);
	assert.deepEqual(await values(), before);
});

test("plugins in an untrusted folder are listed, but can be neither run nor allowed", async (t) => {
	const { live, get, review } = await open(t, { [AT]: LAMPS });
	workspace.isTrusted = false;
	const plugin = await get("lamps");
	const [command] = plugin.commands;
	assert.ok(command);
	await assert.rejects(live.requireRun(plugin, command), /untrusted folder/);
	await assert.rejects(review("lamps"), /untrusted folder/);
	workspace.isTrusted = true;
	await live.requireRun(plugin, command);
});

const ACTS = `${pluginHead("acts", "title: Acts, description: Acts.")}hosts: ["127.0.0.1:9"]
commands:
  - { name: find, description: Finds, search: lamp }
  - command_name: log
    description: "The last changes.\\nOnly reads:\\u202E [x](command:y) $(trash)"
    parameter: { type: { file: { type: path } } }
    executor: { kind: program, program: git, arguments: [log, "a b", "{{file}}"], resource: files }
  - { name: send, description: Sends., http: { resource: http, method: POST, url: /in, body: { all: true } } }
  - { command_name: save, description: Saves, executor: { kind: vscode, command: workbench.action.files.save } }
  - { command_name: help, description: Helps, executor: { kind: agent, agent: tester, template: Test it. } }
  - { command_name: rows, description: Rows, executor: { kind: sparql, query: "ASK {}", resource: sparql } }
  - { command_name: call, description: Calls, executor: { kind: tool, tool: theirs, input: { a: 1 } } }
hooks: [{ event: before_call, command: find, tools: [bash], deny_when: "no" }]
config:
  limit: 3
  resources:
    - { type: http, config: { url: "http://127.0.0.1:9/api", headers: { x-key: k } } }
    - { type: sparql, config: { url: "http://127.0.0.1:9/sparql" } }
    - { type: files, config: { folder: data } }
    - { type: index, config: { sources: [docs] } }
`;

test("a plugin's declarations are shown as readable text, with acting commands first", async (t) => {
	const { add } = await open(t, { "acts/plugin.yaml": ACTS, "work/a.md": "" });
	l10n.bundle = { "Only reads:": "Nur lesend:", Acts: "Tut etwas" };
	t.after(() => Object.assign(l10n, { bundle: undefined }));
	const [, ...lines] = (await add("acts", { agrees: false })).split("\n");
	const description = "The last changes.⟨newline⟩Only reads:⟨U+202E⟩ [x⟨]⟩(command:y) ⟨$⟩(trash)";
	assert.deepEqual(lines.slice(0, -2), [
		"Acts (g:acts 1.0.0)",
		"May do more than read:",
		`• log runs the program git log 'a b' '{{file}}' in the folder data (“${description}”)`,
		'• send sends POST http://127.0.0.1:9/api/in with x-key: k, {"all":true} (“Sends.”)',
		"• save runs the command workbench.action.files.save of VS Code (“Saves”)",
		"• help asks the agent tester: Test it. (“Helps”)",
		"• rows asks the SPARQL endpoint http://127.0.0.1:9/sparql: ASK {} (“Rows”)",
		'• call calls the tool theirs with {"a":1} (“Calls”)',
		"A program is not confined: it can do whatever you can do.",
		"Runs by itself:",
		"• find, before each call of bash, and may refuse it",
		"Sends requests to:",
		"• 127.0.0.1:9",
		"Works with:",
		"• the server http://127.0.0.1:9/api (x-key: k)",
		"• the SPARQL endpoint http://127.0.0.1:9/sparql",
		"• the folder data",
		"• a part of the index: docs",
		"Only reads:",
		"• find searches the knowledge (“Finds”)",
		"Is configured with:",
		"• limit = 3",
	]);
});

const KEEPER = `${pluginHead("keeper", "title: Keeper, description: Keeps., prompt: You keep.", "copilot")}plugins: [lamps]
`;

const LOGS = ACTS.replace("artifact_id: acts", "artifact_id: logs").replace(/hooks: .*\n/, "");

test("the review of a copilot covers the plugins in the copilot's folder; any change requires another review", async (t) => {
	const files = { "keeper/plugin.yaml": KEEPER, "keeper/plugins/logs/plugin.yaml": LOGS, [AT]: LAMPS };
	const { path, find, stateOf, write, add, review } = await open(t, files);
	const question = await add("keeper", { name: "keeper" });
	assert.match(question, /With the plugins in its folder:\n• logs, Acts\nMay do more than read:\n• logs:/);
	assert.match(question, /• ask asks a language model, .*, and calls commands of the plugins lamps, each/);
	const within = "work/.copilot-ld/plugins/keeper/plugins";
	const standings = () => Promise.all(["keeper", "keeper-logs"].map(stateOf));
	assert.deepEqual(await standings(), ["agreed", "agreed"]);
	for (const [file, text] of Object.entries({
		[`${within}/logs/plugin.yaml`]: LOGS.replace("/in", "/out"),
		[`${within}/logs/run.sh`]: "",
		"work/.copilot-ld/plugins/config.yaml": "keeper-logs: { config: { limit: 9 } }",
		[`${within}/more/plugin.yaml`]: LOGS.replace("id: logs", "id: more"),
	})) {
		await write({ [file]: text });
		assert.deepEqual(await standings(), ["changed", "changed"], file);
		assert.match(await review("keeper-logs"), /The plugin keeper has changed[\s\S]*logs:send sends/);
		assert.deepEqual(await standings(), ["agreed", "agreed"]);
	}
	// A link could change its target unseen.
	await symlink(path("keeper/plugins/logs"), path(`${within}/linked`));
	assert.deepEqual(await standings(), ["changed", "changed"]);
	assert.equal(await find("keeper-linked"), undefined);
	await assert.rejects(review("keeper"), /contains a link/);
});
