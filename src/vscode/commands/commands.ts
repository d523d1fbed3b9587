import { pathToFileURL } from "node:url";
import * as vscode from "vscode";
import { Failure, messageOf } from "../../base/failure.ts";
import type { Catalog } from "../../core/knowledge/catalog.ts";
import type { Descriptions } from "../../core/knowledge/descriptor.ts";
import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import { isCancellation, signalOf } from "../cancellation.ts";
import { beginInstructions } from "../chat/instructionsCommand.ts";
import { resumeCliSession, resumeSession } from "../chat/resumeChat.ts";
import { forgetFact, type SessionChatDeps } from "../chat/sessionChat.ts";
import type { CliLink } from "../cli/cliLink.ts";
import { chooseCliCommand } from "../cli/commands.ts";
import { agreeToGitHub } from "../identity.ts";
import { showSearch } from "../knowledgeView/searchPick.ts";
import type { KnowledgeNode } from "../knowledgeView/tree.ts";
import { copyMcpConfiguration } from "../mcp/copyConfiguration.ts";
import type { ModelProvider } from "../models/provider.ts";
import { setEmbeddingKey, setStorageCredentials } from "../secrets.ts";
import type { VirtualDocuments } from "../virtualDocuments.ts";
import { keptElsewhereText, progressText, reportText, statusDocument } from "../worker/indexReport.ts";
import type { FolderReadiness } from "../worker/readiness.ts";
import type { ReportDeps } from "./reportProblem.ts";

export interface CommandDeps extends SessionChatDeps, ReportDeps {
	readonly knowledge: Knowledge;
	readonly catalog: Catalog;
	readonly descriptions: Descriptions;
	readonly readiness: FolderReadiness;
	readonly documents: VirtualDocuments;
	readonly cli: CliLink;
	readonly models: ModelProvider;
	readonly log: vscode.LogOutputChannel;
}

/** The commands but for those of views, which register their own; the manifest names them all. */
export function registerCommands(deps: CommandDeps): vscode.Disposable {
	const commands: Record<string, (target?: unknown) => unknown> = {
		"copilot-ld.indexWorkspace": () => indexUnlessKept(deps),
		"copilot-ld.rebuildIndex": () => indexWithProgress(deps, { rebuild: true }),
		"copilot-ld.describeDocuments": () => describeDocuments(deps),
		"copilot-ld.showIndexStatus": () => showStatus(deps),
		"copilot-ld.search": () => showSearch(deps.knowledge),
		"copilot-ld.pauseIndexing": () => pause(deps, true),
		"copilot-ld.resumeIndexing": () => pause(deps, false),
		"copilot-ld.showLog": () => deps.log.show(),
		"copilot-ld.explainFile": (target) => explainFile(deps, target),
		"copilot-ld.copyMcpConfiguration": (format) => copyMcpConfiguration(deps.context, format),
		"copilot-ld.reindexFile": (target) => reindexFile(deps, target),
		"copilot-ld.signInToCli": (question) => deps.cli.signIn(question),
		"copilot-ld.openCliChange": (id) => deps.cli.openChange(id),
		"copilot-ld.showCliOutput": (id) => deps.cli.showOutput(id),
		"copilot-ld.chooseCliCommand": () => chooseCliCommand(deps.cli),
		"copilot-ld.chooseCliOption": (chat) => deps.cli.chooseOption(chat),
		"copilot-ld.resumeCliSession": () => resumeCliSession(deps.cli),
		"copilot-ld.resumeSession": (target) => resumeSession(deps, target),
		"copilot-ld.setInstructions": beginInstructions,
		"copilot-ld.forgetFact": (target) => forgetFact(deps, target),
		"copilot-ld.reportProblem": (target) => reportProblem(deps, target),
		"copilot-ld.saveAsTest": () => saveLastAnswerAsTest(deps),
		"copilot-ld.saveAsTool": async (turn) =>
			(await import("../plugins/saveTool.ts")).saveAsTool(deps.sessions, turn),
		"copilot-ld.importTests": async () => (await import("../knowledgeTests/saveTest.ts")).importTests(),
		"copilot-ld.useGitHubAccount": () => agreeToGitHub(),
		"copilot-ld.addModel": () => deps.models.add(),
		"copilot-ld.removeModel": () => deps.models.remove(),
		"copilot-ld.setEmbeddingKey": () => setEmbeddingKey(deps.context.secrets),
		"copilot-ld.setStorageCredentials": () => setStorageCredentials(deps.context.secrets),
	};
	return vscode.Disposable.from(
		...Object.entries(commands).map(([id, run]) =>
			vscode.commands.registerCommand(id, (target?: unknown) =>
				reportingFailure(deps.log, () => run(target)),
			),
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
		// Not waited for: the command is over, whenever the person closes the message.
		void showFailure(log, messageOf(thrown));
		return undefined;
	}
}

async function showFailure(log: vscode.LogOutputChannel, message: string): Promise<void> {
	const showLog = "Show Log";
	if ((await vscode.window.showErrorMessage(message, showLog)) === showLog) log.show();
}

/** Nothing is wrong where another program does it. */
async function indexUnlessKept(deps: CommandDeps) {
	try {
		return await indexWithProgress(deps, { rebuild: false });
	} catch (thrown) {
		const text = await keptElsewhereText(thrown, deps.knowledge);
		void vscode.window.showInformationMessage(`Copilot-LD: ${text}`);
		return undefined;
	}
}

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

async function saveLastAnswerAsTest({ sessions }: CommandDeps): Promise<void> {
	const signal = new AbortController().signal;
	const { saveAsTest, lastAnswer } = await import("../knowledgeTests/saveTest.ts");
	await saveAsTest(await lastAnswer(sessions, signal));
}

/** Nothing goes to a model in a workspace that nobody trusts: its settings may say what is knowledge. */
async function describeDocuments({ descriptions, readiness }: CommandDeps) {
	if (!vscode.workspace.isTrusted)
		throw new Failure(
			"UNTRUSTED",
			"Trust this workspace first: its documents would be sent to a language model.",
		);
	await vscode.window.withProgress({ location: vscode.ProgressLocation.Window }, (progress, token) =>
		readiness.ensure((message) => progress.report({ message }), signalOf(token)),
	);
	const { runDescribeCommand } = await import("./describeCommand.ts");
	return runDescribeCommand(descriptions);
}

async function reportProblem(deps: CommandDeps, target: unknown) {
	const { runReportCommand } = await import("./reportProblem.ts");
	return runReportCommand(deps, target);
}

/** A context key decides which of the two commands is offered. */
async function pause({ catalog }: CommandDeps, paused: boolean) {
	await catalog.pause(paused, new AbortController().signal);
	await vscode.commands.executeCommand("setContext", "copilot-ld.paused", paused);
}

async function explainFile({ catalog }: CommandDeps, target: unknown) {
	const uri = fileOf(target);
	const explanation = await catalog.explain(uri, new AbortController().signal);
	void vscode.window.showInformationMessage(`${nameOf(uri)}: ${explanation}`);
	return explanation;
}

async function reindexFile({ catalog }: CommandDeps, target: unknown) {
	const uri = fileOf(target);
	await vscode.window.withProgress(
		{
			location: vscode.ProgressLocation.Window,
			title: `Copilot-LD: reading ${nameOf(uri)}`,
			cancellable: true,
		},
		(_, token) => catalog.reindex([uri], signalOf(token)),
	);
}

/** The file that a menu was opened on, in the explorer, an editor or our view; else the one in the active editor. */
function fileOf(target: unknown): string {
	if (target instanceof vscode.Uri) return pathToFileURL(target.fsPath).href;
	if (isDocumentNode(target)) return target.record.uri;
	const active = vscode.window.activeTextEditor?.document.uri;
	if (active?.scheme === "file") return pathToFileURL(active.fsPath).href;
	throw new Failure("BAD_INPUT", "Open a file first, or choose one in the explorer.");
}

function isDocumentNode(target: unknown): target is Extract<KnowledgeNode, { kind: "document" }> {
	return typeof target === "object" && target !== null && "kind" in target && target.kind === "document";
}

function nameOf(uri: string): string {
	return decodeURIComponent(uri.slice(uri.lastIndexOf("/") + 1));
}
