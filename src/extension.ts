import * as vscode from "vscode";
import type { ToolContext } from "./core/tool.ts";
import { createToolset } from "./tools/toolset.ts";
import { registerChatParticipant } from "./vscode/chatParticipant.ts";
import { registerCommands } from "./vscode/commands.ts";
import { registerDiagnostics } from "./vscode/diagnostics.ts";
import { registerKnowledgeView } from "./vscode/knowledgeView.ts";
import { registerTools } from "./vscode/languageModelTools.ts";
import { createReadiness, whenReady } from "./vscode/readiness.ts";
import { chooseModel, graphRunnerOn, runnerOn } from "./vscode/runners.ts";
import { registerVirtualDocuments } from "./vscode/virtualDocuments.ts";
import { createWorkerLink } from "./vscode/workerLink.ts";

/** Builds the object graph once, top to bottom. Nothing is started here: the first question starts the worker. */
export function activate(context: vscode.ExtensionContext): void {
	const log = vscode.window.createOutputChannel("Copilot-LD", { log: true });
	const worker = createWorkerLink(context, { log, onStale: () => readiness.forget() });
	const { catalog, onDidChangeIndex } = worker;
	const readiness = createReadiness(worker.knowledge);
	const { knowledge, graph } = whenReady(worker, readiness);
	const documents = registerVirtualDocuments();
	const tools = createToolset({
		knowledge,
		graph,
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
		registerCommands({ knowledge, catalog, readiness, documents, log }),
		registerKnowledgeView({ catalog, onDidChange: onDidChangeIndex }),
		registerDiagnostics({ catalog, log, onDidChange: onDidChangeIndex }),
		registerChatParticipant({
			knowledge,
			readiness,
			log,
			icon: vscode.Uri.joinPath(context.extensionUri, "media/icon.png"),
			runnerFor: ({ command, model, toolInvocationToken: origin, toolReferences: named }) =>
				command === "graph" ? graphRunnerOn(graph, model) : runnerOn(knowledge, { model, origin, named }),
		}),
	);
}
