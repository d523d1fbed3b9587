import assert from "node:assert/strict";
import { suite, suiteSetup, suiteTeardown, test } from "mocha";
import * as vscode from "vscode";
import { invokeTool } from "./chat.ts";
import { look } from "./testReport.ts";
import { closeAllEditors, file, fixesAt, open, provided, untilTrue, write } from "./workbench.ts";

const QUERY = `# Which light has which attendant
SELECT ?light ?keeper {
	?light a vocab:Light ; vocab:attendant ?keeper .
	OPTIONAL { ?light schema:nam ?none }
} ORDER BY ?light
`;

suite("queries in the editor", () => {
	// The editor shows nothing before the workspace has an index.
	suiteSetup(() => invokeTool("copilot-ld_search_knowledge", { query: "Gannet Rock" }));

	suiteTeardown(closeAllEditors);

	test("a query is checked against the terms in the documents, and the rows of the result link to lines", async () => {
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

	test("an unfinished query shows the error in place, and completes keywords and variables", async () => {
		await write("draft.rq", "# Lights\nSELECT ?light {\n\t?light a ");
		const document = await open("draft.rq");
		const problems = () => vscode.languages.getDiagnostics(document.uri);
		await untilTrue(() => problems().length > 0, vscode.languages.onDidChangeDiagnostics);
		const [problem] = problems();
		assert.equal(problem?.severity, vscode.DiagnosticSeverity.Error);
		assert.equal(problem?.range.end.line, 2, problem?.message);
		assert.match(problem?.message ?? "", /3:\d+/);
		const edit = new vscode.WorkspaceEdit();
		edit.insert(document.uri, document.lineAt(2).range.end, "vocab:Light }\nORDE ?l");
		await vscode.workspace.applyEdit(edit);
		const labels = async (words: string) => {
			const at = document.positionAt(document.getText().indexOf(words) + words.length);
			const { items } = await provided<vscode.CompletionList>("CompletionItem", document, at);
			return items.map(({ label }) => (typeof label === "string" ? label : label.label));
		};
		assert.ok((await labels("ORDE")).includes("ORDER"));
		assert.ok((await labels("ORDE ?l")).includes("?light"));
		await vscode.workspace.fs.delete(file("draft.rq"));
	});

	test("formatting keeps comments and sorts prefixes", async () => {
		await write("data/odd.ttl", "@prefix b: <urn:b:>.\n@prefix a: <urn:a:> . # first\na:x b:y 1;b:z 2.");
		const document = await open("data/odd.ttl");
		const options = { insertSpaces: true, tabSize: 2 };
		const edits = await provided<vscode.TextEdit[]>("FormatDocument", document, options);
		const edit = new vscode.WorkspaceEdit();
		edit.set(document.uri, edits);
		await vscode.workspace.applyEdit(edit);
		const formatted = "@prefix a: <urn:a:> . # first\n@prefix b: <urn:b:> .\na:x b:y 1 ;\n  b:z 2 .\n";
		assert.equal(document.getText(), formatted);
		await document.save();
		await vscode.workspace.fs.delete(file("data/odd.ttl"));
	});
});
