import { homedir } from "node:os";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { createAcpClient } from "../../acp/link/acpClient.ts";
import { type CallHooks, startCallHooks } from "../../acp/link/callHooks.ts";
import { startCli } from "../../acp/link/cliProcess.ts";
import { findCli } from "../../acp/link/findCli.ts";
import { connectToServer } from "../../acp/link/tcpLink.ts";
import { cliHome, createSessionFiles } from "../../acp/stored/sessionFiles.ts";
import { createStoredSessions } from "../../acp/stored/storedSessions.ts";
import { createCliHistory } from "../../acp/turn/cliHistory.ts";
import { createCliRunner } from "../../acp/turn/cliRunner.ts";
import { createCliSessions } from "../../acp/turn/cliSessions.ts";
import { ALLOW_ALL } from "../../acp/turn/configOptions.ts";
import type { CliQuestion } from "../../acp/turn/permissionDesk.ts";
import { Failure, messageOf } from "../../base/failure.ts";
import { once } from "../../base/once.ts";
import type { Permissions } from "../../core/permission/permission.ts";
import type { AskPerson } from "../../permissions/decide.ts";
import { workspaceUri } from "../folders.ts";
import { cliPath, cliServer } from "../settings.ts";
import { createCliChanges } from "./changes.ts";
import { createCliChatSessions } from "./chatSessions.ts";
import type { CliEngine, CliLinkDeps } from "./cliLink.ts";
import { pickOption } from "./optionPick.ts";
import { requireTrust } from "./preflight.ts";
import type { CliSessionMap } from "./sessionMap.ts";
import { openChatForCli, pickSession } from "./sessionPick.ts";
import { signInToCli } from "./signIn.ts";

/** For so long a deleted session can be restored. */
const TRASH_MS = 7 * 24 * 60 * 60 * 1000;

/** Builds what lets the CLI answer in the chat. */
export function createCliEngine(
	{ context, log, recorder, permissions, mcpAccess, consents, questions, askPerson }: CliLinkDeps,
	known: CliSessionMap,
): CliEngine {
	const files = createSessionFiles(cliHome(process.env));
	const hooks = once(startCallHooks);
	const client = createAcpClient({
		open: () => openCli(context, log, hooks.get),
		version: context.extension.packageJSON.version,
		recorder,
	});
	const mayAllowAll = (session: string) => allowsAll(permissions, session);
	const sessions = createCliSessions({ client, files, mayAllowAll });
	const state = context.workspaceState;
	const chats = createCliChatSessions({ sessions, files, state, known, ...(mcpAccess && { mcpAccess }) });
	const changes = createCliChanges();
	const askInWindow: AskPerson<CliQuestion> = ({ callId, ...call }, signal) => {
		const change = changes.has(callId) && { openChange: () => changes.open(callId) };
		return askPerson({ ...call, canStop: true, ...change }, signal);
	};
	// Nobody waits for it; a trash that cannot be emptied is tried again at the next start.
	files.emptyTrash(Date.now() - TRASH_MS).catch((thrown: unknown) => log.warn(messageOf(thrown)));
	return {
		history: createCliHistory(sessions, createStoredSessions(files, toUri)),
		runnerFor: (chat) => {
			const run = createCliRunner({
				openSession: async (report) => ({
					...(await chats.open(chat, workFolder(), report)),
					hooks: await hooks.get(),
				}),
				permissions,
				askPerson: notingConsent(askInWindow, (tool) => consents.give(chat, tool)),
				chat,
				onEvent: changes.note,
				workspace: workspaceUri(),
			});
			return async function* runTurn(request, signal) {
				questions.name(chat, request.question);
				try {
					yield* run(request, signal);
				} finally {
					consents.forget(chat);
				}
			};
		},
		signIn: (question) => signInToCli(client, question),
		openChange: changes.open,
		chooseOption: async () => pickOption(chats.latest()),
		commands: async () => chats.latest().commands(),
		resume: async (id) => {
			const chosen = id ?? (await pickSession(sessions));
			if (chosen === undefined) return;
			chats.resumeNext(chosen);
			await openChatForCli();
		},
		dispose: () => {
			changes.dispose();
			void client.stop().then(async () => (await hooks.peek())?.stop());
		},
	};
}

function toUri(path: string): string {
	return vscode.Uri.file(path).toString();
}

/** What is allowed once is allowed where the call arrives, too: the CLI may be calling a tool of ours. */
function notingConsent(ask: AskPerson<CliQuestion>, give: (tool: string) => void): AskPerson<CliQuestion> {
	return async (question, signal) => {
		const answer = await ask(question, signal);
		if (answer?.kind === "once" && !signal.aborted) give(question.request.tool);
		return answer;
	};
}

/** Only a rule that names this switch lets the CLI run everything without a question: then no other rule is asked. */
async function allowsAll(permissions: Permissions, session: string): Promise<boolean> {
	const { effect, rule } = await permissions.verdictFor({
		door: "cli",
		tool: ALLOW_ALL,
		title: "Run every tool without asking",
		arguments: [],
		session,
		workspace: workspaceUri(),
		mutates: true,
	});
	return effect === "allow" && rule?.tool === ALLOW_ALL;
}

async function openCli(
	context: vscode.ExtensionContext,
	log: vscode.LogOutputChannel,
	startHooks: () => Promise<CallHooks>,
) {
	requireTrust();
	const server = cliServer();
	if (server !== "") return connectToServer(server);
	const copilotChat = vscode.extensions.getExtension("github.copilot-chat");
	const globalStorage = dirname(context.globalStorageUri.fsPath);
	const { command, version } = await findCli({
		setting: cliPath(),
		env: process.env,
		packageFolders: copilotChat ? [copilotChat.extensionPath] : [],
		programs: [join(globalStorage, "github.copilot-chat", "copilotCli", "copilot")],
	});
	log.info(`The GitHub Copilot CLI ${version} starts: ${command}`);
	// Sessions name the folder that they work in; the program itself needs none.
	const hooks = await startHooks();
	const args = ["--acp", "--stdio", ...hooks.args];
	return startCli({ command, args, cwd: homedir(), env: { ...process.env, ...hooks.env } });
}

function workFolder(): string {
	const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === "file");
	if (folder) return folder.uri.fsPath;
	throw new Failure("NO_FOLDER", "Open a folder first: the Copilot CLI works in the folder that is open.");
}
