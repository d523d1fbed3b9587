import assert from "node:assert/strict";
import { setup, suite, test } from "mocha";
import * as vscode from "vscode";
import { formatCitation } from "../../src/core/knowledge/citation.ts";
import type { CheckedTurn } from "../../src/evidence/checkTurn.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { ask, cancelTurn, invokeTool, openNewChat, useModel } from "./chat.ts";
import { look, tell } from "./testReport.ts";
import { closeAllEditors, provided, untilEditor } from "./workbench.ts";

const QUESTION = "When are the fog horns tested?";
const SEARCH = "copilot-ld_search_knowledge";
const READ = "copilot-ld_read_resource";
/** All of our tools except the one that would ask this agent again. */
const TOOLS = [
	...["copilot-ld_describe_ontology", "copilot-ld_query_graph", READ],
	...["copilot-ld_recall_memory", "copilot-ld_remember", SEARCH],
];

const CITATION = /\[[^\]\n]+:\d+(?:-\d+)?\]/;

const HOSTILE = [
	...["http://x.example/a", "www.x.example", "me@x.example", "[a](https://x.example)", "[b](command:x)"],
	...["![p](https://x.example/p.png)", "<b>bold</b>", "<img src=x>", "<https://x.example>", "$(zap)", "$x$"],
	...["*em*", "~~del~~", "`code`", "&lt;i&gt;", "| a | b |", "- [ ] task", "1. one"],
	...["<!-- no -->", "=== ---"],
];

suite("a turn in the chat", () => {
	const model = useModel();
	setup(openNewChat);

	test("gives the model the instructions, the passages found, and the question", async () => {
		model.play([{ say: "Enough." }]);
		await ask(QUESTION);
		const [request] = model.requests();
		assert.match(request?.messages[0] ?? "", /^user: .*bracket/s);
		assert.ok(request?.messages.slice(1).some((message) => CITATION.test(message)));
		assert.equal(request?.messages.at(-1), `user: ${QUESTION}`);
		assert.deepEqual([...(request?.tools ?? [])].sort(), TOOLS);
	});

	test("shows citations as links that open the file at the cited lines", async function () {
		const citation = await citationOf(QUESTION);
		model.play([{ say: `On the last Tuesday of September, one after the other ${citation}.` }]);
		await ask(QUESTION);
		const shown = await look("answer");
		// A desktop VS Code has no page to look at.
		if (!shown) return this.skip();
		assert.match(shown.text, /last Tuesday of September/);
		assert.equal(shown.citations.length, 1);
		await tell("clickCitation", {});
		const isOpen = () => selectionInEditor() === citation;
		await untilEditor(isOpen);
	});

	test("shows untrusted text as plain text, without links, images, headings, icons or HTML", async function () {
		await ask(`/search ${HOSTILE.join(" ")}`);
		const shown = await look("hostile");
		// A desktop VS Code has no page to look at.
		if (!shown) return this.skip();
		// The one link is ours, under the answer.
		assert.equal(shown.live.length, 1, shown.live.join("\n"));
		assert.match(shown.live[0] ?? "", /^<a [^>]*data-href="command:copilot-ld\.moreOfAnswer\?/);
		for (const text of HOSTILE) assert.ok(shown.text.includes(text), `${text} in ${shown.text}`);
	});

	test("ends when the user cancels, and keeps the text written so far", async () => {
		// Text before a tool call has certainly arrived when the model is asked again.
		model.play([{ say: "It begins" }, { call: SEARCH, input: { query: "fog" } }], [{ wait: "for cancel" }]);
		const turn = ask(QUESTION);
		await model.waiting();
		await cancelTurn();
		assert.equal((await turn).errorDetails, undefined);
		model.play([{ say: "It goes on." }]);
		await ask("And then?");
		const said = [`user: ${QUESTION}`, "assistant: It begins", "user: And then?"];
		assert.deepEqual(model.requests()[0]?.messages.slice(-3), said);
	});
});

async function citationOf(query: string): Promise<string> {
	const text = await invokeTool(SEARCH, { query, limit: 1 });
	const citation = CITATION.exec(text)?.[0];
	assert.ok(citation, text);
	return citation;
}

function selectionInEditor(): string | undefined {
	const editor = vscode.window.activeTextEditor;
	if (!editor) return undefined;
	const { start, end } = editor.selection;
	const path = vscode.workspace.asRelativePath(editor.document.uri);
	return formatCitation({ path, lines: { start: start.line + 1, end: end.line + 1 } });
}

const TOWER = "lights.html:83-96";
const ANSWER = `Gannet Rock Light stands 41 metres above high water [${TOWER}]. The tower was lit in 1816 [${TOWER}].`;

suite("the evidence under an answer", () => {
	const model = useModel();
	setup(openNewChat);

	test("names the facts that the cited lines lack, and lists each statement with a link to the cited lines", async () => {
		model.play([{ call: READ, input: { target: TOWER } }], [{ say: ANSWER }]);
		await ask("How high is Gannet Rock Light?");
		const shown = await look("evidence");
		if (shown) {
			assert.match(shown.text, /1816 is not what the cited lines say: \[lights\.html:83-96\]/);
			assert.match(shown.text, /1 of 2 statements have their figures and names in the cited lines/);
			assert.match(shown.text, /Evidence · …/);
		}
		await closeAllEditors();
		const checked = await vscode.commands.executeCommand<CheckedTurn>("copilot-ld.showEvidence");
		assertMapped(checked.statements, ({ verdict }) => verdict.kind, ["standing", "missing"]);
		await look("evidence-document");
		const document = vscode.window.activeTextEditor?.document;
		assert.ok(document);
		assert.match(document.getText(), /✗ {2}The tower was lit in 1816\.\n {4}1816 is not what/);
		const links = await provided<vscode.DocumentLink[]>("Link", document);
		await vscode.commands.executeCommand("vscode.open", links[0]?.target);
		const line = () => vscode.window.activeTextEditor?.selection.start.line;
		await untilEditor(() => line() === 82);
		await closeAllEditors();
	});
});
