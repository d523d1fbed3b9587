import * as vscode from "vscode";
import { once } from "../base/jobs/once.ts";
import type { StepGrant } from "../core/agent/mcpEndpoint.ts";
import type { Tool } from "../core/agent/tool.ts";
import type { Orchestrator } from "../orchestrator/orchestrator.ts";
import { partOf } from "../vscode/agents/chainTurns.ts";
import type { Runners } from "../vscode/chat/runners.ts";
import { runnersForCli } from "../vscode/cli/runnersForCli.ts";
import { workspaceUri } from "../vscode/folders.ts";
import { lazyHooks } from "../vscode/plugins/lazyHooks.ts";
import { createAskUser } from "../vscode/tools/askUser.ts";
import type { Calls } from "./calls.ts";

const load = () => import("../tools/toolset.ts");

/** Our tools for each kind of caller in this window, and the hooks around calls. The first call loads them. */
export function createToolsets(calls: Calls, orchestrator: () => Promise<Orchestrator>) {
	const { knowledge, graph, plugins, permissions, live } = calls;
	const memory = { memory: calls.memory, workspace: workspaceUri };
	const reading = { knowledge, graph, memory };
	/** The places of the tools of one session. */
	const placesOf = (session: string) => ({ ...reading, orchestrator: partOf(orchestrator, session, live) });
	const own = { knowledge, graph, plugins, orchestrator: partOf(orchestrator), door: "tools" } as const;
	/** The commands of plugins, each as a tool of its own, for our own loop; none if they may not run. */
	const commandTools = async (signal: AbortSignal): Promise<readonly Tool[]> =>
		vscode.workspace.isTrusted ? (await load()).createCommandTools(own).list(signal) : [];
	return {
		reading,
		placesOf,
		commandTools,
		turnHooks: lazyHooks(plugins, permissions, async (admit) =>
			(await load()).createHooks({ knowledge, graph, plugins, door: "tools" }, admit),
		),
		/** For VS Code and every agent in it. */
		hostTools: async (openRunner: Runners["openRunner"]): Promise<readonly Tool[]> =>
			(await load()).createToolset({ ...own, memory, openRunner }),
		/** For the steps of chains that run in our own loop. */
		stepTools: async (session: string): Promise<readonly Tool[]> => [
			...(await load()).createToolset({ ...placesOf(session), door: "tools" }),
			...(await commandTools(new AbortController().signal)),
		],
	};
}

export type Toolsets = ReturnType<typeof createToolsets>;

/** Our tools for the sessions of the Copilot CLI, over HTTP on this machine. The first session opens the endpoint. */
export function createCliTools(calls: Calls, { placesOf, reading }: Toolsets, { runnerAt }: Runners) {
	const { context, logs, permissions, consents, questions, askPerson, traces, knowledge, plugins } = calls;
	const { log } = logs.of("mcp");
	const opened = once(async () => {
		const [{ openCliTools }, { createToolset, createCommandTools }] = await Promise.all([
			import("../mcp/endpoint/cliTools.ts"),
			load(),
		]);
		const at = (session: string) => ({ ...placesOf(session), door: "cli" as const });
		const tools = () => createToolset({ ...reading, door: "cli" });
		const openRunner = runnersForCli({ knowledge, permissions, askPerson, runnerAt, tools });
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
