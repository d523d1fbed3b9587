import { setTimeout as pause } from "node:timers/promises";
import * as vscode from "vscode";
import type { DocumentProblems } from "../../core/knowledge/catalog.ts";
import type { EmbeddingProgress } from "../../core/knowledge/knowledge.ts";
import { registerExtractedView } from "../extracted/extractedView.ts";
import { knowledgeFolders } from "../folders.ts";
import { amounts, counted, numeral } from "../l10n.ts";
import { setContext, watched } from "../registerEach.ts";
import { setting } from "../settings.ts";
import { toDiagnostic, treeOf } from "../treeLines.ts";
import { nothingText, progressText } from "../worker/indexReport.ts";
import type { EditorServices, IndexState, IndexWatch } from "../worker/readiness.ts";
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

function showIndexSigns(watch: IndexWatch, view: vscode.TreeView<unknown>): vscode.Disposable {
	const item = vscode.window.createStatusBarItem("copilot-ld.index", vscode.StatusBarAlignment.Right, 90);
	item.name = vscode.l10n.t("Copilot-LD Index");
	item.command = "copilot-ld.showIndexActions";
	let endBar: (() => void) | undefined;
	const showBar = (isRunning: boolean) => {
		if (isRunning && endBar) return;
		endBar?.();
		const { promise, resolve } = Promise.withResolvers<void>();
		endBar = isRunning ? resolve : undefined;
		if (isRunning)
			void vscode.window.withProgress({ location: { viewId: "copilot-ld.knowledge" } }, () => promise);
	};
	const show = (state: IndexState) => {
		const { text, tooltip } = signOf(state);
		item.text = text;
		item.tooltip = tooltip;
		item.accessibilityInformation = { label: `Copilot-LD: ${tooltip}` };
		item.show();
		showBar(state.progress !== undefined);
		const troubles = troublesOf(state);
		view.badge = troubles > 0 ? { value: troubles, tooltip: troublesText(troubles) } : undefined;
		setContext("index", stateName(state));
		setContext("paused", state.isPaused);
		setContext("indexing", state.progress !== undefined);
	};
	show(watch.current);
	return vscode.Disposable.from(item, { dispose: () => endBar?.() }, watch.onDidChange(show));
}

export function signOf(state: IndexState): { readonly text: string; readonly tooltip: string } {
	const { progress, isPaused, contents } = state;
	const troubles = troublesOf(state);
	if (isPaused) return { text: "$(debug-pause) Copilot-LD", tooltip: vscode.l10n.t("Indexing is paused") };
	if (progress) {
		const share = progress.total > 0 ? ` ${Math.floor((100 * progress.done) / progress.total)}%` : "";
		return { text: `$(sync~spin) Copilot-LD${share}`, tooltip: progressText(progress) };
	}
	if (!contents)
		return { text: "$(database) Copilot-LD", tooltip: vscode.l10n.t("The index has not been checked yet") };
	if (contents.documents === 0) return { text: "$(info) Copilot-LD", tooltip: nothingText(contents) };
	const holds = `${amounts.files(contents.documents)}, ${amounts.passages(contents.passages)}`;
	const sign = `$(warning) Copilot-LD ${numeral(troubles)}`;
	if (troubles > 0) return { text: sign, tooltip: `${holds}; ${troublesText(troubles)}` };
	if (contents.embedding) return embeddingSign(contents.embedding);
	return { text: "$(check) Copilot-LD", tooltip: vscode.l10n.t("The index is up to date: {0}", holds) };
}

/** Shows the progress of embedding. Until all vectors are made, the old vectors are searched. */
function embeddingSign({ done, total, leftMs }: EmbeddingProgress) {
	const made = vscode.l10n.t("Vectors: {0} of {1}", numeral(done), amounts.passages(total));
	const minutes = leftMs === undefined ? undefined : Math.max(1, Math.round(leftMs / 60_000));
	const tooltip = minutes === undefined ? made : vscode.l10n.t("{0}, about {1} min left", made, minutes);
	return { text: `$(sync) Copilot-LD ${Math.floor((100 * done) / Math.max(1, total))}%`, tooltip };
}

const troublesText = counted(vscode.l10n.t("1 file with problems"), vscode.l10n.t("{0} files with problems"));

export function troublesOf({ contents }: IndexState): number {
	return contents ? contents.failed.length + contents.flawed : 0;
}

function stateName({ contents }: IndexState): string {
	if (!contents) return "unknown";
	return contents.documents === 0 ? "empty" : "ready";
}
