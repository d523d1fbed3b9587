import * as vscode from "vscode";
import type { Runner } from "./core/agentEvent.ts";
import type { ToolContext } from "./core/tool.ts";
import { registerChatParticipant } from "./vscode/chatParticipant.ts";
import { registerCommands } from "./vscode/commands.ts";
import { registerDiagnostics } from "./vscode/diagnostics.ts";
import { workspaceUri } from "./vscode/folders.ts";
import { registerKnowledgeView } from "./vscode/knowledgeView.ts";
import { registerTools } from "./vscode/languageModelTools.ts";
import { registerMcpServers } from "./vscode/mcpServers.ts";
import { once } from "./vscode/once.ts";
import { createPermissionsLink } from "./vscode/permissionsLink.ts";
import { createReadiness, whenReady } from "./vscode/readiness.ts";
import { registerContextView } from "./vscode/showContext.ts";
import { createToolGate } from "./vscode/toolGate.ts";
import { registerTurnTraces } from "./vscode/turnTraces.ts";
import { registerVirtualDocuments } from "./vscode/virtualDocuments.ts";
import { createWorkerLink } from "./vscode/workerLink.ts";

/**
 * Builds the object graph once, top to bottom. It only registers: the worker, the tools and the agent loop are
 * programs of their own, which the first question loads.
 */
export function activate(context: vscode.ExtensionContext): void {
	const log = vscode.window.createOutputChannel("Copilot-LD", { log: true });
	const worker = createWorkerLink(context, { log, onStale: () => readiness.forget() });
	const { catalog, sessions, memory, onDidChangeIndex: onDidChange } = worker;
	const readiness = createReadiness(worker.knowledge);
	const { knowledge, graph } = whenReady(worker, readiness);
	const documents = registerVirtualDocuments();
	const contexts = registerContextView(documents);
	const traces = registerTurnTraces();
	const permissions = createPermissionsLink(context, log);
	const runners = once(async () => (await import("./vscode/runners.ts")).createRunners(traces));

	const runnerFor = (request: vscode.ChatRequest): Runner =>
		async function* run(turn, signal) {
			yield* (await runners.get()).runnerFor(request, { knowledge, graph })(turn, signal);
		};
	const openRunner = async ({ origin }: ToolContext): Promise<Runner> =>
		(await runners.get()).runnerOutside(origin as vscode.ChatParticipantToolToken, knowledge);
	const tools = once(async () => {
		const { createToolset } = await import("./tools/toolset.ts");
		return createToolset({
			...{ knowledge, graph, memory: { memory, workspace: workspaceUri } },
			...{ door: "tools", openRunner },
		});
	});

	context.subscriptions.push(
		log,
		worker,
		documents,
		contexts,
		traces,
		permissions,
		registerTools(toolNamesOf(context), tools.get, createToolGate(permissions, traces)),
		registerCommands({ context, knowledge, catalog, sessions, memory, readiness, documents, log }),
		registerMcpServers(context),
		registerKnowledgeView({ catalog, onDidChange }),
		registerDiagnostics({ catalog, log, onDidChange }),
		registerChatParticipant({
			...{ knowledge, sessions, memory, readiness, log, contexts, runnerFor },
			icon: vscode.Uri.joinPath(context.extensionUri, "media/icon.png"),
		}),
	);
}

/** The manifest says which tools there are before their code is loaded. */
function toolNamesOf({ extension }: vscode.ExtensionContext): string[] {
	return extension.packageJSON.contributes.languageModelTools.map(({ name }: { name: string }) => name);
}
