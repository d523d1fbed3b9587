import * as vscode from "vscode";
import { offerWithoutCopilot } from "./passagesModel.ts";

/** Sends a question in the chat. VS Code refuses it without a model, so just after the start it waits for one. */
export async function sendToChat(query: string): Promise<void> {
	await offerWithoutCopilot();
	await vscode.commands.executeCommand("workbench.action.chat.open", { query });
}

/** Writes the beginning of a question into the chat that is open: the user completes it. */
export async function beginChat(query: string): Promise<void> {
	await vscode.commands.executeCommand("workbench.action.chat.open", { query, isPartialQuery: true });
}
