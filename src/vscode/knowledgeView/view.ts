import * as vscode from "vscode";
import { Failure } from "../../base/failure.ts";
import { uriOfPath } from "../../base/files/paths.ts";
import type { Catalog } from "../../core/knowledge/catalog.ts";
import type { LineRange } from "../../core/knowledge/citation.ts";
import type { Hit, KnowledgeReader } from "../../core/knowledge/knowledge.ts";
import { registerExtractedView } from "../extracted/extractedView.ts";
import { knowledgeFolders, locationOf } from "../folders.ts";
import type { IndexWatch } from "../worker/readiness.ts";
import { showIndexSigns } from "./indexSigns.ts";
import { createKnowledgeTree, type KnowledgeNode } from "./tree.ts";

/** The target of a command: a file, lines of it, a folder, or a resource that a document describes. */
export interface Subject {
	readonly uri: vscode.Uri;
	readonly range?: vscode.Range;
	/** What a thing is called, and its id. */
	readonly label?: string;
	readonly iri?: string;
}

/**
 * The subject for a menu's target: in the explorer, in our view, or a hit; else the selection, or the file in the
 * active editor.
 */
export function subjectOf(target: unknown): Subject {
	if (target instanceof vscode.Uri) return selectionIn(target) ?? { uri: target };
	const pointed = subjectOfNode(target) ?? subjectOfHit(target);
	if (pointed) return pointed;
	const active = vscode.window.activeTextEditor?.document.uri;
	if (active?.scheme === "file") return selectionIn(active) ?? { uri: active };
	throw new Failure("BAD_INPUT", vscode.l10n.t("Open a file first, or select one in the Explorer."));
}

/** The URI as the index has it. */
export function fileUriOf({ uri }: Subject): string {
	return uriOfPath(uri.fsPath);
}

/** What is selected there; the menus of an editor give its file along, and so does the explorer. */
function selectionIn(uri: vscode.Uri): Subject | undefined {
	const editor = vscode.window.activeTextEditor;
	if (!editor || editor.selection.isEmpty || editor.document.uri.toString() !== uri.toString())
		return undefined;
	return { uri, range: editor.selection };
}

function subjectOfNode(target: unknown): Subject | undefined {
	if (!isNode(target)) return undefined;
	switch (target.kind) {
		case "folder":
			return { uri: vscode.Uri.parse(target.entry.uri) };
		case "document":
			return { uri: vscode.Uri.parse(target.record.uri) };
		case "class":
			return { uri: vscode.Uri.parse(target.uri), label: target.name };
		case "resource": {
			const { label, id, lines } = target.resource;
			return { uri: vscode.Uri.parse(target.uri), range: rangeOf(lines), label, iri: id };
		}
	}
}

const KINDS: readonly unknown[] = ["folder", "document", "class", "resource"];

function isNode(target: unknown): target is KnowledgeNode {
	return typeof target === "object" && target !== null && "kind" in target && KINDS.includes(target.kind);
}

function subjectOfHit(target: unknown): Subject | undefined {
	if (typeof target !== "object" || target === null || !("path" in target && "lines" in target))
		return undefined;
	const location = locationOf(target as Hit);
	return location && { uri: location.uri, range: location.range };
}

function rangeOf({ start, end }: LineRange): vscode.Range {
	return new vscode.Range(start - 1, 0, end - 1, Number.MAX_SAFE_INTEGER);
}

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
