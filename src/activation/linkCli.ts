import * as vscode from "vscode";
import { hookedStep, hookedTurn } from "../agent/loop/hookedTurn.ts";
import { traced, withCalls } from "../agent/loop/tracedTurn.ts";
import type { TurnTracer } from "../agent/loop/turnTracer.ts";
import { once } from "../base/jobs/once.ts";
import type { StepGrant } from "../core/agent/mcpEndpoint.ts";
import type { Tool } from "../core/agent/tool.ts";
import type { TurnHooks } from "../core/agent/turnHooks.ts";
import type { Permissions } from "../core/permission/permission.ts";
import { type Consents, createConsents } from "../permissions/consents.ts";
import type { AskPerson } from "../permissions/decide.ts";
import type { createToolset } from "../tools/toolset.ts";
import { partOf } from "../vscode/agents/chainTurns.ts";
import type { CliLink } from "../vscode/cli/cliLink.ts";
import { createCliLink } from "../vscode/cli/link.ts";
import { type CliRunnerParts, runnersForCli } from "../vscode/cli/runnersForCli.ts";
import { workspaceUri } from "../vscode/folders.ts";
import type { Logs } from "../vscode/logs.ts";
import { createPermissionPick } from "../vscode/permissions/permissionPick.ts";
import { type Questions, registerQuestions } from "../vscode/permissions/questions.ts";
import { lazyHooks } from "../vscode/plugins/lazyHooks.ts";
import type { LivePlugins } from "../vscode/plugins/livePlugins.ts";
import { createAskUser } from "../vscode/tools/askUser.ts";
import type { LiveTurns } from "../vscode/turn/liveTurns.ts";
import type { VirtualDocuments } from "../vscode/virtualDocuments.ts";
import type { WorkerLink } from "../vscode/worker/link.ts";

interface CliSurroundings extends Pick<CliRunnerParts, "runnerAt"> {
	readonly context: vscode.ExtensionContext;
	readonly log: vscode.LogOutputChannel;
	readonly permissions: Permissions;
	readonly consents: Consents;
	readonly questions: Questions;
	readonly askPerson: AskPerson;
	readonly traces: TurnTracer;
	readonly live: LiveTurns;
}

type ToolsetDeps = Parameters<typeof createToolset>[0];

export function linkCli(
	{
		context,
		logs,
		permissions,
		documents,
		...turns
	}: Omit<CliSurroundings, "log" | "consents" | "questions" | "askPerson"> & {
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

/** Our tools for the sessions of the Copilot CLI, over HTTP on this machine. The first session opens the endpoint. */
function openToolsForCli(
	{ context, log, permissions, consents, questions, askPerson, traces, live, runnerAt }: CliSurroundings,
	places: ToolPlaces,
) {
	const opened = once(async () => {
		const [{ openCliTools }, { createToolset, createCommandTools }] = await Promise.all([
			import("../mcp/endpoint/cliTools.ts"),
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
			recorder:
				(session) =>
				({ tool, input, context }, run) =>
					traces.call({ title: tool.name, session, input }, context.signal, run),
			onError: (message) => log.error(message),
		});
	});
	return {
		access: async (session: string, step?: StepGrant) => (await opened.get()).access(session, step),
		dispose: () => void opened.peek()?.then((tools) => tools.close()),
	};
}

function loadToolset() {
	return import("../tools/toolset.ts");
}

type ToolPlaces = Pick<ToolsetDeps, "knowledge" | "graph"> &
	Required<Pick<ToolsetDeps, "memory" | "orchestrator" | "plugins">>;

export async function toolsetFor(deps: ToolsetDeps): Promise<readonly Tool[]> {
	return (await loadToolset()).createToolset(deps);
}

type HookedPlaces = { readonly turnHooks: TurnHooks };

/** With the workspace of the memory, and with what plugins run around turns and calls by themselves. */
export function placesOf(
	{ memory, ...parts }: Omit<ToolPlaces, "memory"> & Pick<WorkerLink, "memory"> & { plugins: LivePlugins },
	permissions: Permissions,
): ToolPlaces & HookedPlaces {
	const { knowledge, graph, plugins } = parts;
	const turnHooks = lazyHooks(plugins, permissions, async (admit) =>
		(await loadToolset()).createHooks({ knowledge, graph, plugins, door: "tools" }, admit),
	);
	return { ...parts, memory: { memory, workspace: workspaceUri }, turnHooks };
}

/** The commands of plugins, each as a tool of its own, for our own loop; none if they may not run. */
export async function commandsOf(
	{ knowledge, graph, plugins, orchestrator }: ToolPlaces,
	signal: AbortSignal,
): Promise<readonly Tool[]> {
	if (!vscode.workspace.isTrusted) return [];
	const { createCommandTools } = await loadToolset();
	return createCommandTools({ knowledge, graph, plugins, orchestrator, door: "tools" }).list(signal);
}

export function toolsOfSteps(places: ToolPlaces, live: LiveTurns) {
	const { orchestrator, plugins: _, ...own } = places;
	return async (session: string) => {
		const part = partOf(orchestrator, session, live);
		const tools = await toolsetFor({ ...own, door: "tools", orchestrator: part });
		return [...tools, ...(await commandsOf(places, new AbortController().signal))];
	};
}
