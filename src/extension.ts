import * as vscode from "vscode";
import { hookedStep, hookedTurn } from "./agent/loop/hookedTurn.ts";
import { tracedTools } from "./agent/loop/tracedTools.ts";
import { traced, withCalls } from "./agent/loop/tracedTurn.ts";
import type { TurnTracer } from "./agent/loop/turnTracer.ts";
import { once } from "./base/jobs/once.ts";
import type { StepGrant } from "./core/agent/mcpEndpoint.ts";
import type { Tool } from "./core/agent/tool.ts";
import type { TurnHooks } from "./core/agent/turnHooks.ts";
import type { Permissions } from "./core/permission/permission.ts";
import { lazyOrchestrator } from "./orchestrator/lazyOrchestrator.ts";
import { type Consents, createConsents } from "./permissions/consents.ts";
import type { AskPerson } from "./permissions/decide.ts";
import type { createToolset } from "./tools/toolset.ts";
import { partOf } from "./vscode/agents/chainTurns.ts";
import { createAgentsLink } from "./vscode/agents/link.ts";
import { registerChatParticipant } from "./vscode/chat/chatParticipant.ts";
import { lazyRunners } from "./vscode/chat/lazyRunners.ts";
import { registerContextView } from "./vscode/chat/showContext.ts";
import type { CliLink } from "./vscode/cli/cliLink.ts";
import { createCliLink } from "./vscode/cli/link.ts";
import { type CliRunnerParts, runnersForCli } from "./vscode/cli/runnersForCli.ts";
import { startCliAhead } from "./vscode/cli/startAhead.ts";
import { registerCommands } from "./vscode/commands/commands.ts";
import { type EvidenceLink, registerEvidence } from "./vscode/evidence/link.ts";
import { createFirstUses } from "./vscode/firstUses.ts";
import { workspaceUri } from "./vscode/folders.ts";
import { registerInEditor } from "./vscode/graphView/inEditor.ts";
import { registerTestExplorer } from "./vscode/knowledgeTests/testExplorer.ts";
import { createLogs, type Logs } from "./vscode/logs.ts";
import { registerMcpServers } from "./vscode/mcp/servers.ts";
import { registerPassagesModel } from "./vscode/models/passagesModel.ts";
import { registerModelProvider } from "./vscode/models/provider.ts";
import { createPermissionsLink } from "./vscode/permissions/link.ts";
import { createPermissionPick } from "./vscode/permissions/permissionPick.ts";
import { type Questions, registerQuestions } from "./vscode/permissions/questions.ts";
import { lazyHooks } from "./vscode/plugins/lazyHooks.ts";
import { registerPlugins } from "./vscode/plugins/link.ts";
import type { LivePlugins } from "./vscode/plugins/livePlugins.ts";
import type { ViewChange } from "./vscode/sessionsView/deps.ts";
import { uniteSessions } from "./vscode/sessionsView/unitedLink.ts";
import { registerSessionsView } from "./vscode/sessionsView/view.ts";
import type { RunningSteps } from "./vscode/steps/runningSteps.ts";
import { createTelemetryLink } from "./vscode/telemetry/link.ts";
import { createAskUser } from "./vscode/tools/askUser.ts";
import { createChatOrigins } from "./vscode/tools/chatOrigins.ts";
import { registerTools } from "./vscode/tools/languageModelTools.ts";
import { createToolGate } from "./vscode/tools/toolGate.ts";
import { createLiveTurns, type LiveTurns } from "./vscode/turn/liveTurns.ts";
import { createSessionInstructions } from "./vscode/turn/sessionInstructions.ts";
import { registerTurnTraces } from "./vscode/turn/turnTraces.ts";
import { registerVirtualDocuments, type VirtualDocuments } from "./vscode/virtualDocuments.ts";
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
	const runnerParts = withCommands({ ...places, ...door, sessions, steps });
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
		...[logs, worker, watch, uses, documents, contexts, evidence, traces, permissions],
		...[cliParts, all, models, agents, plugins, registerMcpServers(context), registerPassagesModel()],
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

type ToolsetDeps = Parameters<typeof createToolset>[0];

function loadToolset() {
	return import("./tools/toolset.ts");
}

/** What every tool works on. */
type ToolPlaces = Pick<ToolsetDeps, "knowledge" | "graph"> &
	Required<Pick<ToolsetDeps, "memory" | "orchestrator" | "plugins">>;

async function toolsetFor(deps: ToolsetDeps): Promise<readonly Tool[]> {
	return (await loadToolset()).createToolset(deps);
}

type HookedPlaces = { readonly turnHooks: TurnHooks };

/** With the workspace of the memory, and with what plugins run around turns and calls by themselves. */
function placesOf(
	{ memory, ...parts }: Omit<ToolPlaces, "memory"> & Pick<WorkerLink, "memory"> & { plugins: LivePlugins },
	permissions: Permissions,
): ToolPlaces & HookedPlaces {
	const { knowledge, graph, plugins } = parts;
	const turnHooks = lazyHooks(plugins, permissions, async (admit) =>
		(await loadToolset()).createHooks({ knowledge, graph, plugins, door: "tools" }, admit),
	);
	return { ...parts, memory: { memory, workspace: workspaceUri }, turnHooks };
}

function withCommands<Places extends ToolPlaces>(places: Places) {
	return { ...places, commands: (signal: AbortSignal) => commandsOf(places, signal) };
}

/** The commands of plugins, each as a tool of its own, for our own loop; none where they may not run. */
async function commandsOf(
	{ knowledge, graph, plugins, orchestrator }: ToolPlaces,
	signal: AbortSignal,
): Promise<readonly Tool[]> {
	if (!vscode.workspace.isTrusted) return [];
	const { createCommandTools } = await loadToolset();
	return createCommandTools({ knowledge, graph, plugins, orchestrator, door: "tools" }).list(signal);
}

/** The Copilot CLI, our tools for it, and the questions that the person is asked. */
function linkCli(
	{
		context,
		logs,
		permissions,
		documents,
		...turns
	}: Omit<Asking, "log" | "consents" | "questions" | "askPerson"> & {
		readonly logs: Logs;
		readonly documents: VirtualDocuments;
	},
	places: ToolPlaces & HookedPlaces,
) {
	const { turnHooks } = places;
	const consents = createConsents();
	const questions = registerQuestions();
	const askPerson = createPermissionPick(questions, documents);
	const asking = { context, permissions, consents, questions, askPerson, documents, ...turns };
	const tools = openToolsForCli({ ...asking, ...logs.of("mcp") }, places);
	const link = createCliLink({ ...asking, ...logs.of("cli"), turnHooks, mcpAccess: tools.access });
	const inTrace = (run: ReturnType<CliLink["runnerFor"]>) =>
		traced("cli", (recorder) => withCalls(run, recorder), turns.traces);
	const runnerFor = (chat: string) => hookedTurn(turnHooks, () => inTrace(link.runnerFor(chat)));
	const runStep: CliLink["steps"]["runnerFor"] = (step) =>
		hookedStep(turnHooks, step.chain, inTrace(link.steps.runnerFor(step)));
	const steps = { ...link.steps, runnerFor: runStep };
	const cli: CliLink = { ...link, runnerFor, steps, dispose: () => link.dispose() };
	return { cli, askPerson, dispose: () => vscode.Disposable.from(questions, cli, tools).dispose() };
}

interface Surroundings {
	readonly context: vscode.ExtensionContext;
	readonly log: vscode.LogOutputChannel;
	readonly permissions: Permissions;
}

/** How a person is asked about what the Copilot CLI wants to do. */
interface Asking extends Surroundings, Pick<CliRunnerParts, "runnerAt"> {
	readonly consents: Consents;
	readonly questions: Questions;
	readonly askPerson: AskPerson;
	readonly traces: TurnTracer;
	readonly live: LiveTurns;
}

/** Our tools for the steps of chains that run in our own loop. */
function toolsOfSteps(places: ToolPlaces, live: LiveTurns) {
	const { orchestrator, plugins: _, ...own } = places;
	return async (session: string) => {
		const part = partOf(orchestrator, session, live);
		const tools = await toolsetFor({ ...own, door: "tools", orchestrator: part });
		return [...tools, ...(await commandsOf(places, new AbortController().signal))];
	};
}

/** Our tools for the sessions of the Copilot CLI, over HTTP on this machine. The first session opens the endpoint. */
function openToolsForCli(
	{ context, log, permissions, consents, questions, askPerson, traces, live, runnerAt }: Asking,
	places: ToolPlaces,
) {
	const opened = once(async () => {
		const [{ openCliTools }, { createToolset, createCommandTools }] = await Promise.all([
			import("./mcp/endpoint/cliTools.ts"),
			loadToolset(),
		]);
		const { plugins, ...own } = places;
		const part = (session: string) => partOf(own.orchestrator, session, live);
		const at = (session: string) => ({ ...own, door: "cli" as const, orchestrator: part(session) });
		const { orchestrator: _, ...reading } = own;
		const tools = () => createToolset({ ...reading, door: "cli" });
		const openRunner = runnersForCli({ ...own, permissions, askPerson, runnerAt, tools });
		return openCliTools({
			permissions,
			consents,
			ask: askPerson,
			workspace: workspaceUri,
			version: context.extension.packageJSON.version,
			tools: (session) => createToolset({ ...at(session), askUser: createAskUser(questions, session) }),
			// Untrusted folders start no CLI.
			commands: (session) =>
				createCommandTools({ ...at(session), plugins, openRunner: openRunner(session) }).list,
			measured: (tools, session) => tracedTools(tools, traces, session),
			onError: (message) => log.error(message),
		});
	});
	return {
		access: async (session: string, step?: StepGrant) => (await opened.get()).access(session, step),
		dispose: () => void opened.peek()?.then((tools) => tools.close()),
	};
}

/** The view of sessions, memory and permissions, with what the worker and the rules tell of them. */
function showSessions(
	{
		sessions,
		memory,
		catalog,
		evidence,
		onDidChangeSessions,
	}: Pick<WorkerLink, "memory" | "catalog"> &
		ReturnType<typeof uniteSessions> & { readonly evidence: EvidenceLink },
	{
		context,
		log,
		permissions,
		steps,
	}: Surroundings & {
		readonly permissions: ReturnType<typeof createPermissionsLink>;
		readonly steps: RunningSteps;
	},
): vscode.Disposable {
	const changed = new vscode.EventEmitter<ViewChange>();
	const view = registerSessionsView({
		sessions: evidence.noting(sessions),
		memory,
		permissions,
		log,
		steps,
		policies: () => catalog.policies(new AbortController().signal),
		workspace: workspaceUri,
		onDidChange: changed.event,
		extensionUri: context.extensionUri,
	});
	return vscode.Disposable.from(
		view,
		changed,
		onDidChangeSessions((changes) => changed.fire({ part: "sessions", ...(changes && { changes }) })),
		permissions.onDidChange(() => changed.fire({ part: "permissions" })),
	);
}
