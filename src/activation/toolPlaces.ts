import * as vscode from "vscode";
import type { Tool } from "../core/agent/tool.ts";
import type { TurnHooks } from "../core/agent/turnHooks.ts";
import type { Permissions } from "../core/permission/permission.ts";
import type { createToolset } from "../tools/toolset.ts";
import { partOf } from "../vscode/agents/chainTurns.ts";
import { workspaceUri } from "../vscode/folders.ts";
import { lazyHooks } from "../vscode/plugins/lazyHooks.ts";
import type { LivePlugins } from "../vscode/plugins/livePlugins.ts";
import type { LiveTurns } from "../vscode/turn/liveTurns.ts";
import type { WorkerLink } from "../vscode/worker/link.ts";

type ToolsetDeps = Parameters<typeof createToolset>[0];

export function loadToolset() {
	return import("../tools/toolset.ts");
}

export type ToolPlaces = Pick<ToolsetDeps, "knowledge" | "graph"> &
	Required<Pick<ToolsetDeps, "memory" | "orchestrator" | "plugins">>;

export async function toolsetFor(deps: ToolsetDeps): Promise<readonly Tool[]> {
	return (await loadToolset()).createToolset(deps);
}

export type HookedPlaces = { readonly turnHooks: TurnHooks };

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

/** The commands of plugins, each as a tool of its own, for our own loop; none where they may not run. */
export async function commandsOf(
	{ knowledge, graph, plugins, orchestrator }: ToolPlaces,
	signal: AbortSignal,
): Promise<readonly Tool[]> {
	if (!vscode.workspace.isTrusted) return [];
	const { createCommandTools } = await loadToolset();
	return createCommandTools({ knowledge, graph, plugins, orchestrator, door: "tools" }).list(signal);
}

/** Our tools for the steps of chains that run in our own loop. */
export function toolsOfSteps(places: ToolPlaces, live: LiveTurns) {
	const { orchestrator, plugins: _, ...own } = places;
	return async (session: string) => {
		const part = partOf(orchestrator, session, live);
		const tools = await toolsetFor({ ...own, door: "tools", orchestrator: part });
		return [...tools, ...(await commandsOf(places, new AbortController().signal))];
	};
}
