import assert from "node:assert/strict";
import { suite, suiteSetup, test } from "mocha";
import * as vscode from "vscode";
import { look } from "./testReport.ts";
import { file, fixesAt, open, ownProblems, provided, removeAfter, untilTrue, write } from "./workbench.ts";

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

	removeAfter("wiki");

	test("a link to a missing note is faded and creates the note; an ambiguous link is fixed with a path", async () => {
		const document = await open("wiki/daily/one.md");
		await vscode.window.showTextDocument(document);
		const told = () => ownProblems(document.uri);
		await untilTrue(() => told().length > 1, vscode.languages.onDidChangeDiagnostics);
		const faded = told().map(({ range, tags }) => `${document.getText(range)} ${tags?.[0]}`);
		assert.deepEqual(faded, [`Nobody ${vscode.DiagnosticTag.Unnecessary}`, "twice undefined"]);
		await look("notes-links");
		const links = await provided<vscode.DocumentLink[]>("Link", document);
		const link = links.find(({ range }) => document.getText(range) === "Nobody");
		await vscode.commands.executeCommand("vscode.open", link?.target);
		const { activeTextEditor } = vscode.window;
		await activeTextEditor?.edit((edit) => edit.insert(new vscode.Position(0, 0), "# Nobody\n"));
		await activeTextEditor?.document.save();
		assert.match((await open("wiki/daily/Nobody.md")).getText(), /# Nobody/);
		const paths = ["a", "b"].map((folder) => `Change to wiki/${folder}/twice (wiki/${folder}/twice.md)`);
		assert.deepEqual(await fixesAt(document, "[[twice"), paths);
	});
});
