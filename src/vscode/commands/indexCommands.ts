import * as vscode from "vscode";
import { createMutex } from "../../base/jobs/mutex.ts";
import type { IndexProgress, IndexReport, Knowledge } from "../../core/knowledge/knowledge.ts";
import { isCancellation, signalOf } from "../cancellation.ts";
import { showIndexActions } from "../knowledgeView/indexSigns.ts";
import { keptElsewhereText, progressText, reportText, stoppedText } from "../worker/indexReport.ts";
import type { IndexWatch } from "../worker/indexState.ts";
import type { FolderReadiness } from "../worker/readiness.ts";
import { type ClearDeps, clearData } from "./clearData.ts";

interface IndexDeps extends ClearDeps {
	readonly knowledge: Knowledge;
	readonly readiness: FolderReadiness;
	readonly watch: IndexWatch;
}

export function indexCommands(deps: IndexDeps): Record<string, () => Promise<unknown>> {
	// Two notifications would tell of one index.
	const runs = createMutex();
	return {
		"copilot-ld.indexWorkspace": () => runs.run(() => indexUnlessKept(deps)),
		"copilot-ld.rebuildIndex": () => runs.run(() => indexWithProgress(deps, { rebuild: true })),
		"copilot-ld.clearData": () => clearData(deps),
		"copilot-ld.showIndexActions": () => showIndexActions(deps.watch),
	};
}

/** Nothing is wrong where another program does it. */
async function indexUnlessKept(deps: IndexDeps): Promise<IndexReport | undefined> {
	try {
		return await indexWithProgress(deps, { rebuild: false });
	} catch (thrown) {
		const text = await keptElsewhereText(thrown, deps.knowledge);
		void vscode.window.showInformationMessage(`Copilot-LD: ${text}`);
		return undefined;
	}
}

async function indexWithProgress(
	{ readiness }: Pick<IndexDeps, "readiness">,
	options: { readonly rebuild: boolean },
): Promise<IndexReport> {
	const title = options.rebuild
		? vscode.l10n.t("Copilot-LD: rebuilding the index")
		: vscode.l10n.t("Copilot-LD: indexing");
	let last: IndexProgress | undefined;
	try {
		const report = await vscode.window.withProgress(
			{ location: vscode.ProgressLocation.Notification, title, cancellable: true },
			(progress, token) => {
				const tell = tellerOf(progress);
				progress.report({ message: progressText() });
				return readiness.index(
					options,
					(at) => {
						last = at;
						tell(at);
					},
					signalOf(token),
				);
			},
		);
		void vscode.window.showInformationMessage(`Copilot-LD: ${reportText(report)}`);
		return report;
	} catch (thrown) {
		const then = options.rebuild
			? vscode.l10n.t("The previous index is still in use.")
			: vscode.l10n.t("Index again to continue.");
		if (isCancellation(thrown))
			void vscode.window.showInformationMessage(`Copilot-LD: ${stoppedText(last, then)}`);
		throw thrown;
	}
}

function tellerOf(progress: vscode.Progress<{ message?: string; increment?: number }>) {
	let shown = 0;
	return (at: IndexProgress) => {
		const percent = at.total === 0 ? 0 : (100 * at.done) / at.total;
		progress.report({ message: progressText(at), increment: percent - shown });
		shown = percent;
	};
}
