import assert from "node:assert/strict";
import { suite, suiteSetup, suiteTeardown, test } from "mocha";
import * as vscode from "vscode";
import { sendReport } from "../../scripts/vscode/report.ts";
import { file, write } from "./files.ts";
import type { ShownView, TestReport } from "./testReport.ts";
import { untilTrue } from "./untilTrue.ts";

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
	suiteTeardown(async () => {
		await vscode.commands.executeCommand("workbench.action.closeAllEditors");
		await vscode.workspace.fs.delete(file(".github/agents"), { recursive: true });
	});

	suiteSetup(() => vscode.commands.executeCommand("copilot-ld.indexWorkspace"));

	test("a file that is saved is listed, and its problems stand at their lines", async () => {
		const uri = await writeAgent("reviewer.agent.md", REVIEWER);
		await writeAgent("writer.md", WRITER);
		await writeAgent("broken.md", "---\nname: broken\n---\n");
		const problems = () =>
			vscode.languages.getDiagnostics(uri).filter(({ source }) => source === "Copilot-LD");
		await untilTrue(() => problems().length > 0, vscode.languages.onDidChangeDiagnostics);
		assert.deepEqual(
			problems().map(({ range, message }) => `${range.start.line + 1}: ${message}`),
			[
				"5: Neither the Copilot CLI nor VS Code has a tool “serach”.",
				"7: There is no agent “nobody” to hand over to.",
			],
		);
		await vscode.commands.executeCommand("copilot-ld.agents.focus");
		const { text } = await lookAtTree("reviewer", "agents");
		assert.match(text, /reviewer.*Reviews what is written of the lights.*writer/s);
		assert.match(text, /broken\.md/);
	});

	test("fields, tools and agents are completed, and fields explained", async () => {
		const uri = await writeAgent("half.md", "---\nname: half\n\ntools: []\nhandoffs:\n  - agent: \n---\n");
		const offered = async (line: number, column: number) => {
			const at = new vscode.Position(line, column);
			const list = await vscode.commands.executeCommand<vscode.CompletionList>(
				"vscode.executeCompletionItemProvider",
				uri,
				at,
			);
			return list.items.map(({ label }) => (typeof label === "string" ? label : label.label));
		};
		const fields = await offered(2, 0);
		assert.deepEqual([fields.includes("keywords"), fields.includes("name")], [true, false]);
		assert.ok((await offered(3, 8)).includes("execute"));
		assert.ok((await offered(5, 11)).includes("reviewer"));
		const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
			"vscode.executeHoverProvider",
			uri,
			new vscode.Position(3, 2),
		);
		const words = hovers.flatMap(({ contents }) => contents).map((content) => textOf(content));
		assert.match(words.join("\n"), /The tools that the agent may use/);
	});

	test("a new agent begins with a template that has no mistake", async () => {
		const made = vscode.commands.executeCommand("copilot-ld.newAgent");
		await sendReport<TestReport>({ kind: "pickFirst", typed: "In " });
		await sendReport<TestReport>({ kind: "answerInput", typed: "tester", picture: "agents-new" });
		await made;
		assert.match(vscode.window.activeTextEditor?.document.fileName ?? "", /tester\.agent\.md$/);
		assert.match(vscode.window.activeTextEditor?.document.getText() ?? "", /^---\nname: tester\n/);
		assert.deepEqual(
			vscode.languages
				.getDiagnostics(file(".github/agents/tester.agent.md"))
				.filter(({ source }) => source === "Copilot-LD"),
			[],
		);
	});
});

/** Spaces are escaped in it. */
function textOf(content: vscode.MarkdownString | vscode.MarkedString): string {
	return (typeof content === "string" ? content : content.value).replaceAll("&nbsp;", " ");
}

async function lookAtTree(words: string, picture: string): Promise<ShownView> {
	return sendReport<TestReport, ShownView>({ kind: "lookAtTree", view: "Agents", words, picture });
}

async function writeAgent(name: string, text: string): Promise<vscode.Uri> {
	const path = `.github/agents/${name}`;
	await write(path, text);
	return file(path);
}
