import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setup, suite, teardown, test } from "mocha";
import * as vscode from "vscode";
import { setting } from "../../src/vscode/settings.ts";
import { attributesOf, spansIn } from "../telemetry/receiver.ts";
import { decisionAbout } from "./auditLog.ts";
import { ask, invokeTool, openNewChat, useModel } from "./chat.ts";
import { file, write } from "./files.ts";
import { untilTrue } from "./untilTrue.ts";

const SETTINGS = ".vscode/settings.json";
const SEARCH = "copilot-ld_search_knowledge";

suite("permissions", () => {
	const model = useModel();
	setup(openNewChat);
	teardown(() => setRules(undefined));
	const lineOn = (word: string) => decisionAbout(model.globalStorage, word);

	async function decisionOn(word: string): Promise<string[] | undefined> {
		const line = await lineOn(word);
		return line && [line.effect, line.by];
	}

	test("a folder cannot say which program the Copilot CLI is, by any name", async () => {
		const names = [
			"copilot-LD.cli.path",
			"copilot-ld.cli.path",
			"copilot-LD.cli.server",
			"copilot-ld.cli.server",
		];
		const said = Object.fromEntries(names.map((name) => [name, "/x"]));
		await write(SETTINGS, JSON.stringify({ ...said, "copilot-LD.agent.maxRounds": 7 }));
		const isRead = () => setting("agent.maxRounds") === 7;
		await untilTrue(isRead, vscode.workspace.onDidChangeConfiguration);
		assert.ok(!["cli.path", "cli.server"].some((name) => setting(name as "cli.path") === "/x"));
		await vscode.workspace.fs.delete(file(SETTINGS));
	});

	test("a deny rule of the settings stops a call, and the model reads why", async () => {
		await setRules([{ effect: "deny", tool: "search_*" }]);
		await assert.rejects(invokeTool(SEARCH, { query: "capstan" }), /Not allowed by a rule in the setting/);
		assert.deepEqual(await decisionOn("capstan"), ["deny", "rule"]);
		model.play([{ call: SEARCH, input: { query: "bowsprit" } }], [{ say: "I may not look." }]);
		const { metadata } = await ask("Where is the bowsprit?");
		assert.equal(metadata?.tools[0]?.ok, false);
		assert.match(model.requests()[1]?.messages.at(-1) ?? "", /Not allowed by a rule in the setting/);
	});

	test("the trace of a turn tells the decision among its spans, and can be written to a file", async () => {
		await setRules([{ effect: "deny", tool: "search_knowledge" }]);
		model.play([{ call: SEARCH, input: { query: "mizzen" } }], [{ say: "I may not look." }]);
		await ask("Where is the mizzen?");
		const target = vscode.Uri.file(join(model.globalStorage, "traces.json"));
		await vscode.commands.executeCommand("copilot-ld.exportTraces", target);
		const text = await readFile(target.fsPath, "utf8");
		assert.doesNotMatch(text, /mizzen/);
		const spans = spansIn(JSON.parse(text));
		assert.ok(
			spans.some(({ name }) => name === "search by words"),
			"the worker tells its part",
		);
		const tool = spans.findLast(({ name }) => name === `execute_tool ${SEARCH}`);
		const permission = spans.findLast(({ name }) => name.startsWith("permission"));
		assert.equal(permission?.parentSpanId, tool?.spanId);
		assert.equal(permission && attributesOf(permission)["copilot_ld.effect"], "deny");
	});
});

async function setRules(rules: object[] | undefined): Promise<void> {
	const configuration = vscode.workspace.getConfiguration("copilot-LD");
	await configuration.update("permissions.rules", rules, vscode.ConfigurationTarget.Global);
}
