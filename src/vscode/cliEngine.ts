import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { createAcpClient } from "../acp/acpClient.ts";
import { startCli } from "../acp/cliProcess.ts";
import { createCliRunner } from "../acp/cliRunner.ts";
import type { CliSession } from "../acp/cliSession.ts";
import { createCliSessions, type HttpMcpServer } from "../acp/cliSessions.ts";
import { findCli } from "../acp/findCli.ts";
import { cliHome, createSessionFiles } from "../acp/sessionFiles.ts";
import { connectToServer } from "../acp/tcpLink.ts";
import { createUsageMeter, type UsageMeter } from "../acp/usage.ts";
import { Failure, isFailure } from "../core/failure.ts";
import type { Permissions } from "../core/permission.ts";
import { createCliChanges } from "./cliChanges.ts";
import type { CliLink, CliLinkDeps } from "./cliLink.ts";
import { pickOption } from "./cliOptionPick.ts";
import { createPermissionPick } from "./cliPermissionPick.ts";
import { confirmLoads } from "./cliPreflight.ts";
import { createCliSessionMap } from "./cliSessionMap.ts";
import { signInToCli } from "./cliSignIn.ts";
import { cliPath, cliServer } from "./settings.ts";

export type CliEngine = CliLink;
export type McpAccess = HttpMcpServer;

/** Builds what lets the CLI answer in the chat. */
export function createCliEngine({ context, log, permissions, mcpAccess }: CliLinkDeps): CliEngine {
	const files = createSessionFiles(cliHome(process.env));
	const client = createAcpClient({
		open: () => openCli(context, log),
		version: context.extension.packageJSON.version,
	});
	const mayAllowAll = (session: string) => allowsAll(permissions, session);
	const sessions = createCliSessions({ client, files, mayAllowAll });
	const known = createCliSessionMap(context.workspaceState);
	const changes = createCliChanges();
	const meters = new WeakMap<CliSession, UsageMeter>();
	let latest: CliSession | undefined;

	const openSession = async (chat: string, report: (text: string) => void) => {
		const cwd = workFolder();
		await confirmLoads(cwd, context.workspaceState);
		report("Starting the Copilot CLI");
		const setting = { cwd, mcpServers: (await mcpAccess?.(chat)) ?? [] };
		const id = known.get(chat);
		const loaded = id === undefined ? undefined : await loadIfThere(() => sessions.load(id, setting));
		const session = loaded?.session ?? (await sessions.create(setting));
		await known.set(chat, session.id);
		latest = session;
		const usage = meters.get(session) ?? createUsageMeter();
		meters.set(session, usage);
		return { session, folder: files.folderOf(session.id), usage };
	};
	return {
		runnerFor: (chat) =>
			createCliRunner({
				openSession: (report) => openSession(chat, report),
				permissions,
				askPerson: createPermissionPick(changes),
				onEvent: changes.note,
				workspace: vscode.workspace.workspaceFolders?.[0]?.uri.toString() ?? "",
			}),
		signIn: (question) => signInToCli(client, question),
		openChange: changes.open,
		chooseOption: () => pickOption(latest),
		dispose: () => {
			changes.dispose();
			void client.stop();
		},
	};
}

/** A session whose files are gone is begun anew. */
async function loadIfThere<T>(load: () => Promise<T>): Promise<T | undefined> {
	try {
		return await load();
	} catch (thrown) {
		if (isFailure(thrown) && thrown.code === "NOT_FOUND") return undefined;
		throw thrown;
	}
}

/** Only a rule of a person lets the CLI run everything without a question. */
async function allowsAll(permissions: Permissions, session: string): Promise<boolean> {
	const { effect } = await permissions.verdictFor({
		door: "cli",
		tool: "allow_all",
		title: "Run every tool without asking",
		arguments: [],
		session,
		workspace: vscode.workspace.workspaceFolders?.[0]?.uri.toString() ?? "",
		mutates: true,
	});
	return effect === "allow";
}

async function openCli(context: vscode.ExtensionContext, log: vscode.LogOutputChannel) {
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
	return startCli({ command, args: ["--acp", "--stdio"], cwd: workFolder(), env: process.env });
}

function workFolder(): string {
	const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === "file");
	if (folder) return folder.uri.fsPath;
	throw new Failure("NO_FOLDER", "Open a folder first: the Copilot CLI works in the folder that is open.");
}
