import * as vscode from "vscode";
import { offerWithoutCopilot } from "./passagesModel.ts";

/** Sends a question in the chat. VS Code refuses it without a model, so just after the start it waits for one. */
export async function sendToChat(query: string): Promise<void> {
	await offerWithoutCopilot();
	await vscode.commands.executeCommand("workbench.action.chat.open", { query });
}
