import * as vscode from "vscode";
import { messageOf } from "./base/failure.ts";
import { once } from "./base/once.ts";
import type { Runner } from "./core/agent/agentEvent.ts";
import { MCP_SERVER } from "./core/agent/mcpEndpoint.ts";
import type { ToolContext } from "./core/agent/tool.ts";
import type { Permissions } from "./core/permission/permission.ts";
import { withAdmission } from "./permissions/admission.ts";
import { type Consents, createConsents } from "./permissions/consents.ts";
import type { createToolset } from "./tools/toolset.ts";
import { registerChatParticipant } from "./vscode/chat/chatParticipant.ts";
import { registerContextView } from "./vscode/chat/showContext.ts";
import type { CliLink } from "./vscode/cli/cliLink.ts";
import { createCliLink } from "./vscode/cli/link.ts";
import { startCliAhead } from "./vscode/cli/startAhead.ts";
import { registerCommands } from "./vscode/commands/commands.ts";
import { workspaceUri } from "./vscode/folders.ts";
import { registerDiagnostics } from "./vscode/knowledgeView/diagnostics.ts";
import { registerKnowledgeView } from "./vscode/knowledgeView/view.ts";
import { registerMcpServers } from "./vscode/mcp/servers.ts";
import { createPermissionsLink } from "./vscode/permissions/link.ts";
import { createUnitedSessions } from "./vscode/sessionsView/unitedSessions.ts";
import { registerSessionsView } from "./vscode/sessionsView/view.ts";
import { createAskUser } from "./vscode/tools/askUser.ts";
import { registerTools } from "./vscode/tools/languageModelTools.ts";
import { createToolGate } from "./vscode/tools/toolGate.ts";
import { registerTurnTraces } from "./vscode/turn/turnTraces.ts";
import { registerVirtualDocuments } from "./vscode/virtualDocuments.ts";
import { createWorkerLink, type WorkerLink } from "./vscode/worker/link.ts";
import { createReadiness, whenReady } from "./vscode/worker/readiness.ts";

/**
 * Builds the object graph once, top to bottom. It only registers: the worker, the tools, the agent loop and the
 * Copilot CLI are programs of their own, which the first question loads.
 */
export function activate(context: vscode.ExtensionContext): void {
	const log = vscode.window.createOutputChannel("Copilot-LD", { log: true });
	const worker = createWorkerLink(context, { log, onStale: () => readiness.forget() });
	const { catalog, descriptions, sessions, memory, onDidChangeIndex: onDidChange } = worker;
	const readiness = createReadiness(worker.knowledge);
	const { knowledge, graph } = whenReady(worker, readiness);
	const documents = registerVirtualDocuments();
	const contexts = registerContextView(documents);
	const traces = registerTurnTraces();
	const permissions = createPermissionsLink(context, log);

	const places = { knowledge, graph, memory: { memory, workspace: workspaceUri } };
	const { runnerFor, openRunner } = lazyRunners(traces, places);
	const tools = once(async () => (await loadToolset())({ ...places, door: "tools", openRunner }));
	const consents = createConsents();
	const cliTools = openToolsForCli({ context, log, permissions, consents }, places);
	const cli = createCliLink({
		...{ context, log, permissions, consents, documents },
		mcpAccess: cliTools.access,
	});
	const chat = { knowledge, sessions, memory, readiness, cli, log };
	const all = uniteSessions(worker, cli, log);

	context.subscriptions.push(
		...[log, worker, documents, contexts, traces, permissions, cli, cliTools, all],
		registerTools(toolNamesOf(context), tools.get, createToolGate(permissions, traces)),
		registerCommands({ ...chat, sessions: all.sessions, context, catalog, descriptions, documents }),
		startCliAhead(cli, { state: context.workspaceState, log }),
		registerMcpServers(context),
		registerKnowledgeView({ catalog, onDidChange }),
		showSessions({ ...worker, ...all }, { context, log, permissions }),
		registerDiagnostics({ catalog, log, onDidChange }),
		registerChatParticipant({
			...{ ...chat, contexts, runnerFor },
			icon: vscode.Uri.joinPath(context.extensionUri, "media/icon.png"),
		}),
	);
}

/** The manifest says which tools there are before their code is loaded. */
function toolNamesOf({ extension }: vscode.ExtensionContext): string[] {
	return extension.packageJSON.contributes.languageModelTools.map(({ name }: { name: string }) => name);
}

type ToolsetDeps = Parameters<typeof createToolset>[0];

async function loadToolset(): Promise<typeof createToolset> {
	return (await import("./tools/toolset.ts")).createToolset;
}

/** The agent loop, for the chat and for a tool. */
function lazyRunners(traces: ReturnType<typeof registerTurnTraces>, places: ToolPlaces) {
	const runners = once(async () => (await import("./vscode/chat/runners.ts")).createRunners(traces, places));
	return {
		runnerFor: (request: vscode.ChatRequest): Runner =>
			async function* run(turn, signal) {
				yield* (await runners.get()).runnerFor(request)(turn, signal);
			},
		openRunner: async ({ origin }: ToolContext): Promise<Runner> =>
			(await runners.get()).runnerOutside(origin as vscode.ChatParticipantToolToken),
	};
}

/** What every tool works on. */
type ToolPlaces = Pick<ToolsetDeps, "knowledge" | "graph"> & Required<Pick<ToolsetDeps, "memory">>;

interface Surroundings {
	readonly context: vscode.ExtensionContext;
	readonly log: vscode.LogOutputChannel;
	readonly permissions: Permissions;
}

/** Our tools for the sessions of the Copilot CLI, over HTTP on this machine. The first session opens the endpoint. */
function openToolsForCli(
	{ context, log, permissions, consents }: Surroundings & { readonly consents: Consents },
	places: ToolPlaces,
) {
	const askUser = createAskUser();
	const endpoint = once(async () => {
		const [{ createHttpEndpoint }, toolset] = await Promise.all([
			import("./mcp/httpEndpoint.ts"),
			loadToolset(),
		]);
		return createHttpEndpoint({
			version: context.extension.packageJSON.version,
			toolsFor: (session) => {
				const tools = toolset({ ...places, door: "cli", askUser });
				const from = { door: "cli", workspace: workspaceUri(), session } as const;
				return withAdmission(tools, permissions, from, consents);
			},
			onError: (thrown) => log.error(`A call of the Copilot CLI failed: ${messageOf(thrown)}`),
		});
	});
	return {
		access: async (session: string) => {
			const opened = await endpoint.get();
			const { url } = await opened.start();
			return [{ name: MCP_SERVER, url, token: opened.tokenFor(session) }];
		},
		dispose: () => void endpoint.peek()?.then((opened) => opened.close()),
	};
}

/** Our sessions with those of the Copilot CLI. */
function uniteSessions(
	{ sessions: own, onDidChangeSessions }: WorkerLink,
	{ history, chats }: CliLink,
	log: vscode.LogOutputChannel,
) {
	const changed = new vscode.EventEmitter<void>();
	const sessions = createUnitedSessions({
		...{ own, cli: history, chats },
		onChange: () => changed.fire(),
		onError: (thrown) => log.warn(messageOf(thrown)),
	});
	const listening = onDidChangeSessions(() => changed.fire());
	const dispose = () => vscode.Disposable.from(changed, listening).dispose();
	return { sessions, onDidChangeSessions: changed.event, dispose };
}

/** The view of sessions, memory and permissions, with what the worker and the rules tell of them. */
function showSessions(
	{
		sessions,
		memory,
		catalog,
		onDidChangeSessions,
	}: Pick<WorkerLink, "memory" | "catalog"> & ReturnType<typeof uniteSessions>,
	{
		context,
		log,
		permissions,
	}: Surroundings & { readonly permissions: ReturnType<typeof createPermissionsLink> },
): vscode.Disposable {
	const changed = new vscode.EventEmitter<"sessions" | "permissions">();
	const view = registerSessionsView({
		...{ sessions, memory, permissions, log },
		policies: () => catalog.policies(new AbortController().signal),
		workspace: workspaceUri,
		onDidChange: changed.event,
		extensionUri: context.extensionUri,
	});
	return vscode.Disposable.from(
		view,
		changed,
		onDidChangeSessions(() => changed.fire("sessions")),
		permissions.onDidChange(() => changed.fire("permissions")),
	);
}
