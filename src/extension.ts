import * as vscode from "vscode";
import { commandsOf, linkCli, placesOf, toolsetFor, toolsOfSteps } from "./activation/linkCli.ts";
import type { TurnTracer } from "./agent/loop/turnTracer.ts";
import { once } from "./base/jobs/once.ts";
import type { Permissions } from "./core/permission/permission.ts";
import { lazyOrchestrator } from "./orchestrator/lazyOrchestrator.ts";
import { createAgentsLink } from "./vscode/agents/link.ts";
import { registerChatParticipant } from "./vscode/chat/chatParticipant.ts";
import { lazyRunners } from "./vscode/chat/lazyRunners.ts";
import { registerContextView } from "./vscode/chat/showContext.ts";
import type { CliRunnerParts } from "./vscode/cli/runnersForCli.ts";
import { startCliAhead } from "./vscode/cli/startAhead.ts";
import { registerCommands } from "./vscode/commands/commands.ts";
import { registerEvidence } from "./vscode/evidence/link.ts";
import { createFirstUses } from "./vscode/firstUses.ts";
import { workspaceUri } from "./vscode/folders.ts";
import { registerInEditor } from "./vscode/graphView/inEditor.ts";
import { registerTestExplorer } from "./vscode/knowledgeTests/testExplorer.ts";
import { createLogs } from "./vscode/logs.ts";
import { registerMcpServers } from "./vscode/mcp/servers.ts";
import { registerPassagesModel } from "./vscode/models/passagesModel.ts";
import { registerModelProvider } from "./vscode/models/provider.ts";
import { moveOldSettings } from "./vscode/oldSettings.ts";
import { createPermissionsLink } from "./vscode/permissions/link.ts";
import { registerPlugins } from "./vscode/plugins/link.ts";
import { showSessions, uniteSessions } from "./vscode/sessionsView/link.ts";
import { createTelemetryLink } from "./vscode/telemetry/link.ts";
import { createChatOrigins } from "./vscode/tools/chatOrigins.ts";
import { registerTools } from "./vscode/tools/languageModelTools.ts";
import { createToolGate } from "./vscode/tools/toolGate.ts";
import { createLiveTurns } from "./vscode/turn/liveTurns.ts";
import { createSessionInstructions } from "./vscode/turn/sessionInstructions.ts";
import { registerTurnTraces } from "./vscode/turn/turnTraces.ts";
import { registerVirtualDocuments } from "./vscode/virtualDocuments.ts";
import { createIndexWatch } from "./vscode/worker/indexState.ts";
import { createWorkerLink, type WorkerLink } from "./vscode/worker/link.ts";
import { createFolderReadiness, whenReady } from "./vscode/worker/readiness.ts";

/**
 * Builds the object graph once, top to bottom. It only registers: the worker, the tools, the agent loop and the
 * Copilot CLI are programs of their own, which the first question loads.
 */
export function activate(context: vscode.ExtensionContext): void {
	const logs = createLogs(context.logUri);
	const { log, recorder } = logs.of("host");
	const worker = createWorkerLink(context, { ...logs.of("worker"), onStale: () => readiness.forget() });
	const { sessions, memory, onDidChangeIndex: onDidChange } = worker;
	const { watch, readiness, knowledge, graph } = seeToIndex(worker);
	const documents = registerVirtualDocuments();
	const contexts = registerContextView(documents, sessions);
	const evidence = registerEvidence({ ...worker, sessions, documents, log });
	const traces = registerTurnTraces(createTelemetryLink(context, log), worker.onDidEndSpans);
	const permissions = createPermissionsLink(context, log);

	const door = doorOfTools(permissions, traces, (...asked) => runners.runnerAt(...asked));
	const orchestrator = lazyOrchestrator(() => agents.orchestrator());
	const plugins = registerPlugins(worker.plugins, { context, documents, log, permissions });
	const places = placesOf({ knowledge, graph, memory, orchestrator, plugins }, permissions);
	const { cli, askPerson, ...cliParts } = linkCli({ context, logs, permissions, documents, ...door }, places);
	const steps = { tools: toolsOfSteps(places, door.live), permissions, askPerson };
	const commands = (signal: AbortSignal) => commandsOf(places, signal);
	const runnerParts = { ...places, ...door, sessions, steps, commands };
	const { passages, openRunner, ...runners } = lazyRunners(traces, runnerParts);
	const tools = once(() => toolsetFor({ ...places, door: "tools", openRunner }));
	const instructions = createSessionInstructions({ sessions, workspace: workspaceUri });
	const chat = { knowledge, sessions, memory, readiness, cli, log, traces };
	const all = uniteSessions(worker, cli, log);
	const models = registerModelProvider(context, log);
	const agents = createAgentsLink({ context, log, worker, knowledge, cli, documents, ...door, ...runners });
	const uses = createFirstUses(context.globalState, watch);
	const answering = { ...chat, uses, ...runners, contexts, evidence, instructions, agents, ...door };
	const data = { permissionData: permissions.stored, logData: logs.stored };
	const shared = { ...worker, ...data, ...chat, context, documents, models, uses, watch };

	context.subscriptions.push(
		...[logs, worker, watch, uses, documents, contexts, evidence, traces, permissions, cliParts, all],
		...[models, agents, plugins, registerPassagesModel(), registerMcpServers(context), moveOldSettings(log)],
		registerTools(toolNamesOf(context), tools.get, { ...door, ...places, uses }),
		registerCommands({ ...shared, sessions: all.sessions, recorder }),
		startCliAhead(cli, { state: context.workspaceState, log }),
		registerInEditor(worker, { context, knowledge, documents, readiness, log, watch }),
		showSessions({ ...worker, ...all, evidence }, { ...agents, context, log, permissions }),
		registerTestExplorer({ knowledge, graph, passages, openRunner: () => openRunner({}), onDidChange, log }),
		registerChatParticipant({ ...answering, documents, icon: iconOf(context) }),
	);
}

/** Brings the index in step before it is asked, and knows how it is. */
function seeToIndex(worker: WorkerLink) {
	const watch = createIndexWatch(worker);
	const readiness = createFolderReadiness(worker.knowledge, watch);
	return { watch, readiness, ...whenReady(worker, readiness) };
}

/** What every call of our tools passes, and which chat and turn it comes from. */
function doorOfTools(permissions: Permissions, traces: TurnTracer, runnerAt: CliRunnerParts["runnerAt"]) {
	const origins = createChatOrigins();
	const gate = createToolGate(permissions, traces, origins);
	return { gate, traces, origins, live: createLiveTurns(), runnerAt };
}

function iconOf({ extensionUri }: vscode.ExtensionContext): vscode.Uri {
	return vscode.Uri.joinPath(extensionUri, "media/icon.png");
}

/** The manifest says which tools there are before their code is loaded. */
function toolNamesOf({ extension }: vscode.ExtensionContext): string[] {
	return extension.packageJSON.contributes.languageModelTools.map(({ name }: { name: string }) => name);
}
