import * as vscode from "vscode";
import type { KnowledgeTest } from "../../core/knowledge/knowledgeTest.ts";
import { readTestFile } from "../../knowledgeTests/testFile.ts";
import { translated } from "../reported.ts";

/** Bytes; nobody writes so many questions. */
const LARGEST = 1_000_000;

/** The tests of all folders as items of a controller, an item for each file. */
export interface TestTree {
	/** Reads the files again. */
	read(): Promise<void>;
	/** The test that an item stands for; a file's item stands for none. */
	testOf(item: vscode.TestItem): KnowledgeTest | undefined;
}

export function createTestTree(controller: vscode.TestController, glob: string): TestTree {
	const tests = new WeakMap<vscode.TestItem, KnowledgeTest>();
	const itemFor = (uri: vscode.Uri) => (test: KnowledgeTest) => {
		const item = controller.createTestItem(`${uri}#${test.name}`, test.name, uri);
		item.range = new vscode.Range(test.line - 1, 0, test.line - 1, 0);
		tests.set(item, test);
		return item;
	};
	const fileItem = async (uri: vscode.Uri) => {
		const item = controller.createTestItem(uri.toString(), vscode.workspace.asRelativePath(uri), uri);
		const { tests: read, mistakes } = await readFile(uri);
		item.children.replace(read.map(itemFor(uri)));
		if (mistakes.length > 0)
			item.error = mistakes
				.map(({ line, message }) => vscode.l10n.t("Line {0}: {1}", line, translated(message)))
				.join("\n");
		return item;
	};
	return {
		read: async () => {
			const uris = await vscode.workspace.findFiles(glob, null);
			controller.items.replace(await Promise.all(uris.map(fileItem)));
		},
		testOf: (item) => tests.get(item),
	};
}

async function readFile(uri: vscode.Uri) {
	const { size } = await vscode.workspace.fs.stat(uri);
	if (size > LARGEST)
		return {
			tests: [],
			mistakes: [{ line: 1, message: vscode.l10n.t("The file is larger than a megabyte.") }],
		};
	return readTestFile(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
}
