import * as vscode from "vscode";
import type { AcpClient } from "../../acp/link/acpClient.ts";
import { loginOf } from "../../acp/link/login.ts";
import { Failure } from "../../base/failure.ts";
import { sendToChat } from "../models/sendToChat.ts";

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
	const terminal = vscode.window.createTerminal({
		name: login.label,
		shellPath: login.command,
		shellArgs: [...login.args],
	});
	terminal.show();
	const closed = vscode.window.onDidCloseTerminal(async (ended) => {
		if (ended !== terminal) return;
		closed.dispose();
		// The CLI checks the login only when it starts.
		await client.stop();
		if (typeof question !== "string" || ended.exitStatus?.code !== 0) return;
		await sendToChat(question);
	});
}
