import * as vscode from "vscode";
import type { Catalog } from "../../core/knowledge/catalog.ts";
import type { KnowledgeReader } from "../../core/knowledge/knowledge.ts";
import { registerExtractedView } from "../extracted/extractedView.ts";
import { knowledgeFolders } from "../folders.ts";
import type { IndexWatch } from "../worker/indexState.ts";
import { showIndexSigns } from "./indexSigns.ts";
import { subjectOf } from "./subject.ts";
import { createKnowledgeTree, type KnowledgeNode } from "./tree.ts";

interface ViewDeps {
	readonly catalog: Catalog;
	readonly knowledge: KnowledgeReader;
	readonly onDidChange: vscode.Event<void>;
	readonly watch: IndexWatch;
}

/** The view "Knowledge". Its first look starts the worker; before it, it costs nothing. */
export function registerKnowledgeView({
	catalog,
	knowledge,
	onDidChange,
	watch,
}: ViewDeps): vscode.Disposable {
	const tree = createKnowledgeTree({ catalog, folders: knowledgeFolders, onDidChange });
	const view = vscode.window.createTreeView("copilot-ld.knowledge", {
		treeDataProvider: tree,
		showCollapseAll: true,
		canSelectMany: true,
		dragAndDropController: DRAG,
	});
	return vscode.Disposable.from(view, showIndexSigns({ watch, view }), registerExtractedView(knowledge));
}

const URI_LIST = "text/uri-list";

/** Into the chat, or an editor: the file, at the lines of a thing. */
const DRAG: vscode.TreeDragAndDropController<KnowledgeNode> = {
	dragMimeTypes: [URI_LIST],
	dropMimeTypes: [],
	handleDrag: (nodes, transfer) => {
		const uris = nodes.map((node) => {
			const { uri, range } = subjectOf(node);
			const place = range ? `L${range.start.line + 1}-${range.end.line + 1}` : "";
			return uri.with({ fragment: place }).toString();
		});
		transfer.set(URI_LIST, new vscode.DataTransferItem(uris.join("\r\n")));
	},
};
