import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setup, suite, teardown, test } from "mocha";
import * as vscode from "vscode";
import { attributesOf, spansIn } from "../telemetry/receiver.ts";
import { decisionAbout } from "./auditLog.ts";
import { acceptTool, ask, askUntilConfirmation, invokeTool, openNewChat, useModel } from "./chat.ts";

const SEARCH = "copilot-ld_search_knowledge";

/** The others are of the worker. */
const OF_THE_TURN = /^(?:retrieval|search_memory|chat|permission|execute_tool|invoke_agent)\b/;

suite("permissions", () => {
	const model = useModel();
	setup(openNewChat);
	teardown(() => setRules(undefined));
	const lineOn = (word: string) => decisionAbout(model.globalStorage, word);

	async function decisionOn(word: string): Promise<string[] | undefined> {
		const line = await lineOn(word);
		return line && [line.effect, line.by];
	}

	test("a deny rule of the settings stops a call, and the model reads why", async () => {
		await setRules([{ effect: "deny", tool: "search_*" }]);
		await assert.rejects(invokeTool(SEARCH, { query: "capstan" }), /Not allowed by a rule in the setting/);
		assert.deepEqual(await decisionOn("capstan"), ["deny", "rule"]);
		model.play([{ call: SEARCH, input: { query: "bowsprit" } }], [{ say: "I may not look." }]);
		const { metadata } = await ask("Where is the bowsprit?");
		assert.equal(metadata?.tools[0]?.ok, false);
		assert.match(model.requests()[1]?.messages.at(-1) ?? "", /Not allowed by a rule in the setting/);
	});

	test("an ask rule shows VS Code's confirmation, and the call goes on when it is accepted", async () => {
		await setRules([{ effect: "ask", tool: "search_knowledge" }]);
		model.play([{ call: SEARCH, input: { query: "relamping" } }], [{ say: "Found." }]);
		const { type, toolId } = await askUntilConfirmation("How is the lamp changed?");
		assert.deepEqual([type, toolId], ["confirmation", SEARCH]);
		assert.equal(model.requests().length, 1);
		await acceptTool();
		await model.finished();
		assert.match(model.requests()[1]?.messages.at(-1) ?? "", /^user: .*best places/);
		assert.deepEqual(await decisionOn("relamping"), ["allow", "host"]);
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
		const turn = spans.at(-1);
		const told = spans
			.filter(({ traceId }) => traceId === turn?.traceId)
			.filter(({ name }) => OF_THE_TURN.test(name))
			.map((span) => [span.name.replace(/^chat .*/, "chat"), attributesOf(span)] as const)
			.map(([name, facts]) => [name, facts["copilot_ld.outcome"], facts["copilot_ld.effect"]]);
		// Knowledge and memory are searched at once.
		assert.deepEqual(
			[...told.slice(0, 2).sort(), ...told.slice(2)],
			[
				["retrieval", "done", undefined],
				["search_memory", "done", undefined],
				["chat", "done", undefined],
				["permission search_knowledge", "done", "deny"],
				[`execute_tool ${SEARCH}`, "failed", undefined],
				["chat", "done", undefined],
				["invoke_agent copilot-ld", "done", undefined],
			],
		);
		assert.ok(spans.some(({ name }) => name === "search by words"));
		const tool = spans.findLast(({ name }) => name === `execute_tool ${SEARCH}`);
		const permission = spans.findLast(({ name }) => name.startsWith("permission"));
		assert.equal(permission?.parentSpanId, tool?.spanId);
	});
});

async function setRules(rules: object[] | undefined): Promise<void> {
	const configuration = vscode.workspace.getConfiguration("copilot-LD");
	await configuration.update("permissions.rules", rules, vscode.ConfigurationTarget.Global);
}
