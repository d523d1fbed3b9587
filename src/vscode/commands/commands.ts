import { existsSync } from "node:fs";
import { basename } from "node:path";
import * as vscode from "vscode";
import { uriOfPath } from "../../base/files/paths.ts";
import { createMutex } from "../../base/jobs/mutex.ts";
import { inStatusBar } from "../cancellation.ts";
import { forgetFact } from "../chat/sessionChat.ts";
import { binCommands, type ResumeDeps, resumeCliSession, resumeSession } from "../chat/sessionCommands.ts";
import type { FirstUses } from "../firstUses.ts";
import { agreeToGitHub } from "../identity.ts";
import { nodeCommands, showSearch } from "../knowledgeView/nodeCommands.ts";
import { subjectOf } from "../knowledgeView/subject.ts";
import { translated } from "../l10n.ts";
import { copyMcpConfiguration } from "../mcp/launch.ts";
import { beginChat } from "../models/passagesModel.ts";
import type { ModelProvider } from "../models/provider.ts";
import { registerEach, requireTrust } from "../registerEach.ts";
import { setEmbeddingKey, setStorageCredentials } from "../secrets.ts";
import type { uniteSessions } from "../sessionsView/link.ts";
import { keptElsewhereText, progressText, statusDocument } from "../worker/indexReport.ts";
import type { FolderReadiness } from "../worker/readiness.ts";
import { menuCommands } from "./actionMenus.ts";
import { type ClearDeps, clearData } from "./clearData.ts";
import type { ReportDeps } from "./reportProblem.ts";

interface CommandDeps extends ReportDeps, ClearDeps {
	readonly allSessions: ReturnType<typeof uniteSessions>;
	readonly cli: ResumeDeps["cli"];
	readonly models: ModelProvider;
	readonly uses: FirstUses;
}

/** The commands except those of views, which register their own; the manifest names them all. */
export function registerCommands(deps: CommandDeps): vscode.Disposable {
	const { sessions } = deps.allSessions;
	const { secrets } = deps.context;
	const commands: Record<string, (target?: unknown, at?: unknown) => unknown> = {
		...indexCommands(deps),
		...menuCommands(deps.watch),
		"copilot-ld.describeDocuments": () => describeDocuments(deps),
		"copilot-ld.publishGraph": () => publishGraph(deps),
		"copilot-ld.showIndexStatus": () => showStatus(deps),
		"copilot-ld.search": () => showSearch(deps.knowledge),
		"copilot-ld.pauseIndexing": () => pause(deps, true),
		"copilot-ld.resumeIndexing": () => pause(deps, false),
		"copilot-ld.showLog": () => deps.log.show(),
		"copilot-ld.explainFile": (target) => explainFile(deps, target),
		"copilot-ld.copyMcpConfiguration": () => copyMcpConfiguration(deps.context),
		"copilot-ld.reindexFile": (target) => reindexFile(deps, target),
		"copilot-ld.resumeCliSession": () => resumeCliSession(deps.cli),
		"copilot-ld.resumeSession": (target) => resumeSession(sessions, target),
		// The command palette knows no commands of the chat.
		"copilot-ld.setInstructions": () => beginChat("@copilot-ld /instructions "),
		"copilot-ld.openSources": () => deps.uses.openSources(),
		"copilot-ld.openSample": () => openSample(deps.context),
		...nodeCommands(deps.knowledge),
		...binCommands(sessions),
		"copilot-ld.forgetFact": (target) => forgetFact(deps.worker.memory, target),
		"copilot-ld.reportProblem": async (target) =>
			(await import("./reportProblem.ts")).runReportCommand(deps, target),
		"copilot-ld.saveAsTest": async (...turn) =>
			(await import("../knowledgeTests/saveTest.ts")).saveAsTest(sessions, turn),
		"copilot-ld.saveAsTool": async (...turn) =>
			(await import("../plugins/saveTool.ts")).saveAsTool(sessions, turn),
		"copilot-ld.importTests": async () => (await import("../knowledgeTests/saveTest.ts")).importTests(),
		"copilot-ld.useGitHubAccount": agreeToGitHub,
		"copilot-ld.strongerSearch": async () =>
			(await import("../models/strongerSearch.ts")).chooseStrongerSearch(deps),
		"copilot-ld.addModel": () => deps.models.add(),
		"copilot-ld.removeModel": () => deps.models.remove(),
		"copilot-ld.setEmbeddingKey": () => setEmbeddingKey(secrets),
		"copilot-ld.setStorageCredentials": () => setStorageCredentials(secrets),
	};
	return registerEach(commands, deps.log);
}

async function showStatus({ knowledge, documents }: CommandDeps) {
	const status = await inStatusBar((signal) => knowledge.status(signal));
	await documents.show(vscode.l10n.t("Index Status.md"), statusDocument(status));
	return status;
}

/** Sends nothing to a model in an untrusted workspace, whose settings may choose what is sent. */
async function describeDocuments({ worker, readiness }: CommandDeps) {
	requireTrust(
		vscode.l10n.t("Trust this workspace first, because its documents would be sent to a language model."),
	);
	await indexed(readiness);
	const { runDescribeCommand } = await import("./describeCommand.ts");
	return runDescribeCommand(worker.descriptions);
}

async function publishGraph({ worker, readiness }: CommandDeps) {
	await indexed(readiness);
	const { runPublishCommand } = await import("./publishCommand.ts");
	return runPublishCommand(worker.publication);
}

async function indexed(readiness: FolderReadiness): Promise<void> {
	await inStatusBar((signal, report) => readiness.ensure((at) => report(progressText(at)), signal));
}

/** What is known of it decides which of the two commands is offered. */
async function pause({ worker, watch }: CommandDeps, paused: boolean) {
	await worker.catalog.pause(paused, new AbortController().signal);
	watch.note({ isPaused: paused });
}

async function explainFile({ worker }: CommandDeps, target: unknown) {
	const { fsPath } = subjectOf(target).uri;
	const explanation = await worker.catalog.explain(uriOfPath(fsPath), new AbortController().signal);
	void vscode.window.showInformationMessage(`${basename(fsPath)}: ${translated(explanation)}`);
	return explanation;
}

async function reindexFile({ worker }: CommandDeps, target: unknown) {
	const { fsPath } = subjectOf(target).uri;
	const title = vscode.l10n.t("Copilot-LD: reading {0}", basename(fsPath));
	await inStatusBar((signal) => worker.catalog.reindex([uriOfPath(fsPath)], signal), title);
}

/** The status bar says how far a run is, and can pause it; the view shows what was found. */
export function indexCommands(deps: ClearDeps): Record<string, () => Promise<unknown>> {
	const runs = createMutex();
	const index = (rebuild: boolean) =>
		deps.readiness.index({ rebuild }, () => undefined, new AbortController().signal);
	/** If another program keeps the index in step, that is not an error. */
	const tellIfKept = async (thrown: unknown) => {
		const text = await keptElsewhereText(thrown, deps.knowledge.status);
		void vscode.window.showInformationMessage(`Copilot-LD: ${text}`);
	};
	return {
		"copilot-ld.indexWorkspace": () => runs.run(() => index(false).catch(tellIfKept)),
		"copilot-ld.rebuildIndex": () => runs.run(() => index(true)),
		"copilot-ld.clearData": () => clearData(deps),
	};
}

/** Opens a copy of the sample, which the user may change; a window with a folder keeps it. */
async function openSample({ extensionUri, globalStorageUri }: vscode.ExtensionContext): Promise<void> {
	const copy = vscode.Uri.joinPath(globalStorageUri, "sample");
	const sample = vscode.Uri.joinPath(extensionUri, "media", "sample");
	if (!existsSync(copy.fsPath)) await vscode.workspace.fs.copy(sample, copy);
	const forceNewWindow = (vscode.workspace.workspaceFolders ?? []).length > 0;
	await vscode.commands.executeCommand("vscode.openFolder", copy, { forceNewWindow });
}
