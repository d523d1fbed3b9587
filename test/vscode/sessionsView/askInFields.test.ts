import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import * as vscode from "vscode";
import { askRule, isWanted } from "../../../src/vscode/sessionsView/askInFields.ts";
import { oneDecision } from "../../support/fakePermissions.ts";

/** Chooses these labels and types these texts; resolves to the rule, and whether each text was refused. */
async function ruleOf(t: TestContext, chosen: readonly string[], typed: readonly string[]) {
	const [labels, texts] = [[...chosen], [...typed]];
	const refused: boolean[] = [];
	t.mock.method(vscode.window, "showQuickPick", async (items: readonly { readonly label: string }[]) => {
		const label = labels.shift();
		return items.find((item) => item.label === label);
	});
	t.mock.method(vscode.window, "showInputBox", async ({ validateInput }: vscode.InputBoxOptions) => {
		const text = texts.shift();
		if (text !== undefined) refused.push(validateInput?.(text) !== undefined);
		return text;
	});
	return { rule: await askRule(), refused };
}

test("a rule is asked for part by part, and omits the parts that were not given", async (t) => {
	const all = ["Deny", "Command", "Copilot CLI", "In this workspace"];
	const { rule } = await ruleOf(t, all, [" git push ", " run_command "]);
	const argument = { kind: "command", value: "git push" };
	assert.deepEqual(rule, { effect: "deny", scope: "workspace", door: "cli", tool: "run_command", argument });
	const least = await ruleOf(t, ["Allow", "Any argument", "Every channel", "Always"], ["search_*"]);
	assert.deepEqual(least, { rule: { effect: "allow", scope: "always", tool: "search_*" }, refused: [false] });
});

test("canceling any question adds no rule", async (t) => {
	const all = ["Deny", "Path", "Every channel", "Always"];
	for (const count of all.keys())
		assert.equal((await ruleOf(t, all.slice(0, count), ["a/**", ""])).rule, undefined);
	for (const texts of [[], ["a/**"]]) assert.equal((await ruleOf(t, all, texts)).rule, undefined);
});

test("invalid tools, commands, paths and hosts of a rule are refused", async (t) => {
	for (const [effect, kind, texts, expected] of [
		["Allow", "Any argument", [""], [true]],
		["Deny", "Any argument", [""], [false]],
		["Deny", "Any argument", ["run command"], [true]],
		["Allow", "Command", [" ", ""], [true, false]],
		["Allow", "Path", ["C:\\notes", ""], [true, false]],
		["Allow", "Path", ["../notes/**", ""], [true, false]],
		["Allow", "Path", ["C:/notes/**", ""], [false, false]],
		["Allow", "Host", ["https://example.org/a", ""], [true, false]],
		["Allow", "Host", ["*.example.org:8080", ""], [false, false]],
	] as const) {
		const { refused } = await ruleOf(t, [effect, kind, "Every channel", "Always"], texts);
		assert.deepEqual(refused, expected, `${effect} ${kind} ${texts}`);
	}
});

test("the user can read every decision that a rule would have changed before adding it", async (t) => {
	const asked: unknown[] = [];
	const answers = ["Add Rule", undefined];
	const warn = async (message: string, { detail }: vscode.MessageOptions) => {
		asked.push([message, detail?.split("\n").length]);
		return answers.shift();
	};
	t.mock.method(vscode.window, "showWarningMessage", warn);
	const decisions = [oneDecision({}), oneDecision({ effect: "deny" })];
	assert.equal(await isWanted([]), true);
	assert.deepEqual([await isWanted(decisions), await isWanted(decisions)], [true, false]);
	const message = "With this rule, 2 decisions of the last 30 days would have been different.";
	assert.deepEqual(asked, Array(2).fill([message, 2]));
});
