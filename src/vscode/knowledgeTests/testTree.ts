import * as vscode from "vscode";
import type { KnowledgeTest } from "../../core/knowledge/knowledgeTest.ts";
import { readTestFile } from "../../knowledgeTests/testFile.ts";

/** Bytes; nobody writes so many questions. */
const LARGEST = 1_000_000;

const tests = new WeakMap<vscode.TestItem, KnowledgeTest>();

/** The test that an item stands for; a file's item stands for none. */
export function testOf(item: vscode.TestItem): KnowledgeTest | undefined {
	return tests.get(item);
}

/** Fills the controller with the tests of all folders, an item for each file. */
export async function readTests(controller: vscode.TestController, glob: string): Promise<void> {
	const uris = await vscode.workspace.findFiles(glob, null);
	const items = await Promise.all(uris.map((uri) => fileItem(controller, uri)));
	controller.items.replace(items);
}

async function fileItem(controller: vscode.TestController, uri: vscode.Uri): Promise<vscode.TestItem> {
	const item = controller.createTestItem(uri.toString(), vscode.workspace.asRelativePath(uri), uri);
	const { tests: read, mistakes } = await readFile(uri);
	item.children.replace(read.map((test) => testItem(controller, uri, test)));
	if (mistakes.length > 0) {
		const told = mistakes.map(({ line, message }) => `Line ${line}: ${message}`);
		item.error = told.join("\n");
	}
	return item;
}

async function readFile(uri: vscode.Uri) {
	const { size } = await vscode.workspace.fs.stat(uri);
	if (size > LARGEST)
		return { tests: [], mistakes: [{ line: 1, message: "The file is larger than a megabyte." }] };
	return readTestFile(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
}

function testItem(controller: vscode.TestController, uri: vscode.Uri, test: KnowledgeTest): vscode.TestItem {
	const item = controller.createTestItem(`${uri}#${test.name}`, test.name, uri);
	item.range = new vscode.Range(test.line - 1, 0, test.line - 1, 0);
	tests.set(item, test);
	return item;
}
