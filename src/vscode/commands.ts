import * as vscode from "vscode";
import { messageOf } from "../core/failure.ts";
import type { Knowledge } from "../core/knowledge.ts";
import { isCancellation, signalOf } from "./cancellation.ts";
import { progressText, reportText, statusDocument } from "./indexReport.ts";
import type { Readiness } from "./readiness.ts";
import type { VirtualDocuments } from "./virtualDocuments.ts";

export interface CommandDeps {
	readonly knowledge: Knowledge;
	readonly readiness: Readiness;
	readonly documents: VirtualDocuments;
	readonly log: vscode.LogOutputChannel;
}

/** Every command of ours; the manifest names the same ones. */
export function registerCommands(deps: CommandDeps): vscode.Disposable {
	const commands: Record<string, () => unknown> = {
		"copilot-ld.indexWorkspace": () => indexWithProgress(deps, { rebuild: false }),
		"copilot-ld.rebuildIndex": () => indexWithProgress(deps, { rebuild: true }),
		"copilot-ld.showIndexStatus": () => showStatus(deps),
		"copilot-ld.showLog": () => deps.log.show(),
	};
	return vscode.Disposable.from(
		...Object.entries(commands).map(([id, run]) =>
			vscode.commands.registerCommand(id, () => reportingFailure(deps.log, run)),
		),
	);
}

/** The edge of every command: a person is told what went wrong, and a cancelled command just ends. */
async function reportingFailure(log: vscode.LogOutputChannel, run: () => unknown): Promise<unknown> {
	try {
		return await run();
	} catch (thrown) {
		if (isCancellation(thrown)) return undefined;
		log.error(thrown instanceof Error ? thrown : String(thrown));
		const choice = await vscode.window.showErrorMessage(messageOf(thrown), SHOW_LOG);
		if (choice === SHOW_LOG) log.show();
		return undefined;
	}
}

const SHOW_LOG = "Show Log";

async function indexWithProgress({ readiness }: CommandDeps, options: { rebuild: boolean }) {
	const title = options.rebuild ? "Copilot-LD: rebuilding the index" : "Copilot-LD: indexing";
	const report = await vscode.window.withProgress(
		{ location: vscode.ProgressLocation.Notification, title, cancellable: true },
		(progress, token) => {
			let shown = 0;
			return readiness.index(
				options,
				(at) => {
					const percent = at.total === 0 ? 0 : (100 * at.done) / at.total;
					progress.report({ message: progressText(at), increment: percent - shown });
					shown = percent;
				},
				signalOf(token),
			);
		},
	);
	void vscode.window.showInformationMessage(`Copilot-LD: ${reportText(report)}`);
	return report;
}

async function showStatus({ knowledge, documents }: CommandDeps) {
	const status = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window }, (_, token) =>
		knowledge.status(signalOf(token)),
	);
	await documents.show("Index Status.md", statusDocument(status));
	return status;
}
