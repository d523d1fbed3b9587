import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { setup, suite, suiteSetup, suiteTeardown, test } from "mocha";
import * as vscode from "vscode";
import { parse } from "yaml";
import { sendReport } from "../../scripts/vscode/report.ts";
import { unpackPlugin } from "../../src/plugins/share/archive.ts";
import { workspaceUri } from "../../src/vscode/folders.ts";
import { agreeIn, examples, serveWeather } from "../plugins/examples.ts";
import { decisionAbout } from "./auditLog.ts";
import { acceptTool, ask, askUntilConfirmation, invokeTool, openNewChat, scriptedModel } from "./chat.ts";
import type { ScriptedModel } from "./scriptedModel/script.ts";
import type { ShownPick, ShownView, TestReport } from "./testReport.ts";
import { untilTrue } from "./untilTrue.ts";

const PREFIXES = "PREFIX m: <https://merrow.example/vocab#> PREFIX schema: <https://schema.org/>";

const LIGHTS = `group_id: org.example
artifact_id: lights
version: 1.0.0
type: plugin
as_plugin: true
info: { title: Lights, description: Asks about the lights. }
commands:
  - command_name: find
    description: The light with a name.
    parameter: { type: { name: { type: string } } }
    executor:
      kind: sparql
      query: '${PREFIXES} SELECT ?light { ?light a m:Light ; schema:name $name }'
`;

const ACTS = `group_id: org.example
artifact_id: acts
version: 1.0.0
type: plugin
as_plugin: true
info: { title: Acts, description: Does things. }
commands:
  - command_name: note
    description: Notes words.
    parameter: { type: { words: { type: string } } }
    executor: { kind: program, program: node, arguments: [--version, "{{words}}"] }
`;

const KEEPER = `group_id: org.example
artifact_id: keeper
version: 1.0.0
type: copilot
as_plugin: true
info: { title: Keeper, description: Knows the lights., prompt: You keep the lights. }
plugins: [lights]
`;

suite("plugins", () => {
	let model: ScriptedModel;

	suiteSetup(async () => {
		model = await scriptedModel();
		await write("lights", LIGHTS);
	});

	setup(openNewChat);

	suiteTeardown(async () => {
		await vscode.commands.executeCommand("workbench.action.closeAllEditors");
		await vscode.workspace.fs.delete(plugins(), { recursive: true });
	});

	test("what is wrong with a plugin's file stands in Problems, and goes when it is mended", async () => {
		const uri = await write(
			"mended",
			LIGHTS.replace("lights", "mended").replace("type: string", "type: strin"),
		);
		await vscode.window.showTextDocument(uri);
		const found = () => vscode.languages.getDiagnostics(uri);
		await untilTrue(() => found().length > 0, vscode.languages.onDidChangeDiagnostics);
		const [problem] = found();
		assert.match(problem?.message ?? "", /“strin” is not a type/);
		assert.equal(problem?.range.start.line, 9);
		const document = await vscode.workspace.openTextDocument(uri);
		const at = document.positionAt(document.getText().indexOf("strin "));
		const edit = new vscode.WorkspaceEdit();
		edit.insert(uri, at.translate(0, "strin".length), "g");
		await vscode.workspace.applyEdit(edit);
		await document.save();
		await untilTrue(() => found().length === 0, vscode.languages.onDidChangeDiagnostics);
	});

	test("a plugin's file is explained and completed as it is written", async () => {
		const uri = await write("help", `${LIGHTS.replace("lights", "help")}    \n`);
		const document = await vscode.workspace.openTextDocument(uri);
		const kind = document.positionAt(document.getText().indexOf("query:") + 1);
		const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
			"vscode.executeHoverProvider",
			uri,
			kind,
		);
		const words = hovers.flatMap(({ contents }) =>
			contents.map((one) => (typeof one === "string" ? one : one.value)),
		);
		assert.match(words.join("\n").replaceAll("&nbsp;", " "), /SELECT, ASK/);
		const end = document.lineAt(document.lineCount - 2).range.end;
		const completed = await vscode.commands.executeCommand<vscode.CompletionList>(
			"vscode.executeCompletionItemProvider",
			uri,
			end,
		);
		const names = completed.items.map(({ label }) => (typeof label === "string" ? label : label.label));
		assert.ok(names.includes("response") && !names.includes("executor"), names.join());
		await vscode.workspace.fs.delete(vscode.Uri.joinPath(uri, ".."), { recursive: true });
	});

	test("a command that does more than read is asked about with what it does, once its plugin is agreed to", async () => {
		await write("acts", ACTS);
		const input = { plugin: "acts", command: "note", param: { words: "a; b" } };
		await assert.rejects(invokeTool("copilot-ld_plugin", input), /has not agreed to the plugin acts/);
		await agreeTo("acts", model.globalStorage);
		model.play([{ call: "plugin_acts_note", input: { words: "a; b" } }], [{ say: "Noted." }]);
		const { type, toolId } = await askUntilConfirmation("Note it.");
		assert.deepEqual([type, toolId], ["confirmation", "copilot-ld_plugin"]);
		await sendReport<TestReport>({ kind: "look", picture: "plugin-asked" });
		assert.equal(model.requests().length, 1);
		await acceptTool();
		await model.finished();
		assert.match(model.requests()[1]?.messages.at(-1) ?? "", /^user: .*v\d+\.\d+/);
		const decision = await decisionAbout(model.globalStorage, "--version 'a; b'");
		assert.deepEqual(
			[decision?.request.tool, decision?.effect, decision?.by],
			["acts:note", "allow", "host"],
		);
	});

	test("a plugin is packaged, with its hash beside it", async () => {
		const source = { uri: `${plugins()}/lights/plugin.yaml` };
		const plugin = { name: "lights", artifactId: "lights", version: "1.0.0", source };
		const archive = vscode.Uri.joinPath(plugins(), "../../lights-1.0.0.zip");
		const packaged = vscode.commands.executeCommand("copilot-ld.packagePlugin", { kind: "plugin", plugin });
		await answer("Package Plugin", archive.fsPath);
		await packaged;
		const bytes = await vscode.workspace.fs.readFile(archive);
		assert.deepEqual([...unpackPlugin(bytes).keys()], ["plugin.yaml"]);
		const beside = archive.with({ path: `${archive.path}.sha256` });
		const hash = createHash("sha256").update(bytes).digest("hex");
		assert.match(
			new TextDecoder().decode(await vscode.workspace.fs.readFile(beside)),
			new RegExp(`^${hash} `),
		);
		for (const uri of [archive, beside]) await vscode.workspace.fs.delete(uri);
	});

	test("a value holds for the session over what files say, until it is reset", async () => {
		await write(
			"named",
			`${LIGHTS.replace("artifact_id: lights", "artifact_id: named")}config: { name: Gannet Rock Light }\n`,
		);
		const rows = async () =>
			(await invokeTool("copilot-ld_plugin", { plugin: "named", command: "find" })).slice(0, 6);
		assert.equal(await rows(), "1 rows");
		const plugin = { name: "named", commands: [], types: {}, config: [{ origin: "session" }] };
		const value = { path: ["name"], value: "Gannet Rock Light" };
		const set = vscode.commands.executeCommand("copilot-ld.setPluginValue", { kind: "value", plugin, value });
		await answer("Set for This Session", "Nowhere");
		await set;
		assert.equal(await rows(), "0 rows");
		const reset = vscode.commands.executeCommand("copilot-ld.resetPlugin", { kind: "plugin", plugin });
		await sendReport<TestReport, ShownPick>({ kind: "lookAtPick", words: "Reset Configuration" });
		await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
		await reset;
		assert.equal(await rows(), "1 rows");
	});

	test("a copilot is asked as one tool, and works with the commands that it names", async () => {
		await write("keeper", KEEPER);
		model.play(
			[{ call: "plugin_keeper_ask", input: { question: "Is there a Gannet Rock Light?" } }],
			[{ call: "plugin_lights_find", input: { name: "Gannet Rock Light" } }],
			[{ say: "There is one." }],
			[{ say: "The keeper knows it." }],
		);
		const { errorDetails } = await ask("Ask the keeper for Gannet Rock Light.");
		assert.equal(errorDetails, undefined);
		const [, asked, told, last] = model.requests();
		assert.ok(asked);
		assert.ok(asked.tools.includes("plugin_lights_find") && !asked.tools.includes("plugin_acts_note"));
		assert.match(asked.messages.join("\n"), /You keep the lights\./);
		assert.match(told?.messages.at(-1) ?? "", /1 rows \(complete\)/);
		assert.match(last?.messages.at(-1) ?? "", /There is one\./);
	});

	test("the loop has each command as a tool, and runs it with the model's words as values", async () => {
		model.play(
			[{ call: "plugin_lights_find", input: { name: "Gannet Rock Light" } }],
			[{ say: "It is there." }],
		);
		const { errorDetails } = await ask("Is there a Gannet Rock Light?");
		assert.equal(errorDetails, undefined);
		const [first, second] = model.requests();
		assert.ok(first?.tools.includes("plugin_lights_find"), first?.tools.join());
		assert.ok(!first?.tools.includes("copilot-ld_plugin"));
		assert.match(second?.messages.at(-1) ?? "", /1 rows \(complete\)[\s\S]*gannet-rock/);
	});

	test("a later turn knows what tools gave, and a result that its answer names is linked under it", async () => {
		model.play([{ call: "plugin_lights_find", input: { name: "Gannet Rock Light" } }], [{ say: "Found." }]);
		await ask("Is there a Gannet Rock Light?");
		model.play([{ say: "It is in <|asset://1|>." }]);
		await ask("Where was that?");
		assert.match(
			model.requests()[0]?.messages.join("\n") ?? "",
			/copilot-ld-result:1: plugin_lights_find with/,
		);
		await sendReport<TestReport>({ kind: "clickCitation", link: "Result 1" });
		const isOpen = () => /gannet-rock/.test(vscode.window.activeTextEditor?.document.getText() ?? "");
		await untilTrue(isOpen, vscode.window.onDidChangeActiveTextEditor);
	});

	test("other agents list the commands and run them through one tool", async () => {
		assert.match(await invokeTool("copilot-ld_plugin", {}), /^lights:find\nThe light with a name\./m);
		const input = { plugin: "lights", command: "find", param: { name: '" . ?a ?b ?light . FILTER("" = "' } };
		assert.match(await invokeTool("copilot-ld_plugin", input), /^0 rows/);
		await assert.rejects(
			invokeTool("copilot-ld_plugin", { ...input, param: {} }),
			/Wrong input\. “name” is missing/,
		);
	});

	test("the seed's example and ours work in the chat, and for other agents through one tool", async () => {
		const closing: (() => unknown)[] = [];
		const { host, seen } = await serveWeather({
			after: (close) => void closing.push(close as () => unknown),
		});
		const texts = examples(host, process.env["COPILOT_LD_ROOT"]);
		for (const [name, text] of Object.entries(texts)) await write(name, text);
		await agreeTo("weather", model.globalStorage);
		const rules = (value?: object[]) =>
			vscode.workspace
				.getConfiguration("copilot-ld")
				.update("permissions.rules", value, vscode.ConfigurationTarget.Global);
		await rules([{ effect: "allow", door: "tools", tool: "weather:forecast" }]);
		const calls = [
			["people", "with_job", { word: "keeper", most: 1 }, /1 rows/],
			["weather", "forecast", { place: "Gannet Rock" }, /"sky":"clear"/],
			["example", "command_2", { param: "Who keeps the lamp?" }, /\[[^\]]+:\d+/],
		] as const;
		try {
			model.play(
				...calls.map(([plugin, command, input]) => [{ call: `plugin_${plugin}_${command}`, input }]),
				[{ say: "Done." }],
			);
			const { errorDetails } = await ask("Try the examples.");
			assert.equal(errorDetails, undefined);
			for (const [index, [plugin, command, param, expected]] of calls.entries()) {
				assert.match(model.requests()[index + 1]?.messages.at(-1) ?? "", expected, plugin);
				assert.match(await invokeTool("copilot-ld_plugin", { plugin, command, param }), expected, plugin);
			}
			assert.deepEqual(seen, Array(2).fill("GET /forecast/Gannet%20Rock?days=1"));
		} finally {
			await rules();
			for (const close of closing) close();
		}
	});

	test("an answer of /graph becomes a tool, with what the person chooses as parameters", async () => {
		model.play([]);
		const query = `${PREFIXES} SELECT ?light { ?light a m:Light ; schema:name "Gannet Rock Light" }`;
		await ask(`/graph ${query}`);
		const saved = vscode.commands.executeCommand("copilot-ld.saveAsTool");
		const title = "Save as Tool";
		const { items } = await sendReport<TestReport, ShownPick>({
			kind: "lookAtPick",
			words: title,
			picture: "save-as-tool-parameters",
		});
		assert.match(items.join("\n"), /Gannet Rock Light/);
		await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
		await answer("Change names and types", "name: string = The light's name");
		await answer("Name the tool", "light-by-name");
		await answer("Describe when agents", "Finds a light by its name.");
		await saved;
		const file = parse(vscode.window.activeTextEditor?.document.getText() ?? "");
		await sendReport<TestReport>({ kind: "look", picture: "save-as-tool" });
		assert.equal(file.commands[0].query, query.replace('"Gannet Rock Light"', "$name"));
		const input = { plugin: "light-by-name", command: "query", param: { name: "Gannet Rock Light" } };
		assert.match(await invokeTool("copilot-ld_plugin", input), /^1 rows/);
	});

	test("the view shows plugins with their commands and values", async () => {
		await vscode.commands.executeCommand("copilot-ld.plugins.focus");
		const { text } = await sendReport<TestReport, ShownView>({
			kind: "lookAtTree",
			view: "Plugins",
			words: "light-by-name",
			picture: "plugins",
		});
		assert.match(text, /lights/);
	});
});

function plugins(): vscode.Uri {
	const [folder] = vscode.workspace.workspaceFolders ?? [];
	assert.ok(folder);
	return vscode.Uri.joinPath(folder.uri, ".copilot-ld/plugins");
}

/** As “Review Plugin” does, whose question VS Code does not show in tests: the consents are on the disk. */
async function agreeTo(name: string, globalStorage: string): Promise<void> {
	const [folder] = vscode.workspace.workspaceFolders ?? [];
	assert.ok(folder);
	const permissions = join(globalStorage, "copilot-ld.copilot-ld", "permissions");
	const uri = pathToFileURL(folder.uri.fsPath).href;
	await agreeIn({ uri, home: globalStorage, permissions, workspaceUri: workspaceUri() }, name);
}

async function answer(words: string, typed: string): Promise<void> {
	await sendReport<TestReport, ShownPick>({ kind: "lookAtPick", words });
	await sendReport<TestReport>({ kind: "answerInput", typed });
}

async function write(name: string, text: string): Promise<vscode.Uri> {
	const uri = vscode.Uri.joinPath(plugins(), name, "plugin.yaml");
	await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
	return uri;
}
