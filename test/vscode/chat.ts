import * as vscode from "vscode";
import type { TurnRecord } from "../../src/vscode/turnRecord.ts";
import type { ScriptedModel } from "./scriptedModel/script.ts";

/** What VS Code tells of a finished turn. */
export interface Turn {
	readonly metadata?: TurnRecord;
	readonly errorDetails?: { readonly message: string; readonly isQuotaExceeded?: boolean };
}

/** Puts a prompt to `@copilot-ld` and waits until its turn is over. */
export async function ask(prompt: string): Promise<Turn> {
	const turn = await vscode.commands.executeCommand<Turn | undefined>("workbench.action.chat.open", {
		query: `@copilot-ld ${prompt}`,
		mode: "agent",
		modelSelector: { vendor: "scripted" },
		blockOnResponse: true,
	});
	if (!turn) throw new Error("VS Code told nothing of the turn.");
	return turn;
}

export async function openNewChat(): Promise<void> {
	await vscode.commands.executeCommand("workbench.action.chat.newChat");
}

export async function cancelTurn(): Promise<void> {
	await vscode.commands.executeCommand("workbench.action.chat.cancel");
}

/** The model that says what the test tells it to say. */
export async function scriptedModel(): Promise<ScriptedModel> {
	const extension = vscode.extensions.getExtension<ScriptedModel>("copilot-ld.scripted-model");
	if (!extension) throw new Error("The scripted model is not there.");
	return extension.activate();
}

/** The text that a language model tool gives. */
export async function invokeTool(name: string, input: object): Promise<string> {
	const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
	return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : "")).join("");
}
