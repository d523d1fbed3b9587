import * as vscode from "vscode";
import { registerExtractedView } from "../extracted/extractedView.ts";
import { knowledgeFolders } from "../folders.ts";
import { treeOf } from "../treeLines.ts";
import type { EditorServices } from "../worker/readiness.ts";
import { registerDiagnostics } from "./diagnostics.ts";
import { showIndexSigns } from "./indexSigns.ts";
import { rootsOf } from "./overview.ts";
import { subjectOf } from "./subject.ts";
import type { KnowledgeNode } from "./tree.ts";

/** Milliseconds between two looks at an index that is being built: the overview takes a second of a large one. */
const PAUSE = 3000;

/** The view "Knowledge". Its first look starts the worker; before it, it costs nothing. */
export function registerKnowledgeView(services: EditorServices): vscode.Disposable {
	const { worker, knowledge, watch } = services;
	const changed = new vscode.EventEmitter<void>();
	let waiting: NodeJS.Timeout | undefined;
	const refresh = () => {
		waiting = undefined;
		changed.fire();
	};
	const update = () => {
		waiting ??= setTimeout(refresh, watch.current.progress ? PAUSE : 0);
	};
	const view = vscode.window.createTreeView("copilot-ld.knowledge", {
		treeDataProvider: treeOf(() => rootsOf(worker, knowledgeFolders()), changed.event),
		showCollapseAll: true,
		canSelectMany: true,
		dragAndDropController: DRAG,
	});
	return vscode.Disposable.from(
		view,
		changed,
		worker.onDidChangeIndex(update),
		showIndexSigns(watch, view),
		registerExtractedView(knowledge),
		registerDiagnostics(services),
		{ dispose: () => clearTimeout(waiting) },
	);
}

const URI_LIST = "text/uri-list";

/** Into the chat, or an editor: the file, at the lines of a thing. */
const DRAG: vscode.TreeDragAndDropController<KnowledgeNode> = {
	dragMimeTypes: [URI_LIST],
	dropMimeTypes: [],
	handleDrag: (nodes, transfer) => {
		const subjects = nodes.filter(({ subject }) => subject).map(subjectOf);
		const uris = subjects.map(({ uri, range }) => {
			const place = range ? `L${range.start.line + 1}-${range.end.line + 1}` : "";
			return uri.with({ fragment: place }).toString();
		});
		transfer.set(URI_LIST, new vscode.DataTransferItem(uris.join("\r\n")));
	},
};
