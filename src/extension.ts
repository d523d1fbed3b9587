import * as vscode from "vscode";
import type { ToolContext } from "./core/tool.ts";
import { createToolset } from "./tools/toolset.ts";
import { registerChatParticipant } from "./vscode/chatParticipant.ts";
import { registerCommands } from "./vscode/commands.ts";
import { registerTools } from "./vscode/languageModelTools.ts";
import { lazyKnowledge } from "./vscode/lazyKnowledge.ts";
import { createReadiness, whenReady } from "./vscode/readiness.ts";
import { chooseModel, runnerOn } from "./vscode/runners.ts";
import { registerVirtualDocuments } from "./vscode/virtualDocuments.ts";
import { createWorkerLink } from "./vscode/workerLink.ts";

/** Builds the object graph once, top to bottom. Nothing is started here: the first question starts the worker. */
export function activate(context: vscode.ExtensionContext): void {
	const log = vscode.window.createOutputChannel("Copilot-LD", { log: true });
	const worker = createWorkerLink(context, { log, onStale: () => readiness.forget() });
	const knowledge = lazyKnowledge(worker.knowledge);
	const readiness = createReadiness(knowledge);
	const documents = registerVirtualDocuments();
	const tools = createToolset({
		knowledge: whenReady(knowledge, readiness),
		openRunner: async ({ origin }: ToolContext) => {
			const model = await chooseModel();
			return runnerOn(knowledge, { model, origin: origin as vscode.ChatParticipantToolToken, named: [] });
		},
	});
	context.subscriptions.push(
		log,
		worker,
		documents,
		registerTools(tools),
		registerCommands({ knowledge, readiness, documents, log }),
		registerChatParticipant({
			knowledge,
			readiness,
			log,
			icon: new vscode.ThemeIcon("book"),
			runnerFor: ({ model, toolInvocationToken: origin, toolReferences: named }) =>
				runnerOn(knowledge, { model, origin, named }),
		}),
	);
}
