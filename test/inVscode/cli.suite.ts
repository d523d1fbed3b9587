import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { setup, suite, suiteSetup, test } from "mocha";
import type { ScriptedReply, SeenRequest } from "../acp/scriptedModelServer.ts";
import { ask, openNewChat } from "./chat.ts";
import { scriptCliModel } from "./cliModel.ts";
import { file } from "./files.ts";
import { look, tell } from "./testReport.ts";

function reply({ question, results }: SeenRequest): ScriptedReply {
	const [, command] = /@@run ([^\n]*)/.exec(question) ?? [];
	if (command === undefined || results.length > 0) return { text: ["The model has ", "finished."] };
	return { calls: [{ name: "bash", input: { command, description: "Touches a file" } }] };
}

suite("a turn on the Copilot CLI", () => {
	suiteSetup(() => scriptCliModel(reply));
	setup(openNewChat);

	test("runs an allowed command and shows it", async function () {
		const asked = ask("/cli @@run touch allowed.txt");
		await tell("pickFirst", { typed: "Allow Once", picture: "cliPermission" });
		const { metadata } = await asked;
		assert.equal(existsSync(file("allowed.txt").fsPath), true);
		assert.equal(metadata?.answer, "The model has finished.");
		const shown = await look("cli");
		// A desktop VS Code has no page to look at.
		if (!shown) return this.skip();
		assert.match(shown.text, /touch allowed\.txt/);
		assert.match(shown.text, /The model has finished\./);
	});
});
