import assert from "node:assert/strict";
import { suite, suiteSetup, suiteTeardown, test } from "mocha";
import * as vscode from "vscode";
import { sendReport } from "../../scripts/vscode/report.ts";
import { file, open, positionOf, write } from "./files.ts";
import type { TestReport } from "./testReport.ts";
import { untilTrue } from "./untilTrue.ts";

const NOTES = {
	"wiki/pets/dog.md": "---\naliases: [Doggo]\n---\n# The Dog\n\nBarks. ^bark\n\n## Food\n\nSee [[#Food]].\n",
	"wiki/daily/one.md": "[[Doggo]] and ![[dog#Food|it]], [[dog#^bark]], [[Nobody]], [[twice]] #pets/dogs\n",
	"wiki/daily/two.md": "Not linked: the dog. [x](../pets/dog.md#food)\n",
	"wiki/a/twice.md": "# Twice\n",
	"wiki/b/twice.md": "# Twice\n",
};

suite("notes", () => {
	suiteSetup(async () => {
		for (const [path, text] of Object.entries(NOTES)) await write(path, text);
		for (const path of Object.keys(NOTES))
			await vscode.commands.executeCommand("copilot-ld.reindexFile", file(path));
	});

	suiteTeardown(async () => {
		await vscode.commands.executeCommand("workbench.action.closeAllEditors");
		await vscode.workspace.fs.delete(file("wiki"), { recursive: true });
	});

	test("a link leads to the heading or the block in its note", async () => {
		const document = await open("wiki/daily/one.md");
		for (const [words, line] of [
			["[[Doggo", 0],
			["#Food", 7],
			["^bark", 5],
		] as const) {
			const links = await at<vscode.LocationLink[]>("vscode.executeDefinitionProvider", document, words);
			const own = links.filter(({ targetUri }) => targetUri.path.endsWith("/pets/dog.md"));
			assert.deepEqual([...new Set(own.map(({ targetRange }) => targetRange.start.line))], [line], words);
		}
	});

	test("the references are all links to the note, or to its heading", async () => {
		const document = await open("wiki/daily/one.md");
		const ofNote = await referencesOf(document, "[[Doggo");
		assert.deepEqual(ofNote.slice(0, 4), ["../pets/dog.md", "Doggo", "dog", "dog"]);
		assert.deepEqual(await referencesOf(document, "#Food"), ["Food", "Food", "Food", "food"]);
		assert.equal((await referencesOf(document, "#pets/dogs"))[0], "pets/dogs");
		const hovers = await at<vscode.Hover[]>("vscode.executeHoverProvider", document, "[[Doggo");
		const text = hovers.flatMap(({ contents }) =>
			contents.map((part) => (part as vscode.MarkdownString).value),
		);
		assert.match(text.join("\n"), /\*\*The Dog\*\*[\s\S]*Named without a link in \[wiki\/daily\/two/);
	});

	test("a heading, and a note named by a link, are renamed in all links", async () => {
		const document = await open("wiki/pets/dog.md");
		assert.deepEqual(await renamed(document, "## Food", "Meals & more"), {
			"wiki/daily/one.md": ["Meals & more"],
			"wiki/daily/two.md": ["meals--more"],
			"wiki/pets/dog.md": ["Meals & more", "Meals & more"],
		});
		const one = await open("wiki/daily/one.md");
		assert.deepEqual(await renamed(one, "![[dog", "hound"), {
			"wiki/daily/one.md": ["hound", "hound"],
			"wiki/daily/two.md": ["../pets/hound.md"],
		});
	});

	test("a missing note is faded and is created by its link; one of several is named by its path", async () => {
		const document = await open("wiki/daily/one.md");
		await vscode.window.showTextDocument(document);
		const told = () =>
			vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === "Copilot-LD");
		await untilTrue(() => told().length > 1, vscode.languages.onDidChangeDiagnostics);
		assert.deepEqual(
			told().map(({ range, tags }) => [document.getText(range), tags?.[0]]),
			[
				["Nobody", vscode.DiagnosticTag.Unnecessary],
				["twice", undefined],
			],
		);
		await sendReport<TestReport>({ kind: "look", picture: "notes-links" });
		const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
			"vscode.executeLinkProvider",
			document.uri,
		);
		const link = links.find(({ range }) => document.getText(range) === "Nobody");
		await vscode.commands.executeCommand("vscode.open", link?.target);
		const { activeTextEditor } = vscode.window;
		await activeTextEditor?.edit((edit) => edit.insert(new vscode.Position(0, 0), "# Nobody\n"));
		await activeTextEditor?.document.save();
		assert.match((await open("wiki/daily/Nobody.md")).getText(), /# Nobody/);
		const range = new vscode.Range(positionOf(document, "[[twice"), positionOf(document, "[[twice"));
		const fixes = await vscode.commands.executeCommand<vscode.CodeAction[]>(
			"vscode.executeCodeActionProvider",
			document.uri,
			range,
		);
		const titles = fixes.map(({ title }) => title).filter((title) => title.startsWith("Change to"));
		assert.deepEqual(titles, [
			"Change to wiki/a/twice (wiki/a/twice.md)",
			"Change to wiki/b/twice (wiki/b/twice.md)",
		]);
	});

	test("another name is completed beside the name of the note, and a tag with those below it", async () => {
		const document = await open("wiki/daily/two.md");
		const editor = await vscode.window.showTextDocument(document);
		for (const [typed, completed] of [
			["[[dogg", "dog|Doggo]]"],
			["#pet", "pets/dogs"],
		] as const) {
			await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), `${typed} `));
			const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
				"vscode.executeCompletionItemProvider",
				document.uri,
				new vscode.Position(0, typed.length),
			);
			const texts = items.map(({ insertText }) => insertText);
			assert.ok(texts.includes(completed), texts.join());
			await vscode.commands.executeCommand("undo");
		}
	});
});

async function at<Answer>(command: string, document: vscode.TextDocument, words: string): Promise<Answer> {
	return vscode.commands.executeCommand<Answer>(command, document.uri, positionOf(document, words));
}

async function referencesOf(document: vscode.TextDocument, words: string): Promise<string[]> {
	const found = await at<vscode.Location[]>("vscode.executeReferenceProvider", document, words);
	const texts = found.map(async ({ uri, range }) =>
		(await vscode.workspace.openTextDocument(uri)).getText(range),
	);
	// What describes it takes several lines; VS Code's own references are whole links.
	return (await Promise.all(texts)).filter((text) => !/[\n|]/.test(text)).sort();
}

/** The new texts by path, and where the file goes. */
async function renamed(document: vscode.TextDocument, words: string, name: string) {
	const edit = await vscode.commands.executeCommand<vscode.WorkspaceEdit>(
		"vscode.executeDocumentRenameProvider",
		document.uri,
		positionOf(document, words),
		name,
	);
	const texts = edit
		.entries()
		.map(([uri, edits]) => [vscode.workspace.asRelativePath(uri), edits.map(({ newText }) => newText)]);
	return Object.fromEntries(texts);
}
