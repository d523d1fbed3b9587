import assert from "node:assert/strict";
import { setup, suite, suiteSetup, suiteTeardown, test } from "mocha";
import * as vscode from "vscode";
import { parse } from "yaml";
import { sendReport } from "../../scripts/vscode/report.ts";
import { ask, invokeTool, openNewChat, scriptedModel } from "./chat.ts";
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
		assert.match(problem?.message ?? "", /“strin” is no type/);
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

	test("other agents list the commands and run them through one tool", async () => {
		assert.match(await invokeTool("copilot-ld_plugin", {}), /^lights:find\nThe light with a name\./m);
		const input = { plugin: "lights", command: "find", param: { name: '" . ?a ?b ?light . FILTER("" = "' } };
		assert.match(await invokeTool("copilot-ld_plugin", input), /^0 rows/);
		await assert.rejects(
			invokeTool("copilot-ld_plugin", { ...input, param: {} }),
			/Wrong input\. “name” is missing/,
		);
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
		await answer("Name the tool", "light-by-name");
		await answer("Say when agents", "Finds a light by its name.");
		await saved;
		const file = parse(vscode.window.activeTextEditor?.document.getText() ?? "");
		await sendReport<TestReport>({ kind: "look", picture: "save-as-tool" });
		assert.equal(file.artifact_id, "light-by-name");
		assert.equal(file.commands[0].executor.query, query.replace('"Gannet Rock Light"', "$name"));
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

/** Types into the box that asks for this. */
async function answer(words: string, typed: string): Promise<void> {
	await sendReport<TestReport, ShownPick>({ kind: "lookAtPick", words });
	await sendReport<TestReport>({ kind: "answerInput", typed });
}

async function write(name: string, text: string): Promise<vscode.Uri> {
	const uri = vscode.Uri.joinPath(plugins(), name, "plugin.yaml");
	await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
	return uri;
}
