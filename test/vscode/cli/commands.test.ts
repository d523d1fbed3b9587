import assert from "node:assert/strict";
import { test } from "node:test";
import type { SlashCommand } from "../../../src/acp/turn/session/cliSession.ts";
import { chooseCliCommand, showCliCommands } from "../../../src/vscode/cli/cliLink.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { commands, window } from "../../support/fakeVscode.ts";

const ANNOUNCED: readonly SlashCommand[] = [
	{ name: "usage", description: "Display usage" },
	{ name: "compact", description: "Shorten\nthe [history](command:x)" },
	{ name: "x`\n[press](command:y)", description: "Brought along by a folder" },
];
const cli = { commands: async () => ANNOUNCED };

test("the command that is chosen comes into the input of the chat, and is not sent", async () => {
	let offered: readonly { readonly label: string }[] = [];
	window.showQuickPick = async (items) => {
		offered = items as typeof offered;
		return offered[0];
	};
	const executed: unknown[] = [];
	commands.executeCommand = async (...args) => void executed.push(...args);
	await chooseCliCommand(cli);
	assertMapped(offered, ({ label }) => label, ["/compact", "/usage"]);
	const query = "@copilot-ld /cli /compact ";
	assert.deepEqual(executed, ["workbench.action.chat.open", { query, isPartialQuery: true }]);
});

test("the list of commands shows what the CLI says of them as plain text", async () => {
	const shown: string[] = [];
	const stream = { markdown: (text: string) => void shown.push(text), button: () => undefined };
	await showCliCommands(cli, stream as never);
	const [text = ""] = shown;
	assert.match(text, /- `\/cli \/compact` Shorten the \\\[history\\\]\(command:x\)\n- `\/cli \/usage`/);
	assert.doesNotMatch(text, /press/);
});
