import { suiteSetup } from "mocha";
import * as vscode from "vscode";
import type { TurnRecord } from "../../src/vscode/turn/turnRecord.ts";
import type { ScriptedModel } from "./scriptedModel/extension.ts";

export interface Turn {
	readonly metadata?: TurnRecord;
	readonly errorDetails?: { readonly message: string };
}

export function ask(prompt: string, vendor?: string): Promise<Turn> {
	return openChat<Turn>(prompt, vendor);
}

export interface Confirmation {
	readonly type: "confirmation";
	readonly toolId: string;
}

export function askUntilConfirmation(prompt: string): Promise<Confirmation> {
	return openChat<Confirmation>(prompt);
}

async function openChat<Result>(prompt: string, vendor = "scripted"): Promise<Result> {
	const result = await vscode.commands.executeCommand<Result | undefined>("workbench.action.chat.open", {
		query: `@copilot-ld ${prompt}`,
		mode: "agent",
		modelSelector: { vendor },
		blockOnResponse: true,
	});
	if (!result) throw new Error("VS Code told nothing of the turn.");
	return result;
}

const inChat = (action: string) => () => vscode.commands.executeCommand(`workbench.action.chat.${action}`);

export const acceptTool = inChat("acceptTool");
export const openNewChat = inChat("newChat");
export const cancelTurn = inChat("cancel");

export async function scriptedModel(): Promise<ScriptedModel> {
	const extension = vscode.extensions.getExtension<ScriptedModel>("copilot-ld.scripted-model");
	if (!extension) throw new Error("The scripted model is not there.");
	return extension.activate();
}

/** Returns the scripted model, which is activated before the tests of the suite run. */
export function useModel(): ScriptedModel {
	let model: ScriptedModel | undefined;
	suiteSetup(async () => {
		model = await scriptedModel();
	});
	return new Proxy({} as ScriptedModel, { get: (_, name: keyof ScriptedModel) => model?.[name] });
}

export async function invokeTool(name: string, input: object): Promise<string> {
	const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
	return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : "")).join("");
}
