import * as vscode from "vscode";
import type { EmbeddingProgress } from "../../core/knowledge/knowledge.ts";
import { amounts, counted, numeral } from "../l10n.ts";
import { setContext } from "../registerEach.ts";
import { nothingText, progressText } from "../worker/indexReport.ts";
import type { IndexState, IndexWatch } from "../worker/readiness.ts";

export function showIndexSigns(watch: IndexWatch, view: vscode.TreeView<unknown>): vscode.Disposable {
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
