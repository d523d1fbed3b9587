import assert from "node:assert/strict";
import { setup, suite, teardown, test } from "mocha";
import * as vscode from "vscode";
import { setting } from "../../src/vscode/settings.ts";
import { ask, invokeTool, openNewChat, useModel } from "./chat.ts";
import { decisionAbout, file, setSetting, untilTrue, write } from "./workbench.ts";

const SETTINGS = ".vscode/settings.json";
const SEARCH = "copilot-ld_search_knowledge";

suite("permissions", () => {
	const model = useModel();
	setup(openNewChat);
	teardown(() => setSetting("permissions.rules", undefined));

	test("a folder's settings cannot choose the program or server of the Copilot CLI", async () => {
		const names = ["cli.path", "cli.server"].flatMap((name) => [`copilot-LD.${name}`, `copilot-ld.${name}`]);
		const said = Object.fromEntries(names.map((name) => [name, "/x"]));
		await write(SETTINGS, JSON.stringify({ ...said, "copilot-LD.agent.maxRounds": 7 }));
		const isRead = () => setting("agent.maxRounds") === 7;
		await untilTrue(isRead, vscode.workspace.onDidChangeConfiguration);
		assert.ok(!["cli.path", "cli.server"].some((name) => setting(name as "cli.path") === "/x"));
		await vscode.workspace.fs.delete(file(SETTINGS));
	});

	test("a deny rule in the settings stops a call, and the model gets the reason", async () => {
		await setSetting("permissions.rules", [{ effect: "deny", tool: "search_*" }]);
		await assert.rejects(invokeTool(SEARCH, { query: "capstan" }), /Not allowed by a rule in the setting/);
		const decision = await decisionAbout(model.globalStorage, "capstan");
		assert.deepEqual([decision?.effect, decision?.by], ["deny", "rule"]);
		model.play([{ call: SEARCH, input: { query: "bowsprit" } }], [{ say: "I may not look." }]);
		await ask("Where is the bowsprit?");
		assert.match(model.requests()[1]?.messages.at(-1) ?? "", /Not allowed by a rule in the setting/);
	});
});
