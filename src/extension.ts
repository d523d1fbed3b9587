import * as vscode from "vscode";
import type { Runner } from "./core/agentEvent.ts";
import { messageOf } from "./core/failure.ts";
import type { Tool, ToolContext } from "./core/tool.ts";
import type { createToolset } from "./tools/toolset.ts";
import { registerChatParticipant } from "./vscode/chatParticipant.ts";
import { createCliLink } from "./vscode/cliLink.ts";
import { registerCommands } from "./vscode/commands.ts";
import { registerDiagnostics } from "./vscode/diagnostics.ts";
import { workspaceUri } from "./vscode/folders.ts";
import { registerKnowledgeView } from "./vscode/knowledgeView.ts";
import { registerTools } from "./vscode/languageModelTools.ts";
import { registerMcpServers } from "./vscode/mcpServers.ts";
import { once } from "./vscode/once.ts";
import { createReadiness, whenReady } from "./vscode/readiness.ts";
import { createTemporaryPermissions } from "./vscode/temporaryPermissions.ts";
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
	const runners = once(() => import("./vscode/runners.ts"));

	const runnerFor = (request: vscode.ChatRequest): Runner =>
		async function* run(turn, signal) {
			const { graphRunnerOn, runnerOn } = await runners.get();
			const { command, model, toolInvocationToken: origin, toolReferences: named } = request;
			const runner =
				command === "graph" ? graphRunnerOn(graph, model) : runnerOn(knowledge, { model, origin, named });
			yield* runner(turn, signal);
		};
	const openRunner = async ({ origin }: ToolContext): Promise<Runner> => {
		const { chooseModel, runnerOn } = await runners.get();
		const model = await chooseModel();
		return runnerOn(knowledge, { model, origin: origin as vscode.ChatParticipantToolToken, named: [] });
	};
	const places = { knowledge, graph, memory: { memory, workspace: workspaceUri } };
	const tools = once(() => loadTools({ ...places, door: "tools", openRunner }));
	const cliTools = openToolsForCli(context, log, () => loadTools({ ...places, door: "cli" }));
	const permissions = createTemporaryPermissions();
	const cli = createCliLink({ context, log, permissions, mcpAccess: cliTools.access });

	context.subscriptions.push(
		log,
		worker,
		documents,
		cli,
		cliTools,
		registerTools(toolNamesOf(context), tools.get),
		registerCommands({ context, knowledge, catalog, sessions, memory, readiness, documents, cli, log }),
		registerMcpServers(context),
		registerKnowledgeView({ catalog, onDidChange }),
		registerDiagnostics({ catalog, log, onDidChange }),
		registerChatParticipant({
			...{ knowledge, sessions, memory, readiness, cli, log, runnerFor },
			icon: vscode.Uri.joinPath(context.extensionUri, "media/icon.png"),
		}),
	);
}

/** The manifest says which tools there are before their code is loaded. */
function toolNamesOf({ extension }: vscode.ExtensionContext): string[] {
	return extension.packageJSON.contributes.languageModelTools.map(({ name }: { name: string }) => name);
}

async function loadTools(deps: Parameters<typeof createToolset>[0]): Promise<readonly Tool[]> {
	const toolset = await import("./tools/toolset.ts");
	return toolset.createToolset(deps);
}

/** Our tools for the sessions of the Copilot CLI, over HTTP on this machine. The first session opens the endpoint. */
function openToolsForCli(
	{ extension }: vscode.ExtensionContext,
	log: vscode.LogOutputChannel,
	load: () => Promise<readonly Tool[]>,
) {
	const endpoint = once(async () => {
		const [{ createHttpEndpoint }, tools] = await Promise.all([import("./mcp/httpEndpoint.ts"), load()]);
		return createHttpEndpoint({
			version: extension.packageJSON.version,
			toolsFor: () => tools,
			onError: (thrown) => log.error(`A call of the Copilot CLI failed: ${messageOf(thrown)}`),
		});
	});
	return {
		access: async (session: string) => {
			const opened = await endpoint.get();
			const { url } = await opened.start();
			return [{ name: "copilot-ld", url, token: opened.tokenFor(session) }];
		},
		dispose: () => void endpoint.peek()?.then((opened) => opened.close()),
	};
}
