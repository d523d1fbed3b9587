import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { setup, suite, suiteSetup, suiteTeardown, test } from "mocha";
import * as vscode from "vscode";
import { sendReport } from "../../scripts/vscode/report.ts";
import { workspaceUri } from "../../src/vscode/folders.ts";
import { agreeIn } from "../plugins/examples.ts";
import { decisionAbout } from "./auditLog.ts";
import { acceptTool, ask, askUntilConfirmation, invokeTool, openNewChat, scriptedModel } from "./chat.ts";
import type { ScriptedModel } from "./scriptedModel/script.ts";
import type { ShownView, TestReport } from "./testReport.ts";
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

	test("the view shows plugins with their commands and values", async () => {
		await vscode.commands.executeCommand("copilot-ld.plugins.focus");
		const { text } = await sendReport<TestReport, ShownView>({
			kind: "lookAtTree",
			view: "Plugins",
			words: "lights",
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

async function write(name: string, text: string): Promise<vscode.Uri> {
	const uri = vscode.Uri.joinPath(plugins(), name, "plugin.yaml");
	await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
	return uri;
}
