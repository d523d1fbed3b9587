import { existsSync } from "node:fs";
import { basename } from "node:path";
import * as vscode from "vscode";
import { l10n } from "vscode";
import { uriOfPath } from "../../base/files/paths.ts";
import { createMutex } from "../../base/jobs/mutex.ts";
import { withProgress } from "../cancellation.ts";
import { forgetFact } from "../chat/sessionChat.ts";
import { binCommands, type ResumeDeps, resumeCliSession, resumeSession } from "../chat/sessionCommands.ts";
import type { FirstUses } from "../firstUses.ts";
import { agreeToGitHub } from "../identity.ts";
import { nodeCommands, showSearch } from "../knowledgeView/nodeCommands.ts";
import { subjectOf } from "../knowledgeView/subject.ts";
import { signOf, troublesOf } from "../knowledgeView/view.ts";
import { translated } from "../l10n.ts";
import { copyMcpConfiguration } from "../mcp/launch.ts";
import { beginChat } from "../models/passagesModel.ts";
import type { ModelProvider } from "../models/provider.ts";
import { registerEach, requireTrust } from "../registerEach.ts";
import { setEmbeddingKey, setStorageCredentials } from "../secrets.ts";
import type { uniteSessions } from "../sessionsView/link.ts";
import { storageSettings } from "../settings.ts";
import { keptElsewhereText, progressText, statusDocument } from "../worker/indexReport.ts";
import type { FolderReadiness, IndexWatch } from "../worker/readiness.ts";
import { type ClearDeps, clearData } from "./clearData.ts";
import type { ReportDeps } from "./reportProblem.ts";

interface CommandDeps extends ReportDeps, ClearDeps {
	readonly allSessions: ReturnType<typeof uniteSessions>;
	readonly cli: ResumeDeps["cli"];
	readonly models: ModelProvider;
	readonly uses: FirstUses;
}

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
		// The command palette cannot run the chat's slash commands.
		"copilot-ld.setInstructions": () => beginChat("@copilot-ld /instructions "),
		"copilot-ld.openSources": () => deps.uses.openSources(),
		"copilot-ld.openSample": () => openSample(deps.context),
		...nodeCommands(deps.knowledge),
		...binCommands(sessions),
		"copilot-ld.forgetFact": (target) => forgetFact(deps.worker.memory, target),
		"copilot-ld.reportProblem": async (target) =>
			(await import("./reportProblem.ts")).runReportCommand(deps, target),
		"copilot-ld.saveAsTest": async (...turn) =>
			(await import("../knowledgeTests/tests.ts")).saveAsTest(sessions, turn),
		"copilot-ld.saveAsTool": async (...turn) =>
			(await import("../plugins/pluginActions.ts")).saveAsTool(sessions, turn),
		"copilot-ld.importTests": async () => (await import("../knowledgeTests/tests.ts")).importTests(),
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
	const status = await withProgress({}, (_, signal) => knowledge.status(signal));
	await documents.show(vscode.l10n.t("Index Status.md"), statusDocument(status));
	return status;
}

/** Describes documents. Throws in an untrusted workspace, whose settings could choose what is sent. */
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
	await withProgress({}, (report, signal) => readiness.ensure((at) => report(progressText(at)), signal));
}

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
	await withProgress({ title }, (_, signal) => worker.catalog.reindex([uriOfPath(fsPath)], signal));
}

export function indexCommands(deps: ClearDeps): Record<string, () => Promise<unknown>> {
	const runs = createMutex();
	const index = (rebuild: boolean) =>
		deps.readiness.index({ rebuild }, () => undefined, new AbortController().signal);
	/** Shows a message if another program updates the index; rethrows other errors. */
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

async function openSample({ extensionUri, globalStorageUri }: vscode.ExtensionContext): Promise<void> {
	const copy = vscode.Uri.joinPath(globalStorageUri, "sample");
	const sample = vscode.Uri.joinPath(extensionUri, "media", "sample");
	if (!existsSync(copy.fsPath)) await vscode.workspace.fs.copy(sample, copy);
	const forceNewWindow = (vscode.workspace.workspaceFolders ?? []).length > 0;
	await vscode.commands.executeCommand("vscode.openFolder", copy, { forceNewWindow });
}

type Action = readonly [command: string, detail: string];

interface Contribution {
	readonly command: string;
	/** An object if the title is translated: VS Code adds the English title. */
	readonly title: string | { readonly value: string };
	readonly icon?: string;
}

function menuCommands(watch: IndexWatch): Record<string, () => Promise<unknown>> {
	const fixed = Object.entries(MENUS).map(([menu, actions]) => [menu, () => pickAction(menu, actions)]);
	return {
		...Object.fromEntries(fixed),
		"copilot-ld.showIndexActions": () =>
			pickAction("copilot-ld.showIndexActions", indexActions(watch), signOf(watch.current).tooltip),
	};
}

/** Lets the user run a command. Titles and icons come from the manifest, which is already translated. */
async function pickAction(menu: string, actions: readonly Action[], placeHolder?: string): Promise<unknown> {
	const items = actions.map(([command, detail]) => ({ ...itemOf(command), detail, command }));
	const options = { title: itemOf(menu).label, matchOnDetail: true, ...(placeHolder && { placeHolder }) };
	const chosen = await vscode.window.showQuickPick(items, options);
	return chosen && vscode.commands.executeCommand(chosen.command);
}

/** Keeps the icon out of the label, because a screen reader would read the icon's name aloud. */
function itemOf(id: string) {
	const extension = vscode.extensions.getExtension("copilot-ld.copilot-ld");
	const commands: readonly Contribution[] = extension?.packageJSON.contributes.commands;
	const { title = l10n.t("Show Problems"), icon = "$(warning)" } =
		commands.find(({ command }) => command === id) ?? {};
	return {
		label: typeof title === "string" ? title : title.value,
		iconPath: new vscode.ThemeIcon(icon.slice(2, -1)),
	};
}

const MENUS: Readonly<Record<string, readonly Action[]>> = {
	"copilot-ld.checkAnswer": [
		["copilot-ld.openSources", l10n.t("Opens the lines that the last answer cites")],
		[
			"copilot-ld.showEvidence",
			l10n.t("Compares each statement with its cited lines and shows what they do not contain"),
		],
		["copilot-ld.showContext", l10n.t("Shows what the model was given, and what was left out and why")],
	],
	"copilot-ld.saveAnswer": [
		["copilot-ld.saveAsTool", l10n.t("Makes a tool for every agent from its query, search, or question")],
		["copilot-ld.saveAsTest", l10n.t("Keeps the question with what its answer must cite")],
	],
	"copilot-ld.manageModels": [
		[
			"copilot-ld.addModel",
			l10n.t("Adds a model of a server that is compatible with the OpenAI API to the model picker"),
		],
		["copilot-ld.removeModel", l10n.t("Removes a model from the model picker")],
		["copilot-ld.strongerSearch", l10n.t("Finds by meaning with a larger model that runs on this computer")],
	],
	"copilot-ld.showCliActions": [
		["copilot-ld.signInToCli", l10n.t("Runs the CLI's own login in a terminal")],
		["copilot-ld.resumeCliSession", l10n.t("Continues a session of the CLI")],
		["copilot-ld.chooseCliOption", l10n.t("Sets what the CLI session of the last chat uses")],
		["copilot-ld.chooseCliCommand", l10n.t("Writes one of the CLI's own commands into the chat")],
	],
};

function indexActions({ current }: IndexWatch): Action[] {
	const isDescribable = vscode.workspace.isTrusted && !storageSettings().readOnly;
	const actions: readonly (Action | false)[] = [
		troublesOf(current) > 0 && [
			"workbench.actions.view.problems",
			l10n.t("Lists the files that could not be read completely"),
		],
		["copilot-ld.showIndexStatus", l10n.t("Shows what is in the index, what is not, and why")],
		["copilot-ld.explainFile", l10n.t("Says how the file in the editor was read, or which rule excludes it")],
		["copilot-ld.reindexFile", l10n.t("Reads the file in the editor again")],
		["copilot-ld.indexWorkspace", l10n.t("Reads what is new or changed")],
		["copilot-ld.rebuildIndex", l10n.t("Reads everything again; the current index is used until then")],
		current.isPaused
			? ["copilot-ld.resumeIndexing", l10n.t("Continues where indexing was paused")]
			: ["copilot-ld.pauseIndexing", l10n.t("Stops indexing after the current file; nothing is lost")],
		isDescribable && [
			"copilot-ld.describeDocuments",
			l10n.t("Lets a model describe documents, so that they are found with words they do not contain"),
		],
		vscode.workspace.isTrusted && [
			"copilot-ld.publishGraph",
			l10n.t("Writes the statements of the index to your SPARQL store"),
		],
		["copilot-ld.clearData", l10n.t("Deletes the index, sessions, memory, rules, or logs that you choose")],
		["copilot-ld.search", l10n.t("Finds passages as you type")],
		["copilot-ld.showLog", l10n.t("Opens the log")],
	];
	return actions.filter((action) => action !== false);
}
