import { homedir } from "node:os";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { type AcpClient, loginOf } from "../../acp/link/acpClient.ts";
import type { CallHooks } from "../../acp/link/callHooks.ts";
import { startCli } from "../../acp/link/cliProcess.ts";
import { type FoundCli, findCli } from "../../acp/link/findCli.ts";
import { connectToServer } from "../../acp/link/tcpLink.ts";
import { Failure } from "../../base/failure.ts";
import { sendToChat } from "../models/passagesModel.ts";
import { setting } from "../settings.ts";
import { requireTrustForCli } from "./preflight.ts";

export async function openCli(
	context: vscode.ExtensionContext,
	log: vscode.LogOutputChannel,
	startHooks: () => Promise<CallHooks>,
) {
	requireTrustForCli();
	const server = setting("cli.server");
	if (server !== "") return connectToServer(server);
	const { command, version } = await locateCli(context);
	log.info(`The GitHub Copilot CLI ${version} starts: ${command}`);
	// Sessions name the folder that they work in; the program itself needs none.
	const { args, env } = await startHooks();
	return startCli({
		command,
		args: ["--acp", "--stdio", ...args],
		cwd: homedir(),
		env: { ...process.env, ...env },
	});
}

export function locateCli(context: vscode.ExtensionContext): Promise<FoundCli> {
	const copilotChat = vscode.extensions.getExtension("github.copilot-chat");
	const globalStorage = dirname(context.globalStorageUri.fsPath);
	return findCli({
		setting: setting("cli.path"),
		env: process.env,
		packageFolders: copilotChat ? [copilotChat.extensionPath] : [],
		programs: [join(globalStorage, "github.copilot-chat", "copilotCli", "copilot")],
	});
}

/** Runs the CLI's own login in a terminal, and asks the question again when that is closed. */
export async function signInToCli(client: AcpClient, question: unknown): Promise<void> {
	const info = await client.ensureStarted();
	// What a server says is not run here: only the program that we have started ourselves names its own login.
	const login = client.pid() === undefined ? undefined : loginOf(info);
	if (!login)
		throw new Failure(
			"CLI_SIGN_IN",
			vscode.l10n.t("Run “copilot login” in a terminal, then ask your question again."),
		);
	const { label: name, command: shellPath, args } = login;
	const terminal = vscode.window.createTerminal({ name, shellPath, shellArgs: [...args] });
	terminal.show();
	const closed = vscode.window.onDidCloseTerminal(async (ended) => {
		if (ended !== terminal) return;
		closed.dispose();
		// The CLI checks the login only when it starts.
		await client.stop();
		if (typeof question === "string" && ended.exitStatus?.code === 0) await sendToChat(question);
	});
}
