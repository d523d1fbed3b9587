import * as vscode from "vscode";
import { lazily, once } from "../base/jobs/lazily.ts";
import type { SkillPlace } from "../core/agent/skill.ts";
import type { StepEngine, StepGrant, Tool } from "../core/agent/tool.ts";
import type { Orchestrator } from "../orchestrator/orchestrator.ts";
import { createConsents } from "../permissions/consents.ts";
import { createAgentsLink, partOf } from "../vscode/agents/link.ts";
import type { Runners } from "../vscode/chat/runners.ts";
import { createCliLink, runnersForCli } from "../vscode/cli/link.ts";
import { registerEvidence } from "../vscode/evidence/link.ts";
import { createFirstUses } from "../vscode/firstUses.ts";
import { workspaceUri } from "../vscode/folders.ts";
import { createLogs } from "../vscode/logs.ts";
import { registerModelProvider } from "../vscode/models/provider.ts";
import { createPermissionsLink } from "../vscode/permissions/link.ts";
import { createPermissionPick } from "../vscode/permissions/permissionPick.ts";
import { createAskUser, registerQuestions } from "../vscode/permissions/questions.ts";
import { lazyHooks, registerPlugins } from "../vscode/plugins/link.ts";
import { registerVirtualDocuments } from "../vscode/registerEach.ts";
import { uniteSessions } from "../vscode/sessionsView/link.ts";
import { setting } from "../vscode/settings.ts";
import { chooseSteps } from "../vscode/steps/stepRunner.ts";
import { createChatOrigins, createToolGate } from "../vscode/tools/toolGate.ts";
import { createSessionInstructions } from "../vscode/turn/sessionInstructions.ts";
import { createLiveTurns } from "../vscode/turn/turnRecord.ts";
import { registerTurnTraces } from "../vscode/turn/turnTraces.ts";
import { createWorkerLink } from "../vscode/worker/link.ts";
import { createFolderReadiness, createIndexWatch, whenReady } from "../vscode/worker/readiness.ts";

export function createServices(context: vscode.ExtensionContext) {
	const calls = createCalls(context);
	const { log, logs, worker } = calls;
	const chooseEngine = (origin: unknown): Promise<StepEngine> =>
		chooseSteps(setting("agents.engine"), { cli, model: runners.stepsIn }, origin);
	const agents = createAgentsLink({ ...calls, chooseSteps: chooseEngine });
	const toolsets = createToolsets(calls, agents.orchestrator);
	const runners = lazily(async () =>
		(await import("../vscode/chat/runners.ts")).createRunners({ ...calls, ...toolsets }),
	);
	const tools = once(() => toolsets.hostTools(runners.openRunner));
	const cliTools = createCliTools(calls, toolsets, runners);
	const { turnHooks } = toolsets;
	const cli = createCliLink({ ...calls, ...logs.of("cli"), turnHooks, mcpAccess: cliTools.access });
	const allSessions = uniteSessions(worker, cli, log);
	const models = registerModelProvider(context, log);
	context.subscriptions.push(agents, cli, cliTools, allSessions, models);
	return { ...calls, agents, runners, tools: tools.get, turnHooks, cli, allSessions, models };
}

const load = () => import("../tools/toolset.ts");

/** Our tools for each kind of caller in this window, and the hooks around calls. The first call loads their code. */
export function createToolsets(calls: Calls, orchestrator: () => Promise<Orchestrator>) {
	const { knowledge, graph, plugins, permissions } = calls;
	const memory = { memory: calls.memory, workspace: workspaceUri };
	const reading = { knowledge, graph, memory };
	const placesOf = (session: string) => ({ ...reading, orchestrator: partOf(orchestrator, session) });
	const skills = lazily<SkillPlace>(async () =>
		(await import("../vscode/agents/skills.ts")).skillsHere(calls.worker.agents),
	);
	const chains = lazily(orchestrator);
	const own = { knowledge, graph, plugins, skills, orchestrator: chains, channel: "tools" } as const;
	/** Tools for our agent loop, one for each command of a plugin or skill; none in an untrusted workspace. */
	const commandTools = async (signal: AbortSignal, question?: string): Promise<readonly Tool[]> =>
		vscode.workspace.isTrusted ? (await load()).createCommandTools(own).list(signal, question) : [];
	return {
		reading,
		placesOf,
		commandTools,
		turnHooks: lazyHooks(plugins, permissions, async (admit) =>
			(await load()).createHooks({ knowledge, graph, plugins, channel: "tools" }, admit),
		),
		hostTools: async (openRunner: Runners["openRunner"]): Promise<readonly Tool[]> =>
			(await load()).createToolset({ ...own, memory, openRunner }),
		stepTools: async (session: string): Promise<readonly Tool[]> => [
			...(await load()).createToolset({ ...placesOf(session), channel: "tools" }),
			...(await commandTools(new AbortController().signal)),
		],
	};
}

type Toolsets = ReturnType<typeof createToolsets>;

/** Offers our tools to sessions of the Copilot CLI, over local HTTP. The first session opens the endpoint. */
function createCliTools(calls: Calls, { placesOf, reading }: Toolsets, { runnerAt }: Runners) {
	const { context, logs, permissions, consents, questions, askPerson, traces, knowledge, plugins } = calls;
	const { log } = logs.of("mcp");
	const opened = once(async () => {
		const [{ openCliTools }, { createToolset, createCommandTools }] = await Promise.all([
			import("../mcp/endpoint/cliTools.ts"),
			load(),
		]);
		const at = (session: string) => ({ ...placesOf(session), channel: "cli" as const });
		const tools = () => createToolset({ ...reading, channel: "cli" });
		const openRunner = runnersForCli({ knowledge, permissions, askPerson, runnerAt, tools });
		return openCliTools({
			permissions,
			consents,
			ask: askPerson,
			workspace: workspaceUri,
			version: context.extension.packageJSON.version,
			tools: (session) => createToolset({ ...at(session), askUser: createAskUser(questions, session) }),
			// No check of workspace trust is needed: the CLI never starts in untrusted workspaces.
			commands: (session) =>
				createCommandTools({ ...at(session), plugins, openRunner: openRunner(session) }).list,
			recorder:
				(session) =>
				({ tool, input, context: { signal } }, run) =>
					traces.call({ title: tool.name, session, input }, signal, run),
			onError: (message) => log.error(message),
		});
	});
	return {
		access: async (session: string, step?: StepGrant) => (await opened.get()).access(session, step),
		dispose: () => void opened.peek()?.then((endpoint) => endpoint.close()),
	};
}

/** Creates the link to the worker, and the services that turns and tool calls share. */
function createCalls(context: vscode.ExtensionContext) {
	const logs = createLogs(context.logUri);
	const { log, recorder } = logs.of("host");
	const worker = createWorkerLink(context, logs.of("worker"));
	const watch = createIndexWatch(worker);
	const readiness = createFolderReadiness(worker.knowledge, watch);
	const { knowledge, graph } = whenReady(worker, readiness);
	const { sessions, memory } = worker;
	const documents = registerVirtualDocuments();
	const evidence = registerEvidence({ worker, documents, log });
	const stale = worker.onDidGoStale(readiness.forget);
	context.subscriptions.push(logs, worker, watch, documents, evidence, stale);
	const permissions = createPermissionsLink(context, log);
	const traces = registerTurnTraces(context, log, worker.onDidEndSpans);
	const questions = registerQuestions();
	const askPerson = createPermissionPick(questions, documents);
	const consents = createConsents();
	const origins = createChatOrigins();
	const live = createLiveTurns();
	const instructions = createSessionInstructions(sessions);
	const gate = createToolGate(permissions, traces, origins);
	const uses = createFirstUses(context.globalState, watch.onDidChange);
	const plugins = registerPlugins({ worker, documents, log, permissions });
	context.subscriptions.push(permissions, traces, questions, uses, plugins);
	const index = { worker, watch, readiness, knowledge, graph, sessions, memory, documents };
	const shown = { evidence, traces, uses, plugins };
	const asking = { permissions, questions, askPerson, consents, origins, live, instructions, gate };
	return { context, logs, log, recorder, ...index, ...shown, ...asking };
}

type Calls = ReturnType<typeof createCalls>;
