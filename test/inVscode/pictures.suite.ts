import { suite, suiteSetup, suiteTeardown, test } from "mocha";
import * as vscode from "vscode";
import { ask, invokeTool, openNewChat } from "./chat.ts";
import { file, positionOf, write } from "./files.ts";
import { chooseTheme, look, THEME_NAMES } from "./look.ts";
import { tell } from "./testReport.ts";

const GANNET = "https://merrow.example/id/light/gannet-rock";
const NOTE = `@prefix light: <https://merrow.example/id/light/> .
@prefix schema: <https://schema.org/> .
light:draft schema:about light:gannet-rock .

`;
const QUERY = `# Which light has which attendant
PREFIX vocab: <https://merrow.example/vocab#>
SELECT ?light ?keeper {
	?light a vocab:Light ; vocab:attendant ?keeper .
} ORDER BY ?light
`;

const run = (name: string, ...args: unknown[]) => vscode.commands.executeCommand(name, ...args);

/** Run by its name only: what docs/graph.md shows is cut from these pictures. */
suite("pictures of the graph", () => {
	suiteSetup(async () => {
		await vscode.workspace.getConfiguration("files").update("autoSave", "off", true);
		await invokeTool("copilot-ld_search_knowledge", { query: "Gannet Rock" });
		await write("data/draft.ttl", NOTE);
		await write("lights.rq", QUERY);
	});

	suiteTeardown(async () => {
		for (const path of ["data/draft.ttl", "lights.rq"]) await vscode.workspace.fs.delete(file(path));
	});

	for (const name of THEME_NAMES)
		test(`in ${name}`, async () => {
			await chooseTheme(name);
			await run("workbench.action.closeAuxiliaryBar");
			await run("workbench.action.closeSidebar");
			await lookAtWriting(name);
			await lookAtRename(name);
			await lookAtQuery(name);
			await lookAtGraph(name);
		}).timeout(180_000);
});

async function lookAtWriting(name: string): Promise<void> {
	const editor = await openDraft();
	const at = positionOf(editor.document, "light:gannet-rock");
	editor.selection = new vscode.Selection(at, at);
	await run("editor.action.showHover", { focus: "autoFocusImmediately" });
	await shown("Gannet Rock Light", ".monaco-hover");
	await look(`hover-${name}`);
	await press(["Escape"], ".view-lines");
	await run("editor.action.referenceSearch.trigger");
	await shown("long-sea", ".reference-zone-widget");
	await look(`references-${name}`);
	await run("closeReferenceSearch");
	const { document } = editor;
	const end = document.lineAt(document.lineCount - 1).range.end;
	await editor.edit((edit) => edit.insert(end, "light:s"));
	editor.selection = new vscode.Selection(end.translate(0, 7), end.translate(0, 7));
	await run("editor.action.triggerSuggest");
	await shown("Skerra", ".suggest-widget");
	await look(`completion-${name}`);
	await run("hideSuggestWidget");
	await run("workbench.action.files.revert");
}

async function lookAtRename(name: string): Promise<void> {
	const editor = await openDraft();
	const at = positionOf(editor.document, "light:gannet-rock");
	editor.selection = new vscode.Selection(at, at);
	const renamed = run("editor.action.rename");
	await tell("press", { keys: [], has: ["textbox: Rename"] });
	await press(["Control+A", "text:light:gannet", "Enter"], ".bulk-edit-panel", "lights.html");
	await look(`rename-${name}`);
	await run("refactorPreview.discard");
	await renamed;
	await run("workbench.action.closePanel");
}

async function lookAtQuery(name: string): Promise<void> {
	await run("workbench.action.closeAllEditors");
	await vscode.window.showTextDocument(file("lights.rq"));
	await run("copilot-ld.runQuery");
	await shown("Fenwick", ".view-lines");
	await look(`query-${name}`);
	await run("workbench.action.closeAllEditors");
}

async function lookAtGraph(name: string): Promise<void> {
	await openDraft();
	await run("copilot-ld.showGraph", GANNET);
	await shown("Open Lines", ".details");
	await look(`graph-${name}`);
	await run("workbench.action.closeAllEditors");
	await openNewChat();
	await ask("/quote Who attends Gannet Rock Light?");
	await tell("clickCitation", { link: "…" });
	await tell("pickFirst", { typed: "Graph", placeholder: "More about" });
	await shown("Open Lines", ".details");
	await look(`answer-${name}`);
	await run("workbench.action.closeAllEditors");
}

function openDraft(): Thenable<vscode.TextEditor> {
	return vscode.window.showTextDocument(file("data/draft.ttl"));
}

function shown(words: string, where: string): Promise<unknown> {
	return press([], where, words);
}

function press(keys: readonly string[], where: string, shows = ""): Promise<unknown> {
	return tell("press", { keys, shows, where });
}
