import * as vscode from "vscode";
import { offerWithoutCopilot } from "./passagesModel.ts";

/**
 * Sends a question in the chat. VS Code gives it the model that is chosen at that moment, and refuses it where there is
 * none: so just after the start it is sent when a model can be chosen.
 */
export async function sendToChat(query: string): Promise<void> {
	await offerWithoutCopilot();
	await vscode.commands.executeCommand("workbench.action.chat.open", { query });
}
