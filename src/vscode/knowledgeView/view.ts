import * as vscode from "vscode";
import type { Catalog } from "../../core/knowledge/catalog.ts";
import { knowledgeFolders } from "../folders.ts";
import { createKnowledgeTree } from "./tree.ts";

interface ViewDeps {
	readonly catalog: Catalog;
	/** Fires when the index changed. */
	readonly onDidChange: vscode.Event<void>;
}

/** The view "Knowledge". Its first look starts the worker; before it, it costs nothing. */
export function registerKnowledgeView({ catalog, onDidChange }: ViewDeps): vscode.Disposable {
	const tree = createKnowledgeTree({ catalog, folders: knowledgeFolders, onDidChange });
	return vscode.window.createTreeView("copilot-ld.knowledge", {
		treeDataProvider: tree,
		showCollapseAll: true,
	});
}
