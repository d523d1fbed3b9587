import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { setup, suite, suiteSetup, test } from "mocha";
import * as vscode from "vscode";
import { workspaceUri } from "../../src/vscode/folders.ts";
import { agreeIn } from "../plugins/examples.ts";
import { pluginHead } from "../support/pluginHead.ts";
import { acceptTool, ask, askUntilConfirmation, invokeTool, openNewChat, useModel } from "./chat.ts";
import { look, tell } from "./testReport.ts";
import { decisionAbout, removeAfter, untilTrue, write } from "./workbench.ts";

const PLUGINS = ".copilot-ld/plugins";
const PREFIXES = "PREFIX m: <https://merrow.example/vocab#> PREFIX schema: <https://schema.org/>";

const LIGHTS = `${pluginHead("lights", "title: Lights, description: Asks about the lights.")}commands:
  - command_name: find
    description: The light with a name.
    parameter: { type: { name: { type: string } } }
    executor:
      kind: sparql
      query: '${PREFIXES} SELECT ?light { ?light a m:Light ; schema:name $name }'
`;

const ACTS = `${pluginHead("acts", "title: Acts, description: Does things.")}commands:
  - command_name: note
    description: Notes words.
    parameter: { type: { words: { type: string } } }
    executor: { kind: program, program: node, arguments: [--version, "{{words}}"] }
`;

suite("plugins", () => {
	const model = useModel();

	suiteSetup(async () => write(pathOf("lights"), LIGHTS));

	setup(openNewChat);

	removeAfter(PLUGINS);

	test("a plugin command with effects needs consent to the plugin, and asks before each call", async () => {
		await write(pathOf("acts"), ACTS);
		const input = { plugin: "acts", command: "note", param: { words: "a; b" } };
		await assert.rejects(invokeTool("copilot-ld_plugin", input), /has not agreed to the plugin acts/);
		await agreeTo("acts", model.globalStorage);
		model.play([{ call: "plugin_acts_note", input: { words: "a; b" } }], [{ say: "Noted." }]);
		const { type, toolId } = await askUntilConfirmation("Note it.");
		assert.deepEqual([type, toolId], ["confirmation", "copilot-ld_plugin"]);
		await look("plugin-asked");
		assert.equal(model.requests().length, 1);
		await acceptTool();
		await model.finished();
		assert.match(model.requests()[1]?.messages.at(-1) ?? "", /^user: .*v\d+\.\d+/);
		const decision = await decisionAbout(model.globalStorage, "--version 'a; b'");
		assert.equal(decision?.request.tool, "acts:note");
		assert.deepEqual([decision.effect, decision.by], ["allow", "host"]);
	});

	test("a later turn knows earlier tool results, and the answer links to a named result", async () => {
		model.play([{ call: "plugin_lights_find", input: { name: "Gannet Rock Light" } }], [{ say: "Found." }]);
		await ask("Is there a Gannet Rock Light?");
		model.play([{ say: "It is in <|asset://1|>." }]);
		await ask("Where was that?");
		const messages = model.requests()[0]?.messages.join("\n") ?? "";
		assert.match(messages, /copilot-ld-result:1: plugin_lights_find with/);
		await tell("clickCitation", { link: "Result 1" });
		const isOpen = () => /gannet-rock/.test(vscode.window.activeTextEditor?.document.getText() ?? "");
		await untilTrue(isOpen, vscode.window.onDidChangeActiveTextEditor);
	});
});

const pathOf = (name: string) => `${PLUGINS}/${name}/plugin.yaml`;

/** Stores consent as “Review Plugin” does, whose modal question VS Code does not show in tests. */
async function agreeTo(name: string, globalStorage: string): Promise<void> {
	const [folder] = vscode.workspace.workspaceFolders ?? [];
	assert.ok(folder);
	const permissions = join(globalStorage, "copilot-ld.copilot-ld", "permissions");
	const uri = pathToFileURL(folder.uri.fsPath).href;
	await agreeIn({ uri, home: globalStorage, permissions, workspaceUri: workspaceUri() }, name);
}
