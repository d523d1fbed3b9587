import assert from "node:assert/strict";
import { suite, suiteSetup, test } from "mocha";
import * as vscode from "vscode";
import { assertMapped } from "../support/assertMapped.ts";
import { tell } from "./testReport.ts";
import { file, ownProblems, removeAfter, untilTrue, write } from "./workbench.ts";

const REVIEWER = `---
name: reviewer
description: Reviews what is written of the lights
keywords: [review, quality]
tools: [read, serach, copilot-ld_search_knowledge, search_knowledge]
handoffs:
  - agent: nobody
    label: Go on
---
You review.
`;
const WRITER = "---\nname: writer\ndescription: Writes for visitors\n---\nYou write.\n";

suite("agents", () => {
	removeAfter(".github/agents");

	suiteSetup(() => vscode.commands.executeCommand("copilot-ld.indexWorkspace"));

	test("a saved agent file is listed, and a problem in the file is shown at its line", async () => {
		const uri = await writeAgent("reviewer.agent.md", REVIEWER);
		await writeAgent("writer.md", WRITER);
		await writeAgent("broken.md", "---\nname: broken\n---\n");
		const problems = () => ownProblems(uri);
		await untilTrue(() => problems().length > 0, vscode.languages.onDidChangeDiagnostics);
		assertMapped(problems(), ({ range, message }) => `${range.start.line + 1}: ${message}`, [
			"5: Neither the Copilot CLI nor VS Code has a tool “serach”.",
			"7: There is no agent “nobody” to hand over to.",
		]);
		await vscode.commands.executeCommand("copilot-ld.agents.focus");
		const { text } = await tell("lookAtTree", { view: "Agents", words: "broken.md", picture: "agents" });
		assert.match(text, /reviewer.*Reviews what is written of the lights.*writer/s);
	});
});

async function writeAgent(name: string, text: string): Promise<vscode.Uri> {
	const path = `.github/agents/${name}`;
	await write(path, text);
	return file(path);
}
