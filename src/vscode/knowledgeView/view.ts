import { setTimeout as pause } from "node:timers/promises";
import * as vscode from "vscode";
import type { DocumentProblems } from "../../core/knowledge/catalog.ts";
import { registerExtractedView } from "../extracted/extractedView.ts";
import { knowledgeFolders } from "../folders.ts";
import { watched } from "../registerEach.ts";
import { setting } from "../settings.ts";
import { toDiagnostic, treeOf } from "../treeLines.ts";
import type { EditorServices } from "../worker/readiness.ts";
import { showIndexSigns } from "./indexSigns.ts";
import { subjectOf } from "./subject.ts";
import { type KnowledgeNode, rootsOf } from "./tree.ts";

/** Milliseconds between refreshes while the index is built. Reading the overview of a large index takes a second. */
const PAUSE = 3000;

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

/** Milliseconds without a change before shapes are checked. On a large graph, a check takes seconds. */
const REST_MS = 1000;

/** Shows unreadable files in the Problems view and, if enabled, broken links and violated shapes. */
function registerDiagnostics({ worker, log }: EditorServices): vscode.Disposable {
	const { catalog, things, onDidChangeIndex } = worker;
	const collection = vscode.languages.createDiagnosticCollection("copilot-ld");
	const shapes = vscode.languages.createDiagnosticCollection("copilot-ld.shapes");
	let refresh = new AbortController();
	const show = (into: vscode.DiagnosticCollection, found: readonly DocumentProblems[]) => {
		into.clear();
		for (const { uri, problems } of found) into.set(vscode.Uri.parse(uri), problems.map(toDiagnostic));
	};
	const update = async () => {
		refresh.abort();
		refresh = new AbortController();
		const { signal } = refresh;
		const isAll = setting("diagnostics.enabled");
		const found = await catalog.problems(isAll ? "links" : "files", signal);
		if (signal.aborted) return;
		show(collection, found);
		if (!isAll) return shapes.clear();
		await pause(REST_MS, undefined, { signal });
		const wrong = await things.checkShapes({ channel: "chat" }, signal);
		if (!signal.aborted) show(shapes, wrong);
	};
	const safely = () => void update().catch((thrown: unknown) => log.debug(`Problems: ${thrown}`));

	return vscode.Disposable.from(
		collection,
		shapes,
		watched("**/.copilot-ld/*", safely),
		onDidChangeIndex(safely),
		vscode.workspace.onDidChangeConfiguration((change) => {
			if (change.affectsConfiguration("copilot-LD.diagnostics")) safely();
		}),
		{ dispose: () => refresh.abort() },
	);
}
