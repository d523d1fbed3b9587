import assert from "node:assert/strict";
import { suite, suiteSetup, suiteTeardown, test } from "mocha";
import * as vscode from "vscode";
import { invokeTool } from "./chat.ts";
import { file, fixesAt, open, provided, write } from "./files.ts";
import { look } from "./look.ts";
import { untilTrue } from "./untilTrue.ts";

const QUERY = `# Which light has which attendant
SELECT ?light ?keeper {
	?light a vocab:Light ; vocab:attendant ?keeper .
	OPTIONAL { ?light schema:nam ?none }
} ORDER BY ?light
`;

suite("queries in the editor", () => {
	// Nothing is shown in a workspace that has no index yet.
	suiteSetup(() => invokeTool("copilot-ld_search_knowledge", { query: "Gannet Rock" }));

	suiteTeardown(() => vscode.commands.executeCommand("workbench.action.closeAllEditors"));

	test("a query is checked against what the documents use, and its rows lead to their lines", async () => {
		await write("lights.rq", QUERY);
		const document = await open("lights.rq");
		const isChecked = () => vscode.languages.getDiagnostics(document.uri).length > 0;
		await untilTrue(isChecked, vscode.languages.onDidChangeDiagnostics);
		const [problem] = vscode.languages.getDiagnostics(document.uri);
		assert.match(problem?.message ?? "", /No document uses <https:\/\/schema\.org\/nam>/);
		assert.equal(problem && document.getText(problem.range), "schema:nam");
		assert.ok((await fixesAt(document, "schema:nam")).includes("Change to schema:name (name)"));
		await vscode.window.showTextDocument(document);
		await vscode.commands.executeCommand("copilot-ld.runQuery");
		const result = vscode.workspace.textDocuments.find(({ fileName }) => fileName.includes("Query Result"));
		assert.match(result?.getText() ?? "", /^5 rows, all there are\.\n\nlight\s+keeper\n/);
		assert.match(result?.getText() ?? "", /^Gannet Rock Light +Ida Fenwick/m);
		assert.ok(result);
		const links = await provided<vscode.DocumentLink[]>("Link", result);
		const paths = links.map(({ target }) => `${target?.path}#${target?.fragment}`);
		assert.match(paths.join("\n"), /\/lights\.html#L\d+-\d+$/m);
		await look("names-query");
		await vscode.commands.executeCommand("copilot-ld.openResult", "csv");
		const csv = vscode.window.activeTextEditor?.document.getText() ?? "";
		assert.match(csv, /^light,keeper\nhttps:\S+,https:\S+\n/);
		await vscode.workspace.fs.delete(file("lights.rq"));
	});
});
